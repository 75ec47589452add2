/** Authorization headers, session cookies and web tokens. */
import { findForms } from "../search/forms.ts";
import { CLOSING, isBasic, isRandom } from "../search/judges.ts";

/** Web tokens (RFC 7519), signed, encrypted, or cut off after any part. `eyJ` is base64 of `{"`. */
export const findWebTokens = findForms([
  {
    kind: "web-token",
    isSecret: (token) => token.includes(".") && token.length >= 30,
    // Also matches a single part, so that a run is skipped at once, however many beginnings it contains.
    patterns: { eyj: /(?<![A-Za-z0-9])(?<s>eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]+)*)/dy },
  },
  {
    kind: "web-token",
    // A single part is a token unless it decodes to JSON, which may be a cursor or a source map.
    isSecret: (token) =>
      /[^\s\x20-\x7e]/.test(Buffer.from(token, "base64").toString("latin1").slice(0, -3)),
    patterns: { eyj: /(?<![A-Za-z0-9]|base64,)(?<s>eyJ[A-Za-z0-9_+/-]{36,}={0,3})/dy },
  },
]);

export const findInHeaders = findForms(
  [
    {
      kind: "authorization",
      isSecret: isBasic,
      patterns: {
        basic: /\bBasic\s+(?<s>[A-Za-z0-9+/_-]{6,}={0,2})/dy,
      },
    },
    {
      kind: "authorization",
      isSecret: isRandom,
      patterns: {
        "bearer|apikey|api-key|api-token|ssws|geniekey|deepl-auth":
          /\b(?:Bearer|ApiKey|Api-Key|Api-Token|SSWS|GenieKey|Klaviyo-API-Key|DeepL-Auth-Key)[ :]+["']?(?<s>[A-Za-z0-9_+/=.~:|-]{12,})/dy,
        authorization:
          /\bAuthorization(?:["']?\s?[:=]|["']\s?,)\s?["']?(?:(?:Bearer|Token|Api-?Key|Api-Token|Digest|OAuth)\s+)?(?<s>[\x21\x23-\x26\x28-\x3b\x3d-\x5b\x5d-\x5f\x61-\x7e]{8,})/diy,
      },
    },
    {
      kind: "session-cookie",
      isSecret: isRandom,
      patterns: {
        "sess|connect.sid=|remember_|sid=|auth=|csrftoken=|xsrf-token=":
          /(?:sess[\w.-]{0,40}|\b(?:connect\.sid|remember_\w{1,60}|sid|auth|csrftoken|XSRF-TOKEN))=(?:s%3A|s:)?(?<s>[A-Za-z0-9%+/_=.-]{16,})/diy,
      },
    },
  ],
  CLOSING,
);
