/** Values that are random and public: named digests, data URIs, entity tags, and public halves of keys. */
import { searchFrom } from "../search.ts";
import { type Landmarks, matchesIn, type Span } from "../span.ts";

const findNamed = searchFrom(
  ["sha", "h1:", "md5", "data:", "w/", "etag", "if-none-match"],
  /\b(?:sha(?:1|224|256|384|512)[-:]|h1:|md5[-:])[A-Za-z0-9+/_-]{20,}={0,2}|\bdata:[\w.+/-]{3,60}(?:;[\w=-]{1,30}){0,3},[A-Za-z0-9+/=%_-]{16,}|\bW\/\\?"[^"\n]{4,100}"|\b(?:etag|if-none-match)["']?\s?[:=]\s?\\?["']?[^\s"',]{8,100}/iy,
);

/** The type, the curve, or the exponent that nearly all RSA keys have. A JWK has one of them. */
const IS_JWK = /\b(?:kty|crv)\b|AQAB/i;
/** The public fields of a JWK, by name. */
const JWK_FIELDS: Readonly<Record<string, string>> = {
  "n|modulus": "[A-Za-z0-9_-]{86,1400}",
  "x|y": "[A-Za-z0-9_-]{42,90}",
  "kid|x5t(?:#S256)?": "[A-Za-z0-9_=-]{1,200}",
};
/** A name, a connector of JSON, JavaScript, Ruby or Clojure, and a value. */
const fieldPattern = (name: string, value: string): string =>
  String.raw`(?<![\w\\-])(?:${name})\\?["']?\s{0,2}(?:=>|[:=]|(?<=:n|:x|:y) )\s{0,2}\\?["']?${value}`;
const JWK = new RegExp(
  [
    ...Object.entries(JWK_FIELDS).map(([name, value]) => fieldPattern(name, value)),
    String.raw`<Modulus>[\w+/=-]{86,1400}`,
    String.raw`"x5c"\s?:\s?\[[^\]]{0,9000}\]`,
  ].join("|"),
  "gi",
);
/** A node id of GitHub: a type, and in base64 a MessagePack list of 0 and numbers of 8, 16 or 32 bits. */
const NODE_ID = /(?<![\w-])[A-Z][A-Za-z]{0,9}_(?:k[gw]|l[AQ])D[MNO][\w-]{2,60}/g;

/** Finds the public values of a text. No detector guesses there. */
export function findPublicValues(text: string, landmarks: Landmarks): Span[] {
  const found = [...findNamed(text, landmarks), ...matchesIn(text, NODE_ID)];
  if (IS_JWK.test(text)) {
    found.push(...matchesIn(text, JWK));
  }
  return found.map(({ index, 0: value }) => ({
    start: index,
    end: index + value.length,
    kind: "public-value",
  }));
}
