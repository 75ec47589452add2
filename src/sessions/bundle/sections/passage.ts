/** The part of a text that says most about a query, where the whole takes too much room. Pure. */
import { memoize } from "../../../ground/core/memoize.ts";
import { estimateTokens } from "../../../ground/core/tokens.ts";
import { rarestRun } from "../../../ground/search/rarest-run.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";

/** Characters of a piece; a longer line is several. No piece ends inside a character. */
const PIECE = 160;
const PIECES = new RegExp(String.raw`[^\n]{1,${PIECE}}\n?|\n`, "gu");
const PIECES_KEPT = 5_000;

/** As many pieces in a row as fit, with the rarest of the terms; with an ellipsis where it was cut. */
export function passage(text: string, terms: ReadonlySet<string>, mostTokens: number): string {
  const tokens = estimateTokens(text);
  if (tokens <= mostTokens) return text;
  const room = Math.floor((mostTokens * text.length) / tokens);
  const pieces = text.match(PIECES) ?? [text];
  const [first, end] = rarestRun(
    pieces.map((piece) => ({
      size: piece.length,
      terms: termsOfPiece(piece).filter((term) => terms.has(term)),
    })),
    room,
  );
  const shown = pieces.slice(first, end).join("").trimEnd();
  return `${first > 0 ? "… " : ""}${shown}${end < pieces.length ? " …" : ""}`;
}

/** Each, once. One bundle after another shows passages of the same texts. */
const termsOfPiece = memoize(
  (piece): readonly string[] => [...new Set(tokenize(piece))],
  PIECES_KEPT,
);
