/** The words that announce a credential, in English, Korean, Chinese and Japanese. */
import { beginningsOf, landmarksOf } from "../search.ts";
import { type Landmarks, matchAt, matchesIn } from "../span.ts";
import { looksRandom } from "../values/shape.ts";

/** How clear a word is. After "password" even letters are a secret, after a bare "key" only random characters. */
export type Clarity = "password" | "secret" | "key";

export interface KeyWord {
  /** The start of the whole identifier: `db_password_v2`. */
  readonly start: number;
  /** One past the word itself. The identifier may continue to `end`. */
  readonly wordEnd: number;
  readonly end: number;
  readonly clarity: Clarity;
  readonly word: string;
  readonly cjk: boolean;
}

/** Words of one clarity. They count `anywhere` in an identifier (`mytoken`), or `alone` (not in `compass` or `monkey`). */
interface Group {
  readonly clarity: Clarity;
  readonly place: "anywhere" | "alone" | "eastern";
  /** Regular expressions without capturing groups. */
  readonly words: readonly string[];
}

const KINDS_OF_KEY =
  "access|private|signing|signature|encryption|decryption|master|account|licen[sc]e|service|admin|auth|app|application|client|deploy|storage|shared|webhook|functions?|subscription|integration|personal|project|server|sdk|integrity|write|ingest|insert|user|consumer|security|recovery|activation|provisioning|bot|rest|global";

const GROUPS: readonly Group[] = [
  {
    clarity: "password",
    place: "anywhere",
    words: [
      "passw(?:or[dt]|d)?",
      "passphrase",
      "passcode",
      "pswd",
      "(?:ssh|pg|db|user|root|admin|smtp|mail|ftp|mysql)pass(?![a-z])",
    ],
  },
  {
    clarity: "secret",
    place: "anywhere",
    words: [
      "secret[-_ ]?(?:access[-_ ]?)?key",
      "secret",
      "token(?!i[sz])",
      "credential",
      "api[-_. ]?key",
      "bearer",
      `(?:${KINDS_OF_KEY})[-_ ]?key`,
      "session[-_ ]?(?:key|cookie|secret)",
      "authorization",
      "mnemonic",
      "seed phrase",
      "(?:recovery|backup) code",
      "connection[-_ ]?string",
      "sonar[._]login",
      "service_role",
    ],
  },
  {
    clarity: "password",
    place: "alone",
    words: ["pwd", "pw", "psw", "psk", "(?<=--(?:[a-z]{1,12}-)?)pass(?=[ =])"],
  },
  {
    clarity: "secret",
    place: "alone",
    words: [
      "pass(?=\\W{0,3}[:=|,>])",
      "(?<=_)pass(?=[ \\t]{1,12}[\"'])",
      "creds?",
      "pat",
      "salt",
      "unseal",
      "csc_link",
      "jwt",
      "sid",
      "sessid",
      "_?auth",
      "otp",
    ],
  },
  { clarity: "key", place: "alone", words: ["keys?", "private"] },
  {
    clarity: "password",
    place: "eastern",
    words: ["비밀번호|비번|패스워드|암호", "密码|密碼|口令", "パスワード|暗証番号"],
  },
  {
    clarity: "secret",
    place: "eastern",
    words: [
      "시크릿(?: ?키)?|비밀 ?키|인증 ?키|액세스 ?키|API ?키|개인 ?키|서비스 ?키|접근 ?키|토큰(?: ?값)?|자격 ?증명|보안 ?키|암호화 ?키",
      "密钥|秘钥|金鑰|密鑰|私钥|令牌|權杖|凭证|凭据|憑證|授权码",
      "シークレット|秘密鍵|トークン|アクセスキー|API ?キー|認証キー|認証情報|暗号鍵|合言葉",
    ],
  },
  { clarity: "key", place: "eastern", words: ["(?<=[가-힣A-Za-z] ?)키(?=[는은가이를: ])", "キー"] },
];
const WORD = new RegExp(GROUPS.map(({ words }) => `(${words.join("|")})`).join("|"), "iy");

/** The beginnings of the words above. The patterns are tried only there. */
const BEGINNINGS =
  "pass|ps|pw|ssh|pg|db|user|root|admin|smtp|mail|ftp|mysql|secret|token|cred|api|bearer|access|private|sign|encrypt|decrypt|master|account|licen|service|auth|app|client|deploy|storage|shared|webhook|function|subscription|integrat|personal|project|server|sdk|integrity|write|ingest|insert|consumer|security|recovery|activation|provisioning|bot|rest|global|sess|mnemonic|seed|backup|connection|sonar|pat|salt|unseal|csc_|jwt|sid|_auth|otp|key";
