/** The password in a URL's user part, a token as user name, a signature in a query. */

import { isIn, WORD } from "../search/runs.ts";
import { type Detector, matchAt, matchesIn, spanOf } from "../span.ts";
import { isCodeOrPlaceholder } from "../values/placeholders.ts";
import { isWords, looksRandom } from "../values/shape.ts";

const THIN = /(?<=:)thin:(?=[\w$]+\/)/g;
/** Passwords people paste unescaped hold `@`, `/` and `#`; a host, port or path must follow the last `@`. */
const USER_INFO = /([^\s:@/"'`<>|[\]{}()]*):([^\s"'`<>]{1,200})@(?=[A-Za-z0-9[$])/y;
const USER_ONLY = /([A-Za-z0-9_.~=%-]{16,200})@(?=[A-Za-z0-9])/y;
const SIGNATURE =
  /[?&;](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token|hmac)=([A-Za-z0-9%+/_=-]{16,})/gi;
const STAND_IN = /^(?:password|passwd|pass|pwd|pw|secret|token|x-oauth-basic|\*+|x+)$/i;

export const findUrlSecrets: Detector = (text, _, spans) => {
  for (const from of afterSchemes(text)) {
    const pair = matchAt(USER_INFO, text, from);
    if (pair) {
      const [, user = "", password = ""] = pair;
      // `example.com:8080/@scope` is a port and a path
      if (/^\d{2,5}(?:[/?#]|$)/.test(password) || STAND_IN.test(password) || password === user)
        continue;
      if (isReference(password)) continue;
      const start = from + (/^[0-9a-f]{8,}$/.test(user) && /\d/.test(user) ? 0 : user.length + 1);
      spans.push({ start, end: from + user.length + 1 + password.length, kind: "url-password" });
      continue;
    }
    const user = matchAt(USER_ONLY, text, from)?.[1];
    if (
      user &&
      looksRandom(user, 16) &&
      !isWords(user) &&
      !/^\S{0,300}sentry/.test(text.slice(from, from + 320))
    )
      spans.push(spanOf(from, user, "url-token"));
  }
  for (const { index, 0: parameter, 1: signature = "" } of matchesIn(text, SIGNATURE))
    spans.push(spanOf(index + parameter.length - signature.length, signature, "url-signature"));
};

function isReference(password: string): boolean {
  return /^[$<{[%]/.test(password)
    ? isCodeOrPlaceholder(password)
    : /\[REDACTED|\*{3}|\.{3}|…|^your|example|placeholder|changeme/i.test(password);
}

/** Where an address begins, after `https://` and the like. */
function* afterSchemes(text: string): Generator<number> {
  for (let slashes = text.indexOf("://"); slashes >= 0; slashes = text.indexOf("://", slashes + 3))
    if (isIn(WORD, text.charCodeAt(slashes - 1))) yield slashes + 3;
  if (text.includes("thin:"))
    for (const thin of matchesIn(text, THIN)) yield thin.index + thin[0].length;
}
