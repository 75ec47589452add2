/** Shows a whole lesson. For a forgotten or purged one, shows when and why, and the texts that this machine still has. */
import { type Page, safeLine } from "../../ground/terminal/layout.ts";
import type { Spell } from "../../ground/terminal/shell.ts";
import { isOlderThan } from "../changes/forget.ts";
import { toLine } from "../format/file-lines.ts";
import { isTombstone, type Lesson, timesMet } from "../format/lesson.ts";
import { goneNames, namesGone } from "../history/gone-names.ts";
import { lessonsIn, type Removed } from "../jsonl/trash.ts";
import { type LessonLine, latestFirst, type Snapshot, sourcesOf } from "../merge/versions.ts";
import {
  findId,
  findLesson,
  mayMean,
  namesNothing,
  References,
  versionReference,
} from "../queries/references.ts";
import {
  type AddLessonCommand,
  alsoRows,
  factRows,
  inShort,
  type LessonCommandContext,
  noteMemory,
  texts,
  whenAndWhy,
} from "../terminal/lessons.ts";

export const addShow: AddLessonCommand = (program, open) => {
  program
    .command("show")
    .description("show one lesson in full")
    .argument("<id>", "its id, or the first 6 or more digits")
    .option("--json", "print it as JSON")
    .action((id, options) => show(open(), id, options));
};

/** @throws SentinelError `not_found`, `bad_reference`. */
async function show(
  context: LessonCommandContext,
  name: string,
  options: { readonly json?: boolean },
): Promise<void> {
  const { lessons } = context;
  const snapshot = await lessons.read();
  const removed = await lessons.removed();
  const found = findLesson(snapshot, name);
  if ("none" in found && (found.none === "ambiguous" || found.none === "no reference")) {
    throw namesNothing(name, found.none);
  }
  await noteMemory(context, snapshot);
  if ("none" in found) {
    return showRemoved(context, name, snapshot, removed, options);
  }

  const { terminal, project, spelt } = context;
  const { version } = found.line;
  const older = lessonsIn(removedOf(version.id, removed));
  if (!mayMean(name, [found.line, ...older.map(toLine)])) {
    throw namesNothing(name, "changed");
  }
  if (options.json) {
    return terminal.printJson([version]);
  }
  const gone = await goneNames([version], project.folder);
  terminal.print(whole(found.line, snapshot, removed, terminal.page, spelt));
  const aged = namesGone(gone.get(version.id) ?? []);
  for (const row of factRows({ aged: safeLine(aged) }, terminal.page)) {
    terminal.print(row);
  }
}

/** Shows when and why a lesson was forgotten or purged, and the texts that this machine still has. */
async function showRemoved(
  { terminal }: LessonCommandContext,
  name: string,
  snapshot: Snapshot,
  removed: readonly Removed[],
  options: { readonly json?: boolean },
): Promise<void> {
  const lines = [...snapshot.lines()].sort(latestFirst);
  const tombstones = lines.map(({ version }) => version).filter(isTombstone);
  const ids = [...tombstones, ...lessonsIn(removed)].map(({ id }) => id);
  const named = findId(ids, name);
  if ("none" in named) {
    throw namesNothing(name, named.none);
  }
  const gone = removedOf(named.id, removed);
  // A full reference can't be checked without the text.
  if (gone.length > 0 && !mayMean(name, lessonsIn(gone).map(toLine))) {
    throw namesNothing(name, "changed");
  }
  if (options.json) {
    return terminal.printJson(gone);
  }
  const tombstone = tombstones.find(({ id }) => id === named.id);
  if (tombstone) {
    const { created, reason = "" } = tombstone.meta;
    const facts = { forgotten: safeLine(created) || "unknown", reason: safeLine(reason) };
    terminal.print(terminal.page.colours.yellow(tombstone.id));
    for (const row of factRows(facts, terminal.page)) {
      terminal.print(row);
    }
  }
  if (gone.length === 0) {
    return;
  }
  terminal.note("Not in the memory any more; restore brings it back.");
  terminal.print(olderVersions(gone, removed, terminal.page).join("\n"));
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
  const lines = [page.colours.yellow(version.id), ...factRows(facts, page)];
  lines.push(...texts(version), ...alsoRows(version, entry.also));
  const title = version.type === "principle" ? "made from" : "in place of";
  lines.push(...titled(title, sources(version, snapshot, removed, page), page));
  lines.push(...titled("older versions in the trash of this machine", older, page));
  return lines.join("\n");
}

/** Lists the lessons that this one replaced, with their texts if this machine still has them. */
function sources(
  version: Lesson,
  snapshot: Snapshot,
  removed: readonly Removed[],
  page: Page,
): string[] {
  return sourcesOf(version).map(([id, revision]) => {
    const now = snapshot.shown(id);
    const was = removedOf(id, removed)[0]?.lesson;
    if (now) {
      const since = isOlderThan(now, revision) ? "back in the memory" : "met again since";
      return `  ${inShort(now.version, page)} (${since})`;
    }
    if (was) {
      return `  ${inShort(was, page)}`;
    }
    return `  ${safeLine(id).slice(0, 8)}  ${safeLine(revision)} (its text is not on this machine)`;
  });
}

function removedOf(id: string, removed: readonly Removed[]): Removed[] {
  return removed.filter(({ lesson }) => lesson.id === id);
}

/** Lists older versions of a lesson, each with the reference for `restore`. @param gone the lesson's versions. @param removed all removed versions. References must be unique among them. */
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
