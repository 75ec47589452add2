/** Cuts a long text to the part that matches a query best. */
import { estimateTokens } from "../src/ground/core/tokens.ts";
import { rarestRun } from "../src/ground/search/rarest-run.ts";
import { tokenize } from "../src/ground/search/tokenizer.ts";

/** Pieces of a line, each of at most 160 characters, without splitting a character. */
const PIECES = /[^\n]{1,160}\n?|\n/gu;

/** The run of pieces with the rarest terms that fits, with an ellipsis at each cut. */
export function passage(text: string, terms: ReadonlySet<string>, mostTokens: number): string {
  const tokens = estimateTokens(text);
  if (tokens <= mostTokens) return text;
  const pieces = (text.match(PIECES) ?? [text]).map((piece) => ({
    piece,
    size: piece.length,
    terms: [...new Set(tokenize(piece))].filter((term) => terms.has(term)),
  }));
  const [first, end] = rarestRun(pieces, Math.floor((mostTokens * text.length) / tokens));
  const shown = pieces.slice(first, end).map(({ piece }) => piece);
  return `${first > 0 ? "… " : ""}${shown.join("").trimEnd()}${end < pieces.length ? " …" : ""}`;
}
