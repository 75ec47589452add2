/** The part of a text that says most about a query, where the whole takes too much room. Pure. */
import { remembering } from "../../ground/core/remembering.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";

/** Characters of a piece; a longer line is several. No piece ends inside a character. */
const PIECE = 160;
const PIECES = new RegExp(String.raw`[^\n]{1,${PIECE}}\n?|\n`, "gu");
const PIECES_KEPT = 5_000;
/** A text that is far too long is measured by its beginning. */
const SAMPLE = 2_000;
/** A token has this many characters at most, on average. */
const MOST_CHARACTERS_PER_TOKEN = 6;

/** As many pieces in a row as fit, with as many of the terms as possible; with an ellipsis where it was cut. */
export function passage(text: string, terms: ReadonlySet<string>, mostTokens: number): string {
  const sample = text.length <= mostTokens * MOST_CHARACTERS_PER_TOKEN ? text : text.slice(0, SAMPLE);
  const tokens = estimateTokens(sample);
  if (sample === text && tokens <= mostTokens) return text;
  const room = Math.floor((mostTokens * sample.length) / tokens);
  const pieces = text.match(PIECES) ?? [text];
  const [first, end] = bestRange(pieces, terms, room);
  const shown = pieces.slice(first, end).join("").trimEnd();
  return `${first > 0 ? "… " : ""}${shown}${end < pieces.length ? " …" : ""}`;
}

/** About how many tokens the passage of a text has at the least; most have more. */
export function leastTokensOf(text: string, mostTokens: number): number {
  return Math.floor(Math.min(text.length / MOST_CHARACTERS_PER_TOKEN, mostTokens / 2));
}

/** Each, once. One bundle after another shows passages of the same texts. */
const termsOfPiece = remembering((piece): readonly string[] => [...new Set(tokenize(piece))], PIECES_KEPT);

/** The range of pieces that has room and most terms; of equal ones the first; one piece at least. */
function bestRange(pieces: readonly string[], terms: ReadonlySet<string>, room: number): [number, number] {
  const worths = pieces.map((piece) => termsOfPiece(piece).filter((term) => terms.has(term)).length);
  let best: [number, number] = [0, 1];
  let bestWorth = -1;
  let [length, worth, from] = [0, 0, 0];
  for (const [at, piece] of pieces.entries()) {
    length += piece.length;
    worth += worths[at] as number;
    while (length > room && from < at) {
      length -= (pieces[from] as string).length;
      worth -= worths[from] as number;
      from++;
    }
    if (worth > bestWorth) [best, bestWorth] = [[from, at + 1], worth];
  }
  return growing(pieces, best, room);
}

/** The best range may have room left: what follows it is shown, too. */
function growing(pieces: readonly string[], [first, end]: [number, number], room: number): [number, number] {
  let length = pieces.slice(first, end).join("").length;
  let last = end;
  while (last < pieces.length && length + (pieces[last] as string).length <= room) {
    length += (pieces[last] as string).length;
    last++;
  }
  return [first, last];
}
