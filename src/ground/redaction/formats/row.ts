/**
 * A token format that a provider publishes: its kind, its shape, and where it is published (the provider's documentation, by its
 * short name).
 *
 * A shape is literal text with `{alphabet:count}` for the random part and `(a|b)` for a choice. Alphabets: d digits,
 * x hexadecimal, l lower case and digits, u upper case and digits, w letters and digits, v base64url, b base64,
 * p base64 of either sort with padding, t base64url and dots, c base64 that may be URL-encoded. A count is `36`, `20-30` or `20+`; the
 * last part of a shape ends at a word's end unless its count is open. Counts are the documented ones, or a little below where samples vary.
 *
 * The tables say what tokens look like and hold none; tests draw theirs from the shapes when they run.
 */
export type Row = readonly [kind: string, shape: string, source: string];
