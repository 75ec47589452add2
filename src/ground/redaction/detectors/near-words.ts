/** A random token without a connector to a word: a credential word near it, or one that nothing else looks like. */

import { afterEscape, alphabet, isIn, runsOf } from "../search/runs.ts";
import { covering, type Detector, merge, type Place, spanOf } from "../span.ts";
import { measure } from "../values/letters.ts";
import { isCodeOrPlaceholder } from "../values/placeholders.ts";
import { isDigest, isName, isUuid, looksRandom } from "../values/shape.ts";
import { isEncodedText } from "../views/encoded.ts";

const LETTERS = alphabet(/[A-Za-z0-9_+/.~-]/);
const FIRST = alphabet(/[A-Za-z0-9_]/);
/** Where one of these stands before it, a token is a part of something, unless a name stands before that. */
const JOINT = alphabet(/[@%#&?+:=]/);
const NAMED = /[\w.-][=:]$/;
const TRAILING = alphabet(/[.~/-]/);
const SHORTEST = 16;
const LONGEST = 303;
const BEFORE = 60;
/** Bodies are wrapped at this length or more. */
const LINE_OF_BASE64 = 60;
const LONGEST_INDENT = 40;
const BLANK = alphabet(/[ \t]/);
const AFTER = 40;
const CREDENTIAL =
  /password|passwd|passphrase|secret|token|api[-_ ]?key|apikey|access[-_ ]?key|credential|\bcreds\b|keys?(?![a-z])|authenticat|\blogin\b|PRIVATE|비밀번호|암호|토큰|시크릿|인증|키는|키:|키를|키 |密码|密钥|口令|令牌|凭证|密碼|金鑰|パスワード|トークン|シークレット|キー|秘密鍵/i;
/** A hash or a UUID is a secret only right after the word: `SECRET 16cf…`, not `fix the token check (16cf…)`. */
const DIRECTLY =
  /(?:password|passphrase|secret|token|key|credential|비밀번호|암호|토큰|시크릿|키|密码|密钥|口令|令牌|パスワード|トークン|シークレット|キー|秘密鍵)["'`:=| ]{1,3}$/i;
const HARMLESS =
  /commit|\bsha\b|sha-?\d|hash|digest|checksum|integrity|fingerprint|public|partition|idempoten|publishable|etag|nonce|\bmd5\b|revision|\bimage\b|cache|\bids?\b|_id\b|uuid|trace|span|build|version|primary|foreign|session|thread|\bCSS\b|class|chunk|bundle|base64,|address|wallet|\bCID\b|known_hosts|ssh-|ecdsa-|certificate|signature|\bh1:|cursor|page.?token|pagination|커밋|해시|提交(?!到)|哈希|コミット(?!し)|ハッシュ/i;
/** Content addresses, coin addresses, resource ids, SSH public keys, certificates, symbols of C++: long, random and meant to be shown. */
const PUBLIC =
  /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44,46}$|[a-z]{1,8}-[0-9a-f]{8,17}$|bafy|AAAA[BCE]3Nza|MI[IG][A-Z]|RWQ|0x|_Z[A-Z]|GHSA-|CVE-)/;

export const findNearWords: Detector = (text, { runs }, spans) => {
  const isFound = covering(merge(spans));
  for (const [start, end] of tokens(text, runs)) {
    if (isFound(start, end) || isLineOfBlock(text, start, end)) continue;
    const token = text.slice(start, end);
    if (!mayBeSecret(token)) continue;
    if (isEncodedText(token)) continue; // judged by what is inside
    if (PUBLIC.test(token) || (token.includes("/") && !/[+=]/.test(token))) continue;
    if (isNear(text, start, token) && !isCodeOrPlaceholder(token) && !isName(token))
      spans.push(spanOf(start, token, "token"));
  }
};

/** Where tokens stand: after a blank, a bracket, a quote, or a name and its connector. */
function* tokens(
  text: string,
  runs: readonly Place[],
): Generator<readonly [start: number, end: number]> {
  for (const { start: from, end: to } of runsOf(text, runs, LETTERS, SHORTEST)) {
    if (!isIn(FIRST, text.charCodeAt(from))) continue;
    if (
      isIn(JOINT, text.charCodeAt(from - 1)) &&
      !NAMED.test(text.slice(Math.max(0, from - 2), from))
    )
      continue;
    const start = afterEscape(text, from);
    let end = Math.min(to, start + LONGEST);
    while (end > start && isIn(TRAILING, text.charCodeAt(end - 1))) end--;
    if (end === to) while (end < to + 2 && text.charAt(end) === "=") end++;
    if (end - start >= SHORTEST) yield [start, end];
  }
}

/** Random, or hexadecimal: its neighbours decide. */
const mayBeSecret = (token: string): boolean =>
  isDigest(token) || isUuid(token) || looksRandom(token, 16);

function isNear(text: string, start: number, token: string): boolean {
  const end = start + token.length;
  const around = text.slice(Math.max(0, start - BEFORE), start);
  const before = /\n|。/.test(around) ? (around.split(/\n\s*\n|。/).at(-1) ?? "") : around;
  const after = text.slice(end, end + AFTER).split(/\n|。|\. /, 1)[0] ?? "";
  if (!isAnnounced(text, start, token, before, after)) return false;
  return (
    !HARMLESS.test(before) && !HARMLESS.test(after.slice(0, 20)) && !/[?&/][\w.-]*=$/.test(before)
  );
}

/** One of several lines of the same length that hold nothing else; those of a base64 body may be indented. */
function isLineOfBlock(text: string, start: number, end: number): boolean {
  if (text.charAt(end) !== "\n") return false;
  let line = start - 1;
  if (end - start >= LINE_OF_BASE64 && (end - start) % 4 === 0)
    while (line > start - LONGEST_INDENT && isIn(BLANK, text.charCodeAt(line))) line--;
  if (text.charAt(line) !== "\n") return false;
  const length = end - line;
  return text.charAt(line - length) === "\n" || text.charAt(end + length) === "\n";
}

function isAnnounced(
  text: string,
  start: number,
  token: string,
  before: string,
  after: string,
): boolean {
  if (isDigest(token) || isUuid(token)) return DIRECTLY.test(before.slice(-20));
  if (!/[:=]$/.test(before) && (CREDENTIAL.test(before) || CREDENTIAL.test(after))) return true;
  return isUnmistakable(text, start, token);
}

/** Long, with both cases and digits evenly mixed: identifiers, digests and paths do not look like that. */
function isUnmistakable(text: string, start: number, token: string): boolean {
  if (!/^[A-Za-z0-9]{32,128}$/.test(token) || !/[a-z]/.test(token) || !/[A-Z]/.test(token))
    return false;
  const { meanPiece, rarePairs = 1 } = measure(token);
  if ((token.match(/\d/g)?.length ?? 0) < 3 || meanPiece > 2.7 || rarePairs < 0.3) return false;
  if (token.length <= 44 && !/[0OIl]/.test(token)) return false; // base58: an address
  const line = text.slice(text.lastIndexOf("\n", start) + 1).split("\n", 1)[0] ?? "";
  return line.trim() !== token || !/^(?:64|76)$/.test(String(token.length)); // a line of a longer base64 body
}
