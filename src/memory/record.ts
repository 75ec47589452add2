/**
 * What a record is: its shape on disk and in memory.
 *
 * A *version* is one line of the memory file that reads as a record. Several versions of one id may stand in a file
 * (a merge brings them together); the fold decides which one shows.
 */

/** Fields every version carries in `meta`; unknown ones are kept. Timestamps are ISO 8601. */
export interface Meta {
  readonly created: string;
  readonly updated?: string;
  /** How often this gap was met; absent means once. */
  readonly count?: number;
  readonly compacted_at?: string;
  readonly source_count?: number;
  /** What a principle or a tombstone stands for: id -> the highest revision it covers. */
  readonly sources?: Readonly<Record<string, string>>;
  readonly reason?: string;
  readonly [unknown: string]: unknown;
}

/** A lesson: one gap, or the principle that several gaps were compacted into. */
export interface Lesson {
  readonly id: string;
  readonly type: "log" | "principle";
  readonly topic: string;
  /** Empty for a principle. */
  readonly missing_context: string;
  readonly lesson: string;
  readonly ask_next_time?: string;
  readonly meta: Meta;
}
