/** Finds what a later save settles: lines without an id, one gap under two ids, and two versions of which neither knew the other. */
import { plural } from "../../ground/core/text.ts";
import type { VersionLine } from "../format/file-lines.ts";
import { isTombstone } from "../format/lesson.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import { sameGaps } from "../queries/same-gaps.ts";
import type { Finding } from "./finding.ts";
import type { PlacedVersion } from "./lessons.ts";

/** Lines that somebody wrote by hand without an id. */
export function examineAdopted(placed: readonly PlacedVersion[]): Finding[] {
  const lines = placed.filter(({ bare }) => bare !== undefined).flatMap(({ numbers }) => numbers);
  if (lines.length === 0) return [];
  return [
    {
      code: "no_id",
      level: "note",
      what: `${plural(lines.length, "line")} without an id, read as lessons all the same.`,
      lines,
      fix: "Nothing to do: the next save gives each its id.",
    },
  ];
}

/** One gap under two ids. */
export function examineSameGaps(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  return sameGaps(snapshot.lessons()).map((lines) => ({
    code: "same_gap",
    level: "note",
    what: `${lines.map(({ version }) => version.id).join(", ")} are the same gap, written differently, as after a merge.`,
    lines: numbersOf(lines, placed),
    fix: "Nothing to do: the next compaction joins them.",
  }));
}

/** Lessons that two branches changed differently, or that one changed and the other forgot. */
export function examineConflicts(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  return snapshot.lessons().flatMap((line): Finding[] => {
    if (!line.also) return [];
    const forgotten = line.also.some(({ version }) => isTombstone(version));
    return [
      {
        code: "in_conflict",
        level: "warning",
        what: `${line.version.id} was ${forgotten ? "forgotten where another change of it" : "changed where another change"} was not known; answers say both.`,
        lines: numbersOf([line, ...line.also], placed),
        fix: `Read it with sentinel-memory show ${line.version.id.slice(0, 8)}, then edit, log or forget it: that settles it.`,
      },
    ];
  });
}

function numbersOf(lines: readonly VersionLine[], placed: readonly PlacedVersion[]): number[] {
  const raws = new Set(lines.map(({ raw }) => raw));
  return placed.flatMap(({ raw, numbers }) => (raws.has(raw) ? numbers : [])).sort((a, b) => a - b);
}
