/**
 * Texts of any length, for what agents and tools print: redacted in pieces, with a deadline, and cut only afterwards.
 *
 * The order is the point. No pattern recognises a secret that is cut in two, so only a text that was redacted can be
 * cut: `cutRedacted` takes nothing else.
 */

import { DETECTORS, type RedactedText, type Redaction, redactWithin } from "./redact.ts";

/** Characters of a piece; how far it looks into its neighbours, which is longer than a private key. */
const PIECE = 262_144;
const OVERLAP = 16_384;
/** Replaces a piece that was not read in time. */
const UNREAD = "[NOT STORED: not checked for secrets in time]";

export interface LongRedaction extends Redaction {
  /** Characters that were not read before the deadline, and are not in the text. */
  readonly unread: number;
}

/** Milliseconds since any point in time, and when to stop by the same clock. */
export interface Deadline {
  readonly now: () => number;
  readonly at: number;
}

/** Redacts a text in pieces. A note replaces what is not read to its end before the deadline: never the raw text. */
export function redactLong(text: string, deadline?: Deadline): LongRedaction {
  const counts = new Map<string, number>();
  const parts: string[] = [];
  let from = 0;
  while (from < text.length) {
    const to = endOfPiece(text, from);
    const piece = redactPiece(text, from, to, deadline);
    parts.push(piece?.text ?? UNREAD);
    if (!piece) break;
    for (const { kind, count } of piece.findings) counts.set(kind, (counts.get(kind) ?? 0) + count);
    from = to;
  }
  const findings = [...counts].map(([kind, count]) => ({ kind, count }));
  return { text: parts.join("") as RedactedText, findings, unread: text.length - from };
}

/** One piece, read together with the end of the one before and the beginning of the next; undefined when time runs out. */
function redactPiece(text: string, from: number, to: number, deadline?: Deadline): Redaction | undefined {
  const start = Math.max(0, from - OVERLAP);
  const end = Math.min(text.length, to + OVERLAP);
  const check = () => {
    if (deadline && deadline.now() >= deadline.at) throw new OutOfTime();
  };
  try {
    return redactWithin(text.slice(start, end), from - start, to - start, { detectors: DETECTORS, check });
  } catch (error) {
    if (error instanceof OutOfTime) return undefined;
    throw error;
  }
}

class OutOfTime extends Error {}

/** At the end of a line where there is one, so that most secrets lie in one piece. */
function endOfPiece(text: string, from: number): number {
  if (text.length - from <= PIECE + OVERLAP) return text.length;
  const line = text.slice(from + PIECE - OVERLAP, from + PIECE).lastIndexOf("\n");
  return line < 0 ? from + PIECE : from + PIECE - OVERLAP + line + 1;
}
