/** Examines the bytes of a memory file for `check` and `doctor`, because people also edit and merge it by hand. */
import { basename, dirname, extname } from "node:path";
import { groupBy } from "../../ground/core/collections.ts";
import { plural } from "../../ground/core/text.ts";
import { quoted } from "../../ground/files/paths.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { adopt } from "../changes/import.ts";
import {
  type FileLine,
  fileLines,
  parseFile,
  SEVERAL_RECORDS,
  type UnrecognisedLine,
  type VersionLine,
  whyUnreadable,
} from "../format/file-lines.ts";
import { instantOf, OLDEST } from "../format/lesson.ts";
import { fold, type Snapshot } from "../merge/versions.ts";
import { compactionDue, sameGaps } from "../queries/compaction.ts";
import { type Finding, finding, findingOn, type PlacedVersion } from "./finding.ts";
import { examineHidden } from "./hidden.ts";

/** Examines any bytes. @returns the lessons, and the findings, the worst first, then in the order of the lines. */
export function examine(
  bytes: Buffer,
  words: OwnWords,
): { readonly snapshot: Snapshot; readonly findings: readonly Finding[] } {
  const problem = whyUnreadable(bytes);
  if (problem) {
    const found = finding(problem.id, [], `The file ${problem.what}`, problem.fix);
    return { snapshot: fold([]), findings: [found] };
  }
  const lines = fileLines(bytes);
  const parsed = adopt(parseFile(bytes), words);
  const snapshot = fold(parsed.versions);
  const byRaw = groupBy(lines, ({ raw }) => raw);
  const placed = parsed.versions.map((line): PlacedVersion => {
    const same = byRaw.get(line.bare ?? line.raw) ?? [];
    return { ...line, numbers: same.map(({ number }) => number) };
  });
  const findings = [
    ...examineStructure(lines, parsed.unrecognised),
    ...examineHidden(placed, parsed.unrecognised, words),
    ...placed.flatMap(examineDates),
    ...examineAdopted(placed),
    ...examineSameGaps(snapshot, placed),
    ...examineConflicts(snapshot, placed),
  ];
  return { snapshot, findings: findings.sort(worstFirst) };
}

const LEVELS = ["broken", "warning", "note"];

function worstFirst(a: Finding, b: Finding): number {
  return LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) || (a.lines[0] ?? 0) - (b.lines[0] ?? 0);
}

/** Whether a compaction is due. @param threshold in lessons. */
export function examineSize(snapshot: Snapshot, threshold: number): Finding[] {
  if (!compactionDue(snapshot, threshold)) {
    return [];
  }
  const what = `A compaction is due: ${plural(snapshot.count, "lesson")}, over the threshold of ${threshold}.`;
  const fix =
    "Ask your agent to compact the memory: it is shown what would be grouped, and words the principles.";
  return [finding("compaction_due", [], what, fix)];
}

/**
 * Finds copies next to a memory. Dropbox, Syncthing and similar programs create one if two machines changed the file, and the product
 * doesn't read it. @param file from the project's folder. @param names in the memory's folder.
 */
export function examineCopies(file: string, names: readonly string[]): Finding[] {
  const extension = extname(file);
  const own = basename(file);
  const stem = basename(file, extension);
  const copies = names.filter(
    (name) => name !== own && name.startsWith(stem) && name.endsWith(extension),
  );
  return copies.map((name) => {
    const path = `${dirname(file)}/${name}`.replaceAll("\\", "/");
    const what = `${path} looks like a copy of the memory that a file sync left; no answer contains its lessons.`;
    const fix = `sentinel-memory import ${quoted(path)}, then delete the copy.`;
    return finding("conflict_copy", [], what, fix);
  });
}

/** Lines that are not lessons, and conflict markers. */
function examineStructure(
  lines: readonly FileLine[],
  unrecognised: readonly UnrecognisedLine[],
): Finding[] {
  const markers = lines.filter(({ kind }) => kind === "conflict marker");
  const reasons = groupBy(unrecognised, ({ reason }) => reason);
  const unfinished = `A merge was left unfinished: ${plural(markers.length, "conflict marker")}.`;
  const keepBoth =
    "Delete the marker lines and keep the lessons of both sides: reading sorts out which of them count.";
  const unread = [...reasons].flatMap(([reason, unreadable]) => {
    const what = `${plural(unreadable.length, "line")} cannot be read as a lesson: ${reason}.`;
    const fix =
      reason === SEVERAL_RECORDS
        ? "Put a line break between them."
        : "Correct or delete it. git log -p of the file shows earlier versions.";
    return findingOn("unreadable_line", numbersOf(unreadable), what, fix);
  });
  return [...findingOn("conflict_marker", numbersOf(markers), unfinished, keepBoth), ...unread];
}

const numbersOf = (lines: readonly { readonly number: number }[]): number[] =>
  lines.map(({ number }) => number);

/** The lines of some versions, in order. */
function linesOf(placed: readonly PlacedVersion[]): number[] {
  return placed.flatMap(({ numbers }) => numbers).sort((a, b) => a - b);
}

/** Lines that were written by hand without an id. */
function examineAdopted(placed: readonly PlacedVersion[]): Finding[] {
  const lines = linesOf(placed.filter(({ bare }) => bare !== undefined));
  const what = `${plural(lines.length, "line")} without an id, read as lessons.`;
  return findingOn("no_id", lines, what, "Nothing to do: the next save gives each its id.");
}

/** One gap under two ids. */
function examineSameGaps(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  return sameGaps(snapshot.lessons()).map((same) => {
    const ids = same.map(({ version }) => version.id).join(", ");
    const what = `${ids} are the same gap, written differently, as after a merge.`;
    const fix = "Nothing to do: the next compaction joins them.";
    return finding("same_gap", placesOf(same, placed), what, fix);
  });
}

/** Lessons that two branches changed differently, or that one changed and the other forgot. */
function examineConflicts(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  const found: Finding[] = [];
  for (const line of snapshot.lessons()) {
    if (!line.also) {
      continue;
    }
    const { id } = line.version;
    const what = `${id} was changed or forgotten on two branches at once. Answers say both.`;
    const fix = `Read it with sentinel-memory show ${id.slice(0, 8)}, then edit, log or forget it: that settles it.`;
    found.push(finding("in_conflict", placesOf([line, ...line.also], placed), what, fix));
  }
  return found;
}

function placesOf(lines: readonly VersionLine[], placed: readonly PlacedVersion[]): number[] {
  const raws = new Set(lines.map(({ raw }) => raw));
  return linesOf(placed.filter(({ raw }) => raws.has(raw)));
}

/** Dates of a version that can't be read. */
function examineDates({ version, numbers }: PlacedVersion): Finding[] {
  const { id, meta } = version;
  const { created, updated, compacted_at } = meta;
  const dates: Record<string, string | undefined> = { created, updated, compacted_at };
  for (const [source, date] of Object.entries(meta.sources ?? {})) {
    dates[`sources.${source}`] = date;
  }
  const names: string[] = [];
  for (const [name, date] of Object.entries(dates)) {
    if (date !== undefined && date !== "" && instantOf(date) === OLDEST) {
      names.push(`meta.${name}`);
    }
  }
  if (names.length === 0) {
    return [];
  }
  const what = `${id} has no readable date in ${names.join(", ")}, so it counts as the oldest.`;
  return [finding("unreadable_date", numbers, what, 'Write it like "2026-02-27T10:30:00.000Z".')];
}
