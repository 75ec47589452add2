/** What a later save settles: lines without an id, and one gap under two ids. */
import { plural } from "../../ground/core/text.ts";
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
  const numbers = new Map(placed.map((line) => [line.raw, line.numbers]));
  return sameGaps(snapshot.lessons()).map((lines) => ({
    code: "same_gap",
    level: "note",
    what: `${lines.map(({ version }) => version.id).join(", ")} are the same gap, written differently, as after a merge.`,
    lines: lines.flatMap(({ raw }) => numbers.get(raw) ?? []).sort((a, b) => a - b),
    fix: "Nothing to do: the next compaction joins them.",
  }));
}
