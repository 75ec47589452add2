import type { VersionLine } from "../format/file-lines.ts";

/** The severity of each finding. Don't merge a broken memory. With a warning, the memory loads but doesn't work as intended. A note needs no action. */
const LEVELS = {
  not_utf8: "broken",
  lfs_pointer: "broken",
  unreadable_line: "broken",
  conflict_marker: "broken",
  conflict_copy: "warning",
  in_conflict: "warning",
  no_id: "note",
  same_gap: "note",
  unreadable_date: "warning",
  secret: "broken",
  own_word: "broken",
  compaction_due: "warning",
} as const;

export type FindingId = keyof typeof LEVELS;

/** Contains ids, names and figures but no stored text, so it can be shown anywhere. For a secret it contains only the kind. */
export interface Finding {
  /** Stable, so programs can match it. */
  readonly id: FindingId;
  readonly level: (typeof LEVELS)[FindingId];
  readonly what: string;
  /** Line numbers in the file, from 1, in order. Empty for the whole file. */
  readonly lines: readonly number[];
  readonly fix: string;
}

/** A version with the numbers of its lines. */
export interface PlacedVersion extends VersionLine {
  readonly numbers: readonly number[];
}

export function finding(
  id: FindingId,
  lines: readonly number[],
  what: string,
  fix: string,
): Finding {
  return { id, level: LEVELS[id], what, lines, fix };
}

/** The finding on some lines, as a list. Empty if there are no lines. */
export function findingOn(...[id, lines, what, fix]: Parameters<typeof finding>): Finding[] {
  return lines.length === 0 ? [] : [finding(id, lines, what, fix)];
}

/** Line numbers as people write them: "3, 7-9". */
export function lineRanges(lines: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const line of lines) {
    const range = ranges.at(-1);
    if (range && line === range[1] + 1) {
      range[1] = line;
    } else {
      ranges.push([line, line]);
    }
  }
  return ranges
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
    .join(", ");
}
