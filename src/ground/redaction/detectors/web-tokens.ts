/** Web tokens (RFC 7519): `eyJ` is base64 of `{"`. Signed, encrypted, cut off after any part. */
import { findForms } from "../search/forms.ts";

export const findWebTokens = findForms([
  {
    kind: "web-token",
    isSecret: (token) => token.includes(".") && token.length >= 30,
    // Also what has one part only, so that a run is passed at once, however many beginnings are in it.
    patterns: { eyj: /(?<![A-Za-z0-9])(?<s>eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]+)*)/dy },
  },
  {
    kind: "web-token",
    // One part alone is a token unless it reads as JSON: then it is a cursor or a source map.
    isSecret: (token) =>
      /[^\s\x20-\x7e]/.test(Buffer.from(token, "base64").toString("latin1").slice(0, -3)),
    patterns: { eyj: /(?<![A-Za-z0-9]|base64,)(?<s>eyJ[A-Za-z0-9_+/-]{36,}={0,3})/dy },
  },
]);
