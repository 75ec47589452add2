/** The words that announce a credential, in English, Korean, Chinese and Japanese. */
import { looksRandom } from "../shape.ts";
import { type Landmarks, matchAt, matchesIn } from "../span.ts";
import { headsOf, landmarksOf, literals } from "./literals.ts";
import { alphabet, isIn, pairs } from "./runs.ts";

/** How clear a word is. After "password" even plain letters are a secret; after a bare "key" only random characters are. */
export type Clarity = "password" | "secret" | "key";

export interface KeyWord {
  /** Of the whole identifier: `db_password_v2`. */
  readonly start: number;
  /** One past the word itself; the identifier may go on to `end`. */
  readonly wordEnd: number;
  readonly end: number;
  readonly clarity: Clarity;
  readonly word: string;
  readonly cjk: boolean;
}

const KINDS_OF_KEY =
  "access|private|signing|signature|encryption|decryption|master|account|licen[sc]e|service|admin|auth|app|application|client|deploy|storage|shared|webhook|functions?|subscription|integration|personal|project|server|sdk|integrity|write|ingest|insert|user|consumer|security|recovery|activation|provisioning|bot|rest|global";
/** Clear inside any identifier: `keystorePassword`, `mytoken`. */
const ANYWHERE = [
  "passw(?:or[dt]|d)?|passphrase|passcode|pswd|(?:ssh|pg|db|user|root|admin|smtp|mail|ftp|mysql)pass(?![a-z])",
  `secret[-_ ]?(?:access[-_ ]?)?key|secret|token(?!i[sz])|credential|api[-_. ]?key|bearer|(?:${KINDS_OF_KEY})[-_ ]?key|session[-_ ]?(?:key|cookie|secret)|authorization|mnemonic|seed phrase|(?:recovery|backup) code|connection[-_ ]?string|sonar[._]login|service_role`,
];
/** Only as a word of their own, or as a part of `snake_case` or `camelCase`: not in `compass`, `author`, `monkey`. */
const ALONE = [
  "pwd|pw|psw|psk|(?<=--(?:[a-z]{1,12}-)?)pass(?=[ =])",
  "pass(?=\\W{0,3}[:=|,>])|(?<=_)pass(?=[ \\t]{1,12}[\"'])|creds?|pat|salt|unseal|csc_link|jwt|sid|sessid|_?auth|otp",
  "keys?|private",
];
const CJK = [
  "비밀번호|비번|패스워드|암호|密码|密碼|口令|パスワード|暗証番号",
  "시크릿(?: ?키)?|비밀 ?키|인증 ?키|액세스 ?키|API ?키|개인 ?키|서비스 ?키|접근 ?키|토큰(?: ?값)?|자격 ?증명|보안 ?키|암호화 ?키|密钥|秘钥|金鑰|密鑰|私钥|令牌|權杖|凭证|凭据|憑證|授权码|シークレット|秘密鍵|トークン|アクセスキー|API ?キー|認証キー|認証情報|暗号鍵|合言葉",
  "(?<=[가-힣A-Za-z] ?)키(?=[는은가이를: ])|キー",
];
const WORD = new RegExp(
  [...ANYWHERE, ...ALONE, ...CJK].map((group) => `(${group})`).join("|"),
  "iy",
);
/** What one of them begins with: a pattern for one character passes most of a text many times faster. */
const firstLetter = (word: string) => word.replace(/^\(\?<=.*?\)|^API \?/, "").charAt(0);
const EASTERN_BEGINNINGS = new RegExp(
  `(?:API ?)?[${CJK.join("|").split("|").map(firstLetter).join("")}]`,
  "gi",
);
/** What the words above begin with: only there they are tried. */
const BEGINNINGS =
  "pass|ps|pw|ssh|pg|db|user|root|admin|smtp|mail|ftp|mysql|secret|token|cred|api|bearer|access|private|sign|encrypt|decrypt|master|account|licen|service|auth|app|client|deploy|storage|shared|webhook|function|subscription|integrat|personal|project|server|sdk|integrity|write|ingest|insert|consumer|security|recovery|activation|provisioning|bot|rest|global|sess|mnemonic|seed|backup|connection|sonar|pat|salt|unseal|csc_|jwt|sid|_auth|otp|key";
