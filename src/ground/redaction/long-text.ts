/** Redacts texts of any length in pieces, within a time limit. */
import { type RedactedText, type Redaction, redactWithin } from "./redact.ts";

/** The length of a piece in characters. */
const PIECE = 262_144;
/** The characters of its neighbors that are read with a piece: longer than a private key. */
const OVERLAP = 16_384;
/** Replaces everything that wasn't read in time. */
const UNREAD = "[NOT STORED: not checked for secrets in time]";

export interface LongRedaction extends Redaction {
  /** The number of characters at the end that weren't read in time. They aren't in the text. */
  readonly unread: number;
  readonly tookMs: number;
}

export interface TimeLimit {
  /** A clock in milliseconds. */
  readonly now: () => number;
  readonly ms: number;
}
const NO_LIMIT: TimeLimit = { now: () => 0, ms: 1 };

/** Redacts a text in pieces. No piece starts after the time is up: a note replaces the rest, never the raw text. */
export function redactLong(text: string, { now, ms }: TimeLimit = NO_LIMIT): LongRedaction {
  const counts = new Map<string, number>();
  let redacted = "";
  let tookMs = 0;
  let from = 0;
  while (from < text.length && tookMs < ms) {
    const began = now();
    const to = endOfPiece(text, from);
    const start = Math.max(0, from - OVERLAP);
    const piece = redactWithin(text.slice(start, to + OVERLAP), from - start, to - start);
    redacted += piece.text;
    for (const { kind, count } of piece.findings) {
      counts.set(kind, (counts.get(kind) ?? 0) + count);
    }
    from = to;
    tookMs += now() - began;
  }
  if (from < text.length) {
    redacted += UNREAD;
  }
  return {
    text: redacted as RedactedText,
    findings: Array.from(counts, ([kind, count]) => ({ kind, count })),
    unread: text.length - from,
    tookMs,
  };
}

/** Ends a piece at the end of a line if possible, so that most secrets are in one piece. */
function endOfPiece(text: string, from: number): number {
  if (text.length - from <= PIECE + OVERLAP) {
    return text.length;
  }
  const near = from + PIECE - OVERLAP;
  const lineEnd = text.slice(near, from + PIECE).lastIndexOf("\n");
  return lineEnd < 0 ? from + PIECE : near + lineEnd + 1;
}
