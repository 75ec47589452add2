/** A lesson whole; of one that was forgotten or purged, when and why, and the texts that this machine still has. */
import { json, type Page, safeLine } from "../../ground/terminal/layout.ts";
import type { Spell } from "../../ground/terminal/shell.ts";
import { isOlderThan } from "../changes/forget.ts";
import { toLine } from "../format/file-lines.ts";
import { isTombstone, type Tombstone, timesMet, type Version } from "../format/lesson.ts";
import { goneNames, namesGone } from "../history/gone-names.ts";
import { lessonsIn, type Removed } from "../jsonl/trash.ts";
import type { Snapshot } from "../merge/fold.ts";
import { type LessonLine, latestFirst } from "../merge/versions.ts";
import {
  findId,
  findRecords,
  mayMean,
  namesNothing,
  References,
  versionReference,
} from "../queries/references.ts";
import { alsoRows, factRows, inShort, texts, whenAndWhy } from "../terminal/lessons.ts";
import {
  type AddLessonCommand,
  type LessonCommandContext,
  noteMemory,
} from "../terminal/read-memory.ts";

export const addShow: AddLessonCommand = (program, open) => {
  program
    .command("show")
    .description("show one lesson in full")
    .argument("<id>", "its id, or the first 6 or more digits")
    .option("--json", "print it as JSON")
    .action((id, options) => show(open(), id, options));
};

async function show(
  context: LessonCommandContext,
  id: string,
  options: { readonly json?: boolean },
): Promise<void> {
  const { lessons, terminal, project, spelt } = context;
  const snapshot = await lessons.read();
  const removed = await lessons.removed();
  const found = findRecords(snapshot, id);
  const latest = [...snapshot.lines()].sort(latestFirst);
  const tombstones = latest.flatMap(({ version }) => (isTombstone(version) ? [version] : []));
  const named = findId(
    [...tombstones, ...lessonsIn(removed)].map((version: Version) => version.id),
    id,
  );
  if ("none" in named && named.none === "no reference") throw namesNothing(id, named.none);
  await noteMemory(context, snapshot);
  const shown = "lines" in found ? found.lines : [];
  const gone = removedOf(shown[0]?.version.id ?? ("id" in named ? named.id : ""), removed);
  const lines = [...shown, ...lessonsIn(gone).map(toLine)];
  // Of a lesson that went elsewhere nothing is here to compare with.
  if (lines.length > 0 && !mayMean(id, lines)) throw namesNothing(id, "changed");
  if ("lines" in found) {
    const versions = found.lines.map(({ version }) => version);
    if (options.json) return terminal.print(json(versions));
    const gone = await goneNames(versions, project.folder);
    for (const entry of found.lines) {
      terminal.print(whole(entry, snapshot, removed, terminal.page, spelt));
      const aged = namesGone(gone.get(entry.version.id) ?? []);
      for (const row of factRows({ aged: safeLine(aged) }, terminal.page)) terminal.print(row);
    }
    return;
  }
  if (found.none === "ambiguous" || "none" in named)
    throw namesNothing(id, "none" in named && found.none !== "ambiguous" ? named.none : found.none);
  const tombstone = tombstones.find((version) => version.id === named.id);
  if (options.json) return terminal.print(json(gone));
  if (tombstone) terminal.print(buried(tombstone, terminal.page));
  if (gone.length === 0) return;
  terminal.note("Not in the memory any more; restore brings it back.");
  terminal.print(olderVersions(gone, removed, terminal.page).join("\n"));
}

/** What a tombstone says. A purge leaves its own word where `forget` keeps the reason that somebody gave. */
function buried({ id, meta }: Tombstone, page: Page): string {
  const facts = {
    forgotten: safeLine(meta.created) || "unknown",
    reason: safeLine(meta.reason ?? ""),
  };
  return [page.colours.yellow(id), ...factRows(facts, page)].join("\n");
}

function whole(
  entry: LessonLine,
  snapshot: Snapshot,
  removed: readonly Removed[],
  page: Page,
  spelt: Spell,
): string {
  const { version } = entry;
  const { created, updated, compacted_at, from } = version.meta;
  const facts = {
    type: version.type,
    topic: safeLine(version.topic),
    created: safeLine(created) || "unknown",
    updated: safeLine(updated ?? ""),
    compacted: safeLine(String(compacted_at ?? "")),
    moment: from === undefined ? "" : spelt(`sentinel-memory sessions show ${safeLine(from)}`),
    met: timesMet(version) > 1 ? `${timesMet(version)} times` : "",
    reference: new References(snapshot).full(entry),
  };
  const older = olderVersions(removedOf(version.id, removed), removed, page);
  return [
    page.colours.yellow(version.id),
    ...factRows(facts, page),
    ...texts(version),
    ...alsoRows(version, entry.also),
    ...sources(entry, snapshot, removed, page),
    ...titled("older versions in the trash of this machine", older, page),
  ].join("\n");
}

/** The lessons that this one stands for, with their texts where this machine still has them. */
function sources(
  { version }: LessonLine,
  snapshot: Snapshot,
  removed: readonly Removed[],
  page: Page,
): string[] {
  const rows = Object.entries(version.meta.sources ?? {}).map(([id, revision]) => {
    const now = snapshot.shown(id)[0];
    if (now)
      return `  ${inShort(now.version, page)} (${isOlderThan(now, revision) ? "back in the memory" : "met again since"})`;
    const was = removedOf(id, removed)[0]?.lesson;
    return was
      ? `  ${inShort(was, page)}`
      : `  ${safeLine(id).slice(0, 8)}  ${safeLine(revision)} (its text is not on this machine)`;
  });
  return titled(version.type === "principle" ? "made from" : "in place of", rows, page);
}

function removedOf(id: string, removed: readonly Removed[]): Removed[] {
  return removed.filter(({ lesson }) => lesson.id === id);
}

/** With the reference by which restore brings each back. @param gone those of a lesson. @param removed all, among which a reference has to be the only one. */
function olderVersions(
  gone: readonly Removed[],
  removed: readonly Removed[],
  page: Page,
): string[] {
  const all = lessonsIn(removed);
  return gone.flatMap((entry) => {
    const { lesson } = entry;
    const went = page.colours.dim(safeLine(whenAndWhy(entry)));
    const reference = page.colours.yellow(safeLine(versionReference(lesson, all)));
    return [`  ${went}  ${reference}  ${safeLine(lesson.topic)}`, ...texts(lesson)];
  });
}

function titled(title: string, rows: readonly string[], { colours }: Page): string[] {
  return rows.length === 0 ? [] : ["", colours.bold(title), ...rows];
}