const beginnings = literals(headsOf(BEGINNINGS.split("|")));
const CLARITY: readonly Clarity[] = [
  "password",
  "secret",
  "password",
  "secret",
  "key",
  "password",
  "secret",
  "key",
];
const FIRST_ALONE = 2;
const FIRST_CJK = 5;

const NAME = alphabet(/[A-Za-z0-9_$-]/);
const AFTER = /[A-Za-z0-9_-]{0,400}/y;
const LONGEST_NAME = 60;

/** Keys of maps, rows and caches, and the public halves; the word may stand before: `public key`. */
const OTHER_KEY =
  /(?:^|[-_. ])(?:public|primary|foreign|partition|sort|cache|idempotency|hash|object|routing|row|group|map|composite|unique|index|lookup|dedupe|shard|sharding|i18n|translation|hot|arrow|enter|escape|publishable|anon|config|query|state|dict|json|registry|lock|host|react)[-_ ]?keys?$/;
/** Properties of a credential: its name, its age, its limit. */
const ABOUT = new RegExp(
  "keys?[-_ ]?(?:id|ids|name|names|path|file|type|size|length|vault|word|code|board|frame|space|url|usage|algorithm|prefix|hash|ref)$" +
    "|[-_ ](?:algorithms?|interval)$" +
    "|(?:token|secret|password|key|auth|credential|cookie)s?[-_ ](?:id|ids|name|names|type|types|url|uri|endpoint|path|file|count|limits?|budget|length|len|size|ttl|expiry|expires|expired|expiration|provider|store|manager|class|scopes?|field|policy|prefix|format|version|mode|hash|digest|methods?|lifetime|error|usage|used|refs?|helper|service|required|enabled|status|regex|pattern|hint|label|placeholder|input|arn|handler|callback|cache|loader|vault|request|response|rotation|scheme|headers?|params?|address|issuer|audience|symbol|mint|contract|domain|kind|at|in|by)$" +
    "|(?:^|[-_. ])(?:max|min|num|total|input|output|prompt|completion|cached|csrf|next|page|cancel|cancellation|continuation|sync|reasoning|context|budget|design|css|syntax|hidden|special|stop|eos|bos|pad|invalid|missing|unexpected|no|without|show|reset|forgot|change|verify|validate|hash|check|compare|generate|create|get|is|has)[-_ ]?(?:tokens?|password|secret|auth)$",
);

/** Every credential word of a text, with the identifier around it. */
export function keyWords(text: string, landmarks = landmarksOf(text)): KeyWord[] {
  const found: KeyWord[] = [];
  let past = 0;
  for (const { index, word, group } of matches(text, landmarks)) {
    if (index < past) continue;
    const wordEnd = index + word.length;
    const cjk = group >= FIRST_CJK;
    if (group >= FIRST_ALONE && !cjk && !standsAlone(text, index, wordEnd)) continue;
    const start = cjk ? index : startOfName(text, Math.max(past, index - LONGEST_NAME), index);
    AFTER.lastIndex = wordEnd;
    const end = cjk ? wordEnd : wordEnd + (AFTER.exec(text)?.[0].length ?? 0);
    past = end - wordEnd > LONGEST_NAME ? end : wordEnd; // a run that long is not a name: look at it once
    if (group >= FIRST_ALONE && !cjk && isInsideRandom(text, index, wordEnd)) continue;
    if (!cjk && (isAbout(text, start, end) || inResourceName(text, start))) continue;
    const clarity = word === "PASS" ? "password" : (CLARITY[group] ?? "key"); // DB_PASS
    found.push({ start, wordEnd, end, clarity, word, cjk });
  }
  return found;
}

