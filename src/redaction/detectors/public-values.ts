/** Values that are random and meant to be shown: digests with their name, data URIs, entity tags, public halves of keys. */

import { matchesIn, type Span } from "../span.ts";

const VALUES =
  /\b(?:sha(?:1|224|256|384|512)[-:]|h1:|md5[-:])[A-Za-z0-9+/_-]{20,}={0,2}|\bdata:[\w.+/-]{3,60}(?:;[\w=-]{1,30}){0,3},[A-Za-z0-9+/=%_-]{16,}|\bW\/\\?"[^"\n]{4,100}"|\b(?:etag|if-none-match)["']?\s?[:=]\s?\\?["']?[^\s"',]{8,100}/gi;
/** The fields of a JWK that everybody may see. */
const JWK = /"(?:n|x|y|e|kid|x5t|x5t#S256)"\s?:\s?"[A-Za-z0-9_=-]{1,1400}"|"x5c"\s?:\s?\[[^\]]{0,9000}\]/g;

/** Where they stand: no detector guesses there. */
export function findPublicValues(text: string): Span[] {
  const patterns = text.includes('"kty"') ? [VALUES, JWK] : [VALUES];
  return patterns.flatMap((pattern) =>
    matchesIn(text, pattern).map(({ index, 0: value }) => ({
      start: index,
      end: index + value.length,
      kind: "public-value",
    })),
  );
}
