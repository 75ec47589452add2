/** Finds lessons that no save would have written, and those that a later save settles. */
import { plural } from "../../ground/core/text.ts";
import type { VersionLine } from "../format/file-lines.ts";
import { instantOf, isTombstone, OLDEST } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import { sameGaps } from "../queries/compaction.ts";
import { type Finding, finding, findingOn } from "./finding.ts";

/** A version with the numbers of its lines. */
export interface PlacedVersion extends VersionLine {
  readonly numbers: readonly number[];
}

/** The lines of some versions, in order. */
function numbersOf(placed: readonly PlacedVersion[]): number[] {
  return placed.flatMap(({ numbers }) => numbers).sort((a, b) => a - b);
}

/** Lines that were written by hand without an id. */
export function examineAdopted(placed: readonly PlacedVersion[]): Finding[] {
  const lines = numbersOf(placed.filter(({ bare }) => bare !== undefined));
  const what = `${plural(lines.length, "line")} without an id, read as lessons.`;
  return findingOn("no_id", lines, what, "Nothing to do: the next save gives each its id.");
}

/** One gap under two ids. */
export function examineSameGaps(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  return sameGaps(snapshot.lessons()).map((same) => {
    const ids = same.map(({ version }) => version.id).join(", ");
    const what = `${ids} are the same gap, written differently, as after a merge.`;
    const fix = "Nothing to do: the next compaction joins them.";
    return finding("same_gap", placesOf(same, placed), what, fix);
  });
}

/** Lessons that two branches changed differently, or that one changed and the other forgot. */
export function examineConflicts(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  const found: Finding[] = [];
  for (const line of snapshot.lessons()) {
    if (!line.also) continue;
    const { id } = line.version;
    const isForgotten = line.also.some(({ version }) => isTombstone(version));
    const change = isForgotten
      ? "forgotten where another change of it"
      : "changed where another change";
    const what = `${id} was ${change} was not known; answers say both.`;
    const fix = `Read it with sentinel-memory show ${id.slice(0, 8)}, then edit, log or forget it: that settles it.`;
    found.push(finding("in_conflict", placesOf([line, ...line.also], placed), what, fix));
  }
  return found;
}

function placesOf(lines: readonly VersionLine[], placed: readonly PlacedVersion[]): number[] {
  const raws = new Set(lines.map(({ raw }) => raw));
  return numbersOf(placed.filter(({ raw }) => raws.has(raw)));
}

/** Dates of a version that can't be read. */
export function examineDates({ version, numbers }: PlacedVersion): Finding[] {
  const { id, meta } = version;
  const { created, updated, compacted_at } = meta;
  const dates: Record<string, string | undefined> = { created, updated, compacted_at };
  for (const [source, date] of Object.entries(meta.sources ?? {}))
    dates[`sources.${source}`] = date;
  const names: string[] = [];
  for (const [name, date] of Object.entries(dates))
    if (date !== undefined && date !== "" && instantOf(date) === OLDEST) names.push(`meta.${name}`);
  if (names.length === 0) return [];
  const what = `${id} has no readable date in ${names.join(", ")}, so it counts as the oldest.`;
  return [finding("unreadable_date", numbers, what, 'Write it like "2026-02-27T10:30:00.000Z".')];
}
