/** How bad each finding is. broken: nothing a team should merge; warning: reads, but not as it should; note: good to know. */
const LEVELS = {
  not_utf8: "broken",
  lfs_pointer: "broken",
  unreadable_line: "broken",
  conflict_marker: "broken",
  conflict_copy: "warning",
  byte_order_mark: "note",
  carriage_return: "note",
  missing_newline: "note",
  blank_line: "note",
  repeated_line: "note",
  several_versions: "note",
  in_conflict: "warning",
  no_id: "note",
  same_gap: "note",
  hidden_in_a_circle: "warning",
  id_mismatch: "warning",
  over_limit: "warning",
  unreadable_date: "warning",
  secret: "broken",
  own_word: "broken",
  over_budget: "note",
  compaction_due: "warning",
} as const;

export type FindingCode = keyof typeof LEVELS;

/** A finding holds ids, names and figures and no stored text, so it can be shown anywhere: of a secret only its kind. */
export type Finding = Readonly<ReturnType<typeof finding>>;

/** @param code stable, to match on. @param lines where in the file, from 1, in order; empty for what is true of the whole file. */
export function finding(code: FindingCode, lines: readonly number[], what: string, fix: string) {
  return { code, level: LEVELS[code], what, lines, fix };
}

/** The finding on some lines, as a list; an empty one where there are none. */
export function findingOn(...[code, lines, what, fix]: Parameters<typeof finding>): Finding[] {
  return lines.length === 0 ? [] : [finding(code, lines, what, fix)];
}

/** Line numbers as people write them: "3, 7-9". */
export function lineRanges(lines: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const line of lines) {
    const range = ranges.at(-1);
    if (range && line === range[1] + 1) range[1] = line;
    else ranges.push([line, line]);
  }
  return ranges
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
    .join(", ");
}
