/** Secrets that were broken over lines: by a wrapped mail, a quoted log, a shell continuation. */

import { merge, type Span, touching } from "../span.ts";
import { isDigest, looksRandom } from "../values/shape.ts";

/** Kinds that the words around them identify: across a line break those words prove nothing. */
const GUESSES: ReadonlySet<string> = new Set([
  "password",
  "secret",
  "token",
  "api-key",
  "session-cookie",
  "authorization",
]);

/** The secrets that show once broken tokens are put together. @param found in the text as it is. @param shown then, with all their lines. */
export function acrossLines(text: string, found: readonly Span[], shown: readonly Span[]): Span[] {
  const isKnown = touching(merge(found));
  return shown.flatMap((span) => {
    const known = isKnown(span.start, span.end);
    const lines = text.slice(span.start, span.end).split("\n");
    const own = known ? continuation(lines) : GUESSES.has(span.kind) ? [] : wholeShape(lines);
    return own.length > 1 ? [{ ...span, end: span.start + own.join("\n").length }] : [];
  });
}

/** The first line was found as well: each further line must look random, or the next word would be eaten. */
function continuation(lines: readonly string[]): readonly string[] {
  const stop = lines.findIndex((line, i) => i > 0 && !looksGenerated(line));
  return stop < 0 ? lines : lines.slice(0, stop);
}

/** Only the whole is a token: it may have run into one word of the next line. */
function wholeShape(lines: readonly string[]): readonly string[] {
  const isOwn = (line = "") => /\d/.test(line) || looksGenerated(line);
  const own = isOwn(lines.at(-1)) ? lines : lines.slice(0, -1);
  return isOwn(own.at(-1)) ? own : [];
}

function looksGenerated(line: string): boolean {
  const piece = line.replace(/^[^A-Za-z0-9]+/, "");
  return looksRandom(piece, 6) && !(isDigest(piece) && [32, 40, 64].includes(piece.length)); // a commit on its own line
}
