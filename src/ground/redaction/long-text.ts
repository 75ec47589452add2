/** Texts of any length, redacted in pieces, within a time, and cut only afterwards: no pattern recognises a secret that is cut in two. */
import { finish, type Steps } from "../core/steps.ts";
import { type RedactedText, type Redaction, redactWithin } from "./redact.ts";

/** Characters of a piece; how far it looks into its neighbours, which is longer than a private key. */
const PIECE = 262_144;
const OVERLAP = 16_384;
/** Stands for all that was not read in time. */
const UNREAD = "[NOT STORED: not checked for secrets in time]";

export interface LongRedaction extends Redaction {
  /** Characters that were not read in time, and are not in the text. */
  readonly unread: number;
  readonly tookMs: number;
}

/** How long the work may take, by a clock in milliseconds. Time between two of its steps is not a part of it: there others work. */
const NO_LIMIT = { now: (): number => 0, ms: 1 };

/** All of `redactLongInSteps` at once. */
export const redactLong = (text: string, limit = NO_LIMIT): LongRedaction =>
  finish(redactLongInSteps(text, limit));

/** Redacts a text in pieces. A note stands for what is not read to its end in time: never the raw text. */
export function* redactLongInSteps(
  text: string,
  { now, ms }: typeof NO_LIMIT,
): Steps<LongRedaction> {
  const counts = new Map<string, number>();
  const parts: string[] = [];
  let tookMs = 0;
  let from = 0;
  while (from < text.length) {
    const to = endOfPiece(text, from);
    // Read together with the end of the one before and the beginning of the next.
    const start = Math.max(0, from - OVERLAP);
    const work = redactWithin(text.slice(start, to + OVERLAP), from - start, to - start);
    let piece: Redaction | undefined;
    while (piece === undefined && tookMs < ms) {
      const began = now();
      const { done, value } = work.next();
      tookMs += now() - began;
      if (done) piece = value;
      else yield;
    }
    parts.push(piece?.text ?? UNREAD);
    if (!piece) break;
    for (const { kind, count } of piece.findings) counts.set(kind, (counts.get(kind) ?? 0) + count);
    from = to;
  }
  const findings = [...counts].map(([kind, count]) => ({ kind, count }));
  return { text: parts.join("") as RedactedText, findings, unread: text.length - from, tookMs };
}

/** At the end of a line where there is one, so that most secrets lie in one piece. */
function endOfPiece(text: string, from: number): number {
  if (text.length - from <= PIECE + OVERLAP) return text.length;
  const line = text.slice(from + PIECE - OVERLAP, from + PIECE).lastIndexOf("\n");
  return line < 0 ? from + PIECE : from + PIECE - OVERLAP + line + 1;
}