/** Where the words stand, and the group of each. */
function matches(text: string, landmarks: Landmarks) {
  const starts = Array.from(pairs(beginnings(landmarks)), ([start]) => start);
  if (/[\u3040-\ud7af]/.test(text))
    for (const { index, 0: beginning } of matchesIn(text, EASTERN_BEGINNINGS))
      starts.push(index, index + beginning.length - 1);
  const found: { index: number; word: string; group: number }[] = [];
  let past = 0;
  for (const start of starts.sort((a, b) => a - b)) {
    const match = start < past ? undefined : matchAt(WORD, text, start);
    if (!match) continue;
    past = start + match[0].length;
    found.push({
      index: start,
      word: match[0],
      group: match.findIndex((text, i) => i > 0 && text !== undefined) - 1,
    });
  }
  return found;
}

/** `arn:aws:secretsmanager:…:secret:prod/db` names a secret and holds none. */
function inResourceName(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  return before.includes("arn:") && /arn:[\w-]*:\S*$/.test(before);
}

function startOfName(text: string, from: number, to: number): number {
  let start = to;
  while (start > from && isIn(NAME, text.charCodeAt(start - 1))) start--;
  return start;
}

/** At the edges of the word, a change from letter to other, or from lower to upper case. */
function standsAlone(text: string, start: number, end: number): boolean {
  const edge = (left: string, right: string) =>
    !/[A-Za-z]/.test(left) ||
    !/[A-Za-z]/.test(right) ||
    (/[a-z]/.test(left) && /[A-Z]/.test(right));
  const word = text.slice(start, end);
  // `…i7pWd…`: base64 changes case inside a word, a name does not
  if (!/^(?:_?[A-Z]?[a-z]+|_?[A-Z]+|.*\W.*)$/.test(word)) return false;
  const before = text.charAt(start - 1);
  if (word === "PASS" && before !== "_") return false; // a test report
  if (/^(?:pat|salt|cred)$/i.test(word) && (before !== "_" || word !== word.toUpperCase()))
    return false;
  // $PWD and $(pwd) are a folder; in DEBUG=pw:api it is a value
  if (
    /^p(?:wd|w|sw)$/i.test(word) &&
    (before === "=" || /(?:\$[({]?|`)$/.test(text.slice(Math.max(0, start - 2), start)))
  )
    return false;
  return (
    edge(text.charAt(start - 1), text.charAt(start)) && edge(text.charAt(end - 1), text.charAt(end))
  );
}

/** A short word in the middle of a digest, a certificate, a data URI: chance. */
function isInsideRandom(text: string, start: number, end: number): boolean {
  const before = /[A-Za-z0-9+/]{0,24}$/.exec(text.slice(Math.max(0, start - 24), start))?.[0] ?? "";
  const after = /^[A-Za-z0-9+/]{0,24}/.exec(text.slice(end, end + 24))?.[0] ?? "";
  return before !== "" && before.length + after.length >= 16 && looksRandom(before + after, 12);
}

const SPACE = 32;

function isAbout(text: string, start: number, end: number): boolean {
  const follows = text.charCodeAt(start - 1) === SPACE;
  const before =
    (follows && /[A-Za-z]{2,16} $/.exec(text.slice(Math.max(0, start - 18), start))?.[0]) || "";
  const name = plain(text.slice(start, Math.min(end, start + 80)));
  return ABOUT.test(name) || OTHER_KEY.test(plain(before) + name);
}

/** In lower case, with the parts of camelCase apart. */
function plain(name: string): string {
  const apart = /[a-z0-9][A-Z]/.test(name) ? name.replace(/([a-z0-9])([A-Z])/g, "$1_$2") : name;
  return apart.toLowerCase();
}

/** What its value is called in a receipt. */
export function kindOf({ word, clarity }: KeyWord): string {
  if (clarity === "password") return "password";
  if (/token|jwt|bearer|토큰|令牌|權杖|トークン/i.test(word)) return "token";
  if (/key|키|密钥|金鑰|キー|鍵|秘钥|密鑰/i.test(word)) return "api-key";
  return "secret";
}