const beginnings = beginningsOf(BEGINNINGS.split("|"));
const HAS_EASTERN = /[\u3040-\ud7af]/;
const EASTERN_BEGINNINGS =
  /(?:API ?)?[비패암密口パ暗시인액개서접토자보秘金私令權凭憑授シトア認合키キ]/gi;

const BEFORE = /[A-Za-z0-9_$-]*$/;
const AFTER = /[A-Za-z0-9_-]{0,400}/y;
const LONGEST_NAME = 60;

/** Finds every credential word of a text, with the identifier around it. */
export function keyWords(text: string, landmarks = landmarksOf(text)): KeyWord[] {
  const found: KeyWord[] = [];
  let past = 0;
  for (const match of wordsIn(text, landmarks)) {
    if (match.index < past || !mayBeWord(text, match)) {
      continue;
    }
    const name = identifierAround(text, match, past);
    // A longer run isn't a name. Looking at it once keeps the work linear.
    past = name.end - name.wordEnd > LONGEST_NAME ? name.end : name.wordEnd;
    if (!isByChance(text, match, name)) {
      found.push(name);
    }
  }
  return found;
}

function mayBeWord(text: string, { index, word, group }: Match): boolean {
  return group.place !== "alone" || standsAlone(text, index, index + word.length);
}

function identifierAround(text: string, { index, word, group }: Match, from: number): KeyWord {
  const clarity = word === "PASS" ? "password" : group.clarity; // DB_PASS
  const wordEnd = index + word.length;
  if (group.place === "eastern") {
    return { start: index, wordEnd, end: wordEnd, clarity, word, cjk: true };
  }
  const before = text.slice(Math.max(from, index - LONGEST_NAME), index);
  const start = index - (BEFORE.exec(before)?.[0].length ?? 0);
  const end = wordEnd + (matchAt(AFTER, text, wordEnd)?.[0].length ?? 0);
  return { start, wordEnd, end, clarity, word, cjk: false };
}

function isByChance(text: string, { index, group }: Match, name: KeyWord): boolean {
  if (group.place === "eastern") {
    return false;
  }
  if (group.place === "alone" && isInsideRandom(text, index, name.wordEnd)) {
    return true;
  }
  return isOtherThing(text, name.start, name.end);
}

interface Match {
  readonly index: number;
  readonly word: string;
  readonly group: Group;
}

/** The words of a text, in order and without overlaps. */
function wordsIn(text: string, landmarks: Landmarks): Match[] {
  const found: Match[] = [];
  let past = 0;
  for (const start of startsOfWords(text, landmarks)) {
    const match = start < past ? undefined : matchAt(WORD, text, start);
    if (!match) {
      continue;
    }
    past = start + match[0].length;
    const [word, ...groups] = match;
    const group = GROUPS[groups.findIndex((one) => one !== undefined)];
    if (group) {
      found.push({ index: start, word, group });
    }
  }
  return found;
}

function startsOfWords(text: string, landmarks: Landmarks): number[] {
  const starts = beginnings(landmarks);
  if (HAS_EASTERN.test(text)) {
    for (const { index, 0: beginning } of matchesIn(text, EASTERN_BEGINNINGS)) {
      starts.push(index, index + beginning.length - 1);
    }
  }
  return starts.sort((a, b) => a - b);
}

/** Whether the case of letters or another character sets a short word apart from its neighbors. */
function standsAlone(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end);
  // Base64 changes case inside a word (`…i7pWd…`), a name doesn't.
  if (!/^(?:_?[A-Z]?[a-z]+|_?[A-Z]+|.*\W.*)$/.test(word)) {
    return false;
  }
  const before = text.charAt(start - 1);
  if (word === "PASS" && before !== "_") {
    return false; // the result of a test
  }
  if (/^(?:pat|salt|cred)$/i.test(word) && (before !== "_" || word !== word.toUpperCase())) {
    return false;
  }
  if (/^p(?:wd|w|sw)$/i.test(word) && isFolderOrValue(text, start)) {
    return false;
  }
  return isEdge(before, word.charAt(0)) && isEdge(word.charAt(word.length - 1), text.charAt(end));
}

