/** @internal */
export type FindingCode =
  | "not_utf8"
  | "unreadable_line"
  | "conflict_marker"
  | "byte_order_mark"
  | "carriage_return"
  | "missing_newline"
  | "blank_line"
  | "repeated_line"
  | "several_versions"
  | "in_conflict"
  | "no_id"
  | "same_gap"
  | "hidden_in_a_circle"
  | "id_mismatch"
  | "over_limit"
  | "unreadable_date"
  | "purged_cue"
  | "secret"
  | "own_word"
  | "over_budget"
  | "compaction_due";

/**
 * One thing that was found. It holds no stored text, only ids, names and figures, so it can be shown anywhere: of a
 * secret only its kind.
 */
export interface Finding {
  /** Stable, to match on. */
  readonly code: FindingCode;
  /** broken: nothing a team should merge; warning: reads, but not as it should; note: good to know. */
  readonly level: "broken" | "warning" | "note";
  readonly what: string;
  /** Where in the file, from 1, in order; empty for what is true of the whole file. */
  readonly lines: readonly number[];
  readonly fix: string;
}

/** Line numbers as people write them: "3, 7-9". */
export function lineRanges(lines: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const line of lines) {
    const range = ranges.at(-1);
    if (range && line === range[1] + 1) range[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}
