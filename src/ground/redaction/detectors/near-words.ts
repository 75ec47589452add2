/** Random tokens that no connector joins to a word: those near a credential word, and those that look like nothing else. */
import { runsOf } from "../search.ts";
import { covering, type Detector, merge, type Place, spanOf } from "../span.ts";
import { isCodeOrPlaceholder } from "../values/placeholders.ts";
import { isDigest, isName, isUuid, looksRandom, measure } from "../values/shape.ts";
import { isEncodedText } from "../views.ts";

export const findNearWords: Detector = (text, { runs }, spans) => {
  const isFound = covering(merge(spans));
  for (const { start, end } of tokensIn(text, runs)) {
    if (isFound(start, end) || isLineOfBlock(text, start, end)) {
      continue;
    }
    const token = text.slice(start, end);
    const mayBeSecret = isDigest(token) || isUuid(token) || looksRandom(token, SHORTEST);
    if (mayBeSecret && !isPublic(token) && isSecret(text, start, token)) {
      spans.push(spanOf(start, token, "token"));
    }
  }
};

const SHORTEST = 16;
const RUN = /[A-Za-z0-9_+/.~-]{16,}/g;
const LONGEST = 303;
/** After one of these, a token is a part of something else, unless a name comes before that. */
const JOINT = /[@%#&?+:=]$/;
const NAMED = /[\w.-][=:]$/;

/** Yields tokens after a blank, a bracket, a quote, or a name and its connector. */
function* tokensIn(text: string, runs: readonly Place[]): Generator<Place> {
  for (const run of runsOf(text, runs, RUN)) {
    const before = text.slice(Math.max(0, run.start - 2), run.start);
    const isPart = JOINT.test(before) && !NAMED.test(before);
    if (isPart || /[+/.~-]/.test(text.charAt(run.start))) {
      continue;
    }
    const start = afterEscape(text, run.start);
    const token = text.slice(start, Math.min(run.end, start + LONGEST)).replace(/[.~/-]+$/, "");
    if (token.length < SHORTEST) {
      continue;
    }
    const end = start + token.length;
    const padding = end === run.end ? /^={0,2}/.exec(text.slice(end, end + 2)) : null;
    yield { start, end: end + (padding?.[0].length ?? 0) };
  }
}

/** Skips the letter of an escape at the start of a word: `n` in `\nevt_1`. */
function afterEscape(text: string, start: number): number {
  return text.charAt(start - 1) === "\\" && /[nrt]/.test(text.charAt(start)) ? start + 1 : start;
}

/** The shortest line of a wrapped base64 body, which may be indented. */
const LINE_OF_BASE64 = 60;
const LONGEST_INDENT = 40;

/** One of several lines of the same length that contain nothing else. */
function isLineOfBlock(text: string, start: number, end: number): boolean {
  if (text.charAt(end) !== "\n") {
    return false;
  }
  const mayBeIndented = end - start >= LINE_OF_BASE64 && (end - start) % 4 === 0;
  const before = text.slice(Math.max(0, start - (mayBeIndented ? LONGEST_INDENT : 1)), start);
  const indent = /\n[ \t]*$/.exec(before)?.[0];
  if (indent === undefined) {
    return false;
  }
  const line = start - indent.length;
  const length = end - line;
  return text.charAt(line - length) === "\n" || text.charAt(end + length) === "\n";
}

/** Tokens that are long, random and public: content addresses, coins, resource ids, SSH keys, certificates, symbols of C++. */
const PUBLIC =
  /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44,46}$|[a-z]{1,8}-[0-9a-f]{8,17}$|bafy|AAAA[BCE]3Nza|MI[IG][A-Z]|RWQ|0x|_Z[A-Z]|GHSA-|CVE-)/;

function isPublic(token: string): boolean {
  const isPath = token.includes("/") && !/[+=]/.test(token);
  return PUBLIC.test(token) || isPath || isEncodedText(token);
}

