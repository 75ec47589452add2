/** A random token with a credential word close by, in a sentence that does not tie them: "… expired, so the token had to change: …". */

import { isDigest, isInert, isUuid, looksRandom } from "./shape.ts";
import type { Layer, Span } from "./span.ts";

const TOKEN = /(?<![A-Za-z0-9_./@=%#&?+-])[A-Za-z0-9_+/=.~-]{16,300}/g;
const BEFORE = 60;
const AFTER = 40;
const CREDENTIAL =
  /password|passwd|passphrase|secret|token|api[-_ ]?key|apikey|access[-_ ]?key|credential|\bcreds\b|\bkey\b|KEY|authenticat|\blogin\b|PRIVATE|비밀번호|암호|토큰|시크릿|인증|키는|키:|키를|키 |密码|密钥|口令|令牌|凭证|密碼|金鑰|パスワード|トークン|シークレット|キー|秘密鍵/i;
/** What is said of keys that work, leak or stop working. */
const LIFE = /\b401\b|\b403\b|revoke|rotat|hard-?coded|never paste|leak|unauthori[sz]ed|커밋하지|不要提交|コミットしない/i;
const HARMLESS =
  /commit|\bsha\b|sha-?\d|hash|digest|checksum|integrity|fingerprint|public|etag|nonce|\bmd5\b|revision|\bimage\b|cache|\bid\b|\bids\b|uuid|trace|span|build|version|primary|foreign|partition|idempoten|publishable|session[-_ ]?id|thread|\bCSS\b|class|chunk|bundle|base64,|커밋|해시|提交(?!到)|哈希|コミット(?!し)|ハッシュ|signature/i;

export const findNearWords: Layer = (text) => {
  const spans: Span[] = [];
  for (const found of text.matchAll(TOKEN)) {
    const token = found[0].replace(/[.=~/-]+$/, (tail) => /^=*/.exec(tail)?.[0] ?? "");
    if (isInert(token) || (/\//.test(token) && !/[+=]/.test(token))) continue;
    const plain = isDigest(token) || isUuid(token);
    if (!plain && !looksRandom(token, 16)) continue;
    const before = text.slice(Math.max(0, found.index - BEFORE), found.index).split(/\n\s*\n|。/).at(-1) ?? "";
    const end = found.index + token.length;
    const after = (text.slice(end, end + AFTER).split(/\n|。|\. /)[0] ?? "");
    if (HARMLESS.test(before) || HARMLESS.test(after.slice(0, 20))) continue;
    const near = plain ? CREDENTIAL.test(before.slice(-16)) : CREDENTIAL.test(before) || CREDENTIAL.test(after) || (token.length >= 20 && (LIFE.test(before) || LIFE.test(after)));
    if (near) spans.push({ start: found.index, end, kind: "token" });
  }
  return spans;
};