/** `$PWD` and `$(pwd)` are a folder, and in `DEBUG=pw:api` it's a value. */
const isFolderOrValue = (text: string, start: number): boolean =>
  text.charAt(start - 1) === "=" ||
  /(?:\$[({]?|`)$/.test(text.slice(Math.max(0, start - 2), start));

/** Between two words: a character that isn't a letter, or a change from lower to upper case. */
function isEdge(left: string, right: string): boolean {
  if (!/[A-Za-z]/.test(left) || !/[A-Za-z]/.test(right)) {
    return true;
  }
  return /[a-z]/.test(left) && /[A-Z]/.test(right);
}

/** Whether a short word is part of a digest, a certificate or a data URI by chance. */
function isInsideRandom(text: string, start: number, end: number): boolean {
  const before = /[A-Za-z0-9+/]{0,24}$/.exec(text.slice(Math.max(0, start - 24), start))?.[0] ?? "";
  const after = /^[A-Za-z0-9+/]{0,24}/.exec(text.slice(end, end + 24))?.[0] ?? "";
  return before !== "" && before.length + after.length >= 16 && looksRandom(before + after, 12);
}

/** The words before "key" in maps, rows and caches, and in public halves of keys. */
const OTHER_KEYS =
  "public|primary|foreign|partition|sort|cache|idempotency|hash|object|routing|row|group|map|composite|unique|index|lookup|dedupe|shard|sharding|i18n|translation|hot|arrow|enter|escape|publishable|anon|config|query|state|dict|json|registry|lock|host|react";
const OTHER_KEY = new RegExp(`(?:^|[-_. ])(?:${OTHER_KEYS})[-_ ]?keys?$`);

/** Properties of a key: `key_id`, `keyboard`. */
const PROPERTIES_OF_KEY =
  "id|ids|name|names|path|file|type|size|length|vault|word|code|board|frame|space|url|usage|algorithm|prefix|hash|ref";
/** Properties of any credential: `token_count`, `password-policy`. */
const PROPERTIES =
  "id|ids|name|names|type|types|url|uri|endpoint|path|file|count|limits?|budget|length|len|size|ttl|expiry|expires|expired|expiration|provider|store|manager|class|scopes?|field|policy|prefix|format|version|mode|hash|digest|methods?|lifetime|error|usage|used|refs?|helper|service|required|enabled|status|regex|pattern|hint|label|placeholder|input|arn|handler|callback|cache|loader|vault|request|response|rotation|scheme|headers?|params?|address|issuer|audience|symbol|mint|contract|domain|kind|at|in|by";
/** Tokens of models, parsers and pages, and verbs: `max_tokens`, `csrf_token`, `reset-password`. */
const OTHER_TOKENS =
  "max|min|num|total|input|output|prompt|completion|cached|csrf|next|page|cancel|cancellation|continuation|sync|reasoning|context|budget|design|css|syntax|hidden|special|stop|eos|bos|pad|invalid|missing|unexpected|no|without|show|reset|forgot|change|verify|validate|hash|check|compare|generate|create|get|is|has";
const NOT_A_CREDENTIAL = new RegExp(
  [
    `keys?[-_ ]?(?:${PROPERTIES_OF_KEY})$`,
    "[-_ ](?:algorithms?|interval)$",
    `(?:token|secret|password|key|auth|credential|cookie)s?[-_ ](?:${PROPERTIES})$`,
    `(?:^|[-_. ])(?:${OTHER_TOKENS})[-_ ]?(?:tokens?|password|secret|auth)$`,
  ].join("|"),
);
const LONGEST_JUDGED = 80;

/** Whether an identifier is something other than a credential, although it contains a credential word. */
function isOtherThing(text: string, start: number, end: number): boolean {
  const name = inSnakeCase(text.slice(start, Math.min(end, start + LONGEST_JUDGED)));
  if (NOT_A_CREDENTIAL.test(name)) {
    return true;
  }
  const before = /[A-Za-z]{2,16} $/.exec(text.slice(Math.max(0, start - 18), start))?.[0] ?? "";
  return OTHER_KEY.test(inSnakeCase(before) + name) || isInResourceName(text, start);
}

/** Converts `fooBar` to `foo_bar`. */
const inSnakeCase = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();

/** `arn:aws:secretsmanager:…:secret:prod/db` refers to a secret without containing it. */
function isInResourceName(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  return before.includes("arn:") && /arn:[\w-]*:\S*$/.test(before);
}

/** The kind of the value in a receipt. */
export function kindOf({ word, clarity }: KeyWord): string {
  if (clarity === "password") {
    return "password";
  }
  if (/token|jwt|bearer|토큰|令牌|權杖|トークン/i.test(word)) {
    return "token";
  }
  if (/key|키|密钥|金鑰|キー|鍵|秘钥|密鑰/i.test(word)) {
    return "api-key";
  }
  return "secret";
}
