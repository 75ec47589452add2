/**
 * The token formats that providers publish; `token-formats.json` lists them by trade. A row has the kind, the shape, and where the format is
 * published (the provider's documentation, by its short name).
 *
 * A shape is literal text with `{alphabet:count}` for the random part and `(a|b)` for a choice. Alphabets: d digits,
 * x hexadecimal, l lower case and digits, u upper case and digits, w letters and digits, v base64url, b base64,
 * p base64 of either sort with padding, t base64url and dots, c base64 that may be URL-encoded. A count is `36`, `20-30` or `20+`; the
 * last part of a shape ends at a word's end unless its count is open. Counts are the documented ones, or a little below where samples vary.
 *
 * The table says what tokens look like and holds none; tests draw theirs from the shapes when they run.
 */
import byTrade from "./token-formats.json" with { type: "json" };

type Row = readonly [kind: string, shape: string, source: string];

export const FORMATS = Object.values(byTrade)
  .flatMap((rows) => rows as unknown as Row[])
  .map(([kind, shape, source]) => ({ kind, shape, source }));
