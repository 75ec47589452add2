import { plural } from "../../ground/core/text.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";

/** What a tool found or did. */
export interface Answer {
  readonly text: string;
  /** The reading of the memory that the text speaks of. */
  readonly snapshot: Snapshot;
  /** What of the memory the text holds in full; absent where it is not about lessons. */
  readonly shown?: {
    readonly lines: readonly LessonLine[];
    /** In how many groups of a compaction they stand. */
    readonly groups?: number;
  };
  /** The lesson that the caller wrote, and so knows. */
  readonly written?: LessonLine;
  /** That a compaction is due; searches say it once in a conversation. */
  readonly remark?: string;
}

/** The key of `_meta` under which a result of a tool carries its `MemoryRead`. */
export const MEMORY_META = "sentinel-memory/memory";

/** Which memory answered, and in which state: for programs, which would otherwise have to parse the receipt. */
export type MemoryRead = ReturnType<typeof memoryRead>;

/** What programs get of a reading. @param location of the memory. */
export function memoryRead(snapshot: Snapshot, location: string) {
  const newest = snapshot
    .lines()
    .reduce((latest, { instant }) => Math.max(latest, instant), Number.NEGATIVE_INFINITY);
  return {
    location,
    /** How many lessons show. */
    records: snapshot.count,
    /** The newest of all versions, tombstones included; absent where none is valid. Nearly every change makes a newer one. */
    ...(Number.isFinite(newest) && { revision: new Date(newest).toISOString() }),
  };
}

/** The whole text of an answer: what the tool said, the notes, and a receipt that counts the tokens of all of it. */
export function withReceipt(answer: Answer, notes: readonly string[], memory: MemoryRead): string {
  const parts = [amountOf(answer.shown, memory.records), ...(answer.remark ? [answer.remark] : [])];
  return withTokens([answer.text, ...notes].join("\n"), parts);
}

/** A text with a receipt of its tokens, and of what comes before that figure. */
export function withTokens(body: string, before: readonly string[] = []): string {
  const whole = (tokens: number) =>
    `${body}\n\n[${[...before, `about ${tokens} tokens`].join(" | ")}]`;
  // The figure itself is a token or two, whatever it says.
  return whole(estimateTokens(whole(1_000)));
}

function amountOf(shown: Answer["shown"], count: number): string {
  const records = plural(count, "lesson");
  if (!shown) return records;
  if (shown.groups !== undefined) return `${plural(shown.groups, "group")}, ${records}`;
  return `${shown.lines.length} in full`;
}
