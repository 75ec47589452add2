/** Cuts a long text to the part that matches a query best. Pure. */
import { memoize } from "../../../ground/core/memoize.ts";
import { estimateTokens } from "../../../ground/core/tokens.ts";
import { rarestRun } from "../../../ground/search/rarest-run.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";

/** The most characters of a piece. A longer line becomes several pieces, and no character is split. */
const PIECE = 160;
const PIECES = new RegExp(String.raw`[^\n]{1,${PIECE}}\n?|\n`, "gu");
const PIECES_KEPT = 5_000;

/** The run of pieces with the rarest terms that fits, with an ellipsis at each cut. */
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

/** Cached, because successive bundles show passages of the same texts. */
const termsOfPiece = memoize(
  (piece): readonly string[] => [...new Set(tokenize(piece))],
  PIECES_KEPT,
);
