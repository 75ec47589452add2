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

/** The range of pieces that has room and the rarest terms, each once; one piece at least. */
function bestRange(pieces: readonly string[], terms: ReadonlySet<string>, room: number): [number, number] {
  const found = pieces.map((piece) => termsOfPiece(piece).filter((term) => terms.has(term)));
  const holding = new Map<string, number>();
  for (const term of found.flat()) holding.set(term, (holding.get(term) ?? 0) + 1);
  const within = new Map<string, number>();
  let best: [number, number] = [0, 1];
  let bestWorth = -1;
  let [length, worth, from] = [0, 0, 0];
  const count = (at: number, by: 1 | -1) => {
    length += by * (pieces[at] as string).length;
    for (const term of found[at] as readonly string[]) {
      const before = within.get(term) ?? 0;
      within.set(term, before + by);
      if (before + by === (by > 0 ? 1 : 0)) worth += by / (holding.get(term) ?? 1);
    }
  };
  for (const at of pieces.keys()) {
    count(at, 1);
    while (length > room && from < at) count(from++, -1);
    if (worth > bestWorth + ROUNDING) [best, bestWorth] = [[from, at + 1], worth];
  }
  return growing(pieces, best, room);
}

/** Sums of shares differ by less where they are the same. */
const ROUNDING = 1e-9;

/** The best range may have room left: what stands around it is shown, too, on both sides. */
function growing(pieces: readonly string[], [first, end]: [number, number], room: number): [number, number] {
  let left = room - pieces.slice(first, end).join("").length;
  let [from, to] = [first, end];
  for (let grows = true; grows; ) {
    const [before, after] = [pieces[from - 1], pieces[to]];
    grows = false;
    if (after !== undefined && after.length <= left) {
      left -= after.length;
      to++;
      grows = true;
    }
    if (before !== undefined && before.length <= left) {
      left -= before.length;
      from--;
      grows = true;
    }
  }
  return [from, to];
}
