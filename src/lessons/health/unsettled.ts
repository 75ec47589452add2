/** Finds what a later save settles: lines without an id, one gap under two ids, and two versions of which neither knew the other. */
import { plural } from "../../ground/core/text.ts";
import type { VersionLine } from "../format/file-lines.ts";
import { isTombstone } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import { sameGaps } from "../queries/compaction.ts";
import { type Finding, finding, findingOn } from "./finding.ts";
import { numbersOf, type PlacedVersion } from "./lessons.ts";

/** Lines that somebody wrote by hand without an id. */
export function examineAdopted(placed: readonly PlacedVersion[]): Finding[] {
  const lines = placed.filter(({ bare }) => bare !== undefined).flatMap(({ numbers }) => numbers);
  const what = `${plural(lines.length, "line")} without an id, read as lessons.`;
  return findingOn("no_id", lines, what, "Nothing to do: the next save gives each its id.");
}

/** One gap under two ids. */
export function examineSameGaps(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  return sameGaps(snapshot.lessons()).map((lines) => {
    const ids = lines.map(({ version }) => version.id).join(", ");
    const what = `${ids} are the same gap, written differently, as after a merge.`;
    return finding(
      "same_gap",
      placesOf(lines, placed),
      what,
      "Nothing to do: the next compaction joins them.",
    );
  });
}

/** Lessons that two branches changed differently, or that one changed and the other forgot. */
export function examineConflicts(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  return snapshot.lessons().flatMap((line) => {
    if (!line.also) return [];
    const { id } = line.version;
    const forgotten = line.also.some(({ version }) => isTombstone(version));
    const what = `${id} was ${forgotten ? "forgotten where another change of it" : "changed where another change"} was not known; answers say both.`;
    const fix = `Read it with sentinel-memory show ${id.slice(0, 8)}, then edit, log or forget it: that settles it.`;
    return [finding("in_conflict", placesOf([line, ...line.also], placed), what, fix)];
  });
}

function placesOf(lines: readonly VersionLine[], placed: readonly PlacedVersion[]): number[] {
  const raws = new Set(lines.map(({ raw }) => raw));
  return numbersOf(placed.filter(({ raw }) => raws.has(raw)));
}
