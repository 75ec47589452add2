/** Values that are random and meant to be shown: digests with their name, data URIs, entity tags, public halves of keys. */

import { searchFrom } from "../search/literals.ts";
import { type Landmarks, matchesIn, type Span } from "../span.ts";

const values = searchFrom(
  ["sha", "h1:", "md5", "data:", "w/", "etag", "if-none-match"],
  /\b(?:sha(?:1|224|256|384|512)[-:]|h1:|md5[-:])[A-Za-z0-9+/_-]{20,}={0,2}|\bdata:[\w.+/-]{3,60}(?:;[\w=-]{1,30}){0,3},[A-Za-z0-9+/=%_-]{16,}|\bW\/\\?"[^"\n]{4,100}"|\b(?:etag|if-none-match)["']?\s?[:=]\s?\\?["']?[^\s"',]{8,100}/iy,
);
/** The fields of a JWK that everybody may see, in whatever language it is written. */
const JWK = new RegExp(
  [
    ["n|modulus", "[A-Za-z0-9_-]{86,1400}"],
    ["x|y", "[A-Za-z0-9_-]{42,90}"],
    ["kid|x5t(?:#S256)?", "[A-Za-z0-9_=-]{1,200}"],
  ]
    .map(
      ([name, value]) =>
        `(?<![\\w\\\\-])(?:${name})\\\\?["']?\\s{0,2}(?:=>|[:=]|(?<=:n|:x|:y) )\\s{0,2}\\\\?["']?${value}`,
    )
    .join("|") + String.raw`|<Modulus>[\w+/=-]{86,1400}|"x5c"\s?:\s?\[[^\]]{0,9000}\]`,
  "gi",
);
/** What a JWK has besides: its type, its curve, or the exponent that nearly all keys of RSA have. */
const IS_JWK = /\b(?:kty|crv)\b|AQAB/i;
/** A node of GitHub: a type, and in base64 a MessagePack list of 0 and numbers of 8, 16 or 32 bits. */
const NODE_ID = /(?<![\w-])[A-Z][A-Za-z]{0,9}_(?:k[gw]|l[AQ])D[MNO][\w-]{2,60}/g;

/** Where they stand: no detector guesses there. */
export function findPublicValues(text: string, landmarks: Landmarks): Span[] {
  const others = IS_JWK.test(text) ? [NODE_ID, JWK] : [NODE_ID];
  return [...values(text, landmarks), ...others.flatMap((pattern) => matchesIn(text, pattern))].map(
    ({ index, 0: value }) => ({ start: index, end: index + value.length, kind: "public-value" }),
  );
}