/** The characters before and after a token that are read. */
const BEFORE = 60;
const AFTER = 40;
/** Words before or after a random value that isn't a secret. */
const HARMLESS =
  /commit|\bsha\b|sha-?\d|hash|digest|checksum|integrity|fingerprint|public|partition|idempoten|publishable|etag|nonce|\bmd5\b|revision|\bimage\b|cache|\bids?\b|_id\b|uuid|trace|span|build|version|primary|foreign|session|thread|\bCSS\b|class|chunk|bundle|base64,|address|wallet|\bCID\b|known_hosts|ssh-|ecdsa-|certificate|signature|\bh1:|cursor|page.?token|pagination|커밋|해시|提交(?!到)|哈希|コミット(?!し)|ハッシュ/i;

function isSecret(text: string, start: number, token: string): boolean {
  const end = start + token.length;
  const before = lastParagraph(text.slice(Math.max(0, start - BEFORE), start));
  const after = firstSentence(text.slice(end, end + AFTER));
  if (!isAnnounced(text, start, token, before, after)) {
    return false;
  }
  if (HARMLESS.test(before) || HARMLESS.test(after.slice(0, 20))) {
    return false;
  }
  const isParameter = /[?&/][\w.-]*=$/.test(before);
  return !isParameter && !isCodeOrPlaceholder(token) && !isName(token);
}

const lastParagraph = (text: string): string =>
  /\n|。/.test(text) ? (text.split(/\n\s*\n|。/).at(-1) ?? "") : text;

const firstSentence = (text: string): string => text.split(/\n|。|\. /, 1)[0] ?? "";

const CREDENTIAL =
  /password|passwd|passphrase|secret|token|api[-_ ]?key|apikey|access[-_ ]?key|credential|\bcreds\b|keys?(?![a-z])|authenticat|\blogin\b|PRIVATE|비밀번호|암호|토큰|시크릿|인증|키는|키:|키를|키 |密码|密钥|口令|令牌|凭证|密碼|金鑰|パスワード|トークン|シークレット|キー|秘密鍵/i;
/** A hash or a UUID is a secret only directly after the word: `SECRET 16cf…`, but not `fix the token check (16cf…)`. */
const DIRECTLY =
  /(?:password|passphrase|secret|token|key|credential|비밀번호|암호|토큰|시크릿|키|密码|密钥|口令|令牌|パスワード|トークン|シークレット|キー|秘密鍵)["'`:=| ]{1,3}$/i;

function isAnnounced(
  text: string,
  start: number,
  token: string,
  before: string,
  after: string,
): boolean {
  if (isDigest(token) || isUuid(token)) {
    return DIRECTLY.test(before.slice(-20));
  }
  const isOfOtherName = /[:=]$/.test(before);
  if (!isOfOtherName && (CREDENTIAL.test(before) || CREDENTIAL.test(after))) {
    return true;
  }
  return isUnmistakable(token) && !isLineOfBody(text, start, token);
}

/** Long, with both cases and digits evenly mixed. Identifiers, digests, paths and base58 addresses don't look like that. */
function isUnmistakable(token: string): boolean {
  if (!/^[A-Za-z0-9]{32,128}$/.test(token) || !/[a-z]/.test(token) || !/[A-Z]/.test(token)) {
    return false;
  }
  const isBase58 = token.length <= 44 && !/[0OIl]/.test(token);
  if (isBase58 || (token.match(/\d/g)?.length ?? 0) < 3) {
    return false;
  }
  const { meanPiece, rarePairs = 1 } = measure(token);
  return meanPiece <= 2.7 && rarePairs >= 0.3;
}

/** A line of a longer base64 body. */
function isLineOfBody(text: string, start: number, token: string): boolean {
  if (token.length !== 64 && token.length !== 76) {
    return false;
  }
  const line = text.slice(text.lastIndexOf("\n", start) + 1).split("\n", 1)[0] ?? "";
  return line.trim() === token;
}
