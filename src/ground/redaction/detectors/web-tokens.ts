/** Web tokens (RFC 7519): `eyJ` is base64 of `{"`. Signed, encrypted, cut off after any part. */
import { type Detector, matchesIn, type Span } from "../span.ts";

/** Also what has one part only, so that a run is passed at once, however many beginnings are in it. */
const PARTS = /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]+)*/g;
/** One part alone is a token unless it reads as JSON: then it is a cursor or a source map, and its content decides. */
const ALONE = /(?<![A-Za-z0-9]|base64,)eyJ[A-Za-z0-9_+/-]{36,}={0,3}/g;

export const findWebTokens: Detector = (text) => {
  if (!text.includes("eyJ")) return [];
  const spans: Span[] = [];
  for (const token of matchesIn(text, PARTS)) {
    if (token[0].includes(".") && token[0].length >= 30)
      spans.push({ start: token.index, end: token.index + token[0].length, kind: "web-token" });
  }
  for (const token of matchesIn(text, ALONE)) {
    const inside = Buffer.from(token[0], "base64").toString("latin1");
    if (/[^\s\x20-\x7e]/.test(inside.slice(0, -3)))
      spans.push({ start: token.index, end: token.index + token[0].length, kind: "web-token" });
  }
  return spans;
};
