import { present } from "../../ground/core/text.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { OLDEST } from "../format/lesson.ts";
import type { LessonLine, Snapshot } from "../merge/versions.ts";

/** The result of a tool. */
export interface Answer {
  readonly text: string;
  /** The state of the memory that the text is based on. */
  readonly snapshot: Snapshot;
  /** The lessons in the text. Absent if the answer is not about lessons. */
  readonly shown?: {
    /** The lessons that the text has in full. */
    readonly lines: readonly LessonLine[];
    /** Whether lessons that the caller asked for are not in full. */
    readonly isPart: boolean;
  };
  /** The lesson that the caller just wrote, whose text it already has. */
  readonly written?: LessonLine;
  /** Advice for the user, with a command. The server writes the command as this user can run it. */
  readonly advice?: string;
  /** The note that a compaction is due. Searches add it once per conversation. */
  readonly remark?: string | undefined;
}

/** The key in a tool result's `_meta` for the state of the memory. */
export const MEMORY_META = "sentinel-memory/memory";

/** The state of the memory, for programs. */
interface MemoryRead {
  readonly location: string;
  /** How many lessons show. */
  readonly records: number;
  /** The newest revision of any version, including tombstones. Absent if no date is valid. Nearly every change raises it. */
  readonly revision?: string;
}

/** @param location of the memory. */
export function memoryRead(snapshot: Snapshot, location: string): MemoryRead {
  let newest = OLDEST;
  for (const { instant } of snapshot.lines()) {
    newest = Math.max(newest, instant);
  }
  const read = { location, records: snapshot.count };
  return newest === OLDEST ? read : { ...read, revision: new Date(newest).toISOString() };
}

/** The key in a tool result's `_meta` for its `Receipt`. */
export const RECEIPT_META = "sentinel-memory/receipt";

/** The size of an answer, for programs. */
export interface Receipt {
  /** Estimated, of the whole text. */
  readonly tokens: number;
  /** How many lessons the text has in full. */
  readonly in_full?: number;
}

/** The receipt of a text. */
export function receiptOf(text: string, shown?: Answer["shown"]): Receipt {
  return { tokens: estimateTokens(text), in_full: shown?.lines.length };
}

/** The whole text of an answer. It ends with its receipt only if it left something out, because a model pays for every line. */
export function withReceipt({ text, shown, remark }: Answer, notes: readonly string[]): string {
  const body = [text, ...notes].join("\n");
  if (shown?.isPart) {
    return withTokens(body, present(`${shown.lines.length} in full`, remark));
  }
  return remark ? `${body}\n\n[${remark}]` : body;
}

/** Appends a receipt to a text: the given parts, then the number of tokens. */
export function withTokens(body: string, before: readonly string[] = []): string {
  const whole = (tokens: number) => {
    const parts = [...before, `about ${tokens} tokens`];
    return `${body}\n\n[${parts.join(" | ")}]`;
  };
  // The figure itself takes one or two tokens, whatever its value.
  return whole(estimateTokens(whole(1_000)));
}
