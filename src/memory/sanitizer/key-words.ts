/** The words that announce a credential, in English, Korean, Chinese and Japanese. */

/** How clear a word is. After "password" even plain letters are a secret; after a bare "key" only random characters are. */
export type Clarity = "password" | "secret" | "key";

export interface KeyWord {
  /** Of the whole identifier: `db_password` in `app.db_password_v2`. */
  readonly start: number;
  /** One past the last character of the word itself; the identifier may go on. */
  readonly wordEnd: number;
  readonly end: number;
  readonly clarity: Clarity;
  readonly kind: string;
  readonly name: string;
  readonly cjk: boolean;
}

const ENGLISH = [
  "passw(?:or[dt]|d)?|passphrase|passcode|pswd|(?<![a-z])pwd|Pwd|PWD|psw(?=[\"']?\\s*[:=])|(?<![a-zA-Z]|[.])pass(?![a-zA-Z])|(?<=[a-z0-9])Pass(?![a-z])|(?<=[A-Z]_)PASS(?![A-Z])|(?<![a-z])pw(?=\\s*[:=])",
  "secret|token(?!i[sz]|-(?:based|aware|level|budget))|credential|(?<![a-z])creds(?![a-z])|api[-_. ]?key|bearer|(?<![a-z])jwt(?![a-z])",
  "(?:access|private|signing|signature|encryption|decryption|master|account|licen[sc]e|service|admin|auth|app|application|client|deploy|storage|shared|webhook|functions?|subscription|integration|personal|project|server|sdk|integrity|write|ingest|insert|user|consumer|security|recovery|signature|activation|provisioning|bot|rest|global)[-_ ]?key",
  "session[-_ ]?(?:id|key|cookie)|(?<![a-z])(?:sid|sessid)(?=\\s?=)|authorization|(?<![a-z])_?auth(?![a-z])|(?<![a-z])otp(?![a-z])|mnemonic|seed phrase|recovery code|backup code|connection[-_ ]?string|(?<![a-z])private(?![a-z])",
  "(?<![a-z])keys?(?![a-z])|(?<=[a-z0-9])Key(?![a-z])",
];
const CJK = [
  "비밀번호|비번|패스워드|암호|密码|密碼|口令|パスワード|暗証番号",
  "시크릿|비밀 ?키|인증 ?키|액세스 ?키|API ?키|개인 ?키|서비스 ?키|접근 ?키|토큰|인증서 키|자격 ?증명|보안 ?키|암호화 ?키|密钥|秘钥|金鑰|密鑰|私钥|令牌|權杖|凭证|凭据|憑證|授权码|シークレット|秘密鍵|トークン|アクセスキー|API ?キー|認証キー|認証情報|暗号鍵|合言葉",
  "(?<=[가-힣A-Za-z] ?)키(?=[는은가이를: ])|キー",
];
const WORDS = new RegExp(`(${ENGLISH[0]})|(${ENGLISH.slice(1, 4).join("|")})|(${ENGLISH[4]})|(${CJK[0]})|(${CJK[1]})|(${CJK[2]})`, "gi");

const BEFORE = /[A-Za-z0-9_.$-]{0,60}$/;
const AFTER = /[A-Za-z0-9_-]*/y;
/** Keys that are no secrets: of maps, rows and caches, and the public halves. */
const NOT_SECRET =
  /(?:public|primary|foreign|partition|sort|cache|idempotency|hash|object|routing|row|group|map|composite|unique|index|lookup|dedupe|sharding|shard|i18n|translation|hot|arrow|enter|escape|publishable|anon|config|storage|query|state|react|dict|json|registry|lock|host|color|theme)[-_ ]?key|key[-_ ]?(?:id|name|path|file|type|size|length|vault|word|code|board|frame|space|url|usage|algorithm|prefix|hash|ref)|keyword|(?:token|secret|password|key|auth|credential|cookie)s?[-_ ]?(?:id|ids|name|names|type|types|url|uri|endpoint|path|file|count|limit|limits|budget|length|len|size|ttl|expiry|expires|expired|expiration|provider|store|manager|class|scope|scopes|field|policy|prefix|format|version|mode|hash|digest|method|methods|lifetime|error|usage|used|ref|refs|helper|service|required|enabled|status|regex|pattern|hint|label|placeholder|input|arn|handler|callback|cache|loader|vault|request|response|rotation|scheme|header|headers|param|params|address|issuer|audience|symbol|mint|contract|domain|kind|at|in|by)$|(?:max|min|num|total|input|output|prompt|completion|cached|csrf|next|page|cancel\w*|continuation|sync|reasoning|context|budget|design|css|syntax|hidden|special|stop|eos|bos|pad|invalid|missing|unexpected|no|without|show|reset|forgot|change|verify|validate|hash|check|compare|generate|create|get|is|has|use|with)[-_ ]?(?:tokens?|password|secret)$/i;

/** Every credential word of a text, with the identifier around it. */
export function keyWords(text: string): KeyWord[] {
  const found: KeyWord[] = [];
  let past = 0;
  for (const word of text.matchAll(WORDS)) {
    const wordEnd = word.index + word[0].length;
    const cjk = (word[4] ?? word[5] ?? word[6]) !== undefined;
    const start = cjk ? word.index : word.index - (BEFORE.exec(text.slice(Math.max(past, word.index - 60), word.index))?.[0].length ?? 0);
    AFTER.lastIndex = wordEnd;
    const end = cjk ? wordEnd : wordEnd + (AFTER.exec(text)?.[0].length ?? 0);
    const name = text.slice(start, end);
    past = wordEnd;
    if (!cjk && NOT_SECRET.test(name)) continue;
    const clarity = (word[1] ?? word[4]) !== undefined ? "password" : (word[2] ?? word[5]) !== undefined ? "secret" : "key";
    found.push({ start, wordEnd, end, clarity, kind: kindOf(word[0], clarity), name, cjk });
  }
  return found;
}

function kindOf(word: string, clarity: Clarity): string {
  if (clarity === "password") return "password";
  if (/token|jwt|bearer|토큰|令牌|權杖|トークン/i.test(word)) return "token";
  if (/key|키|密钥|金鑰|キー|鍵|秘钥|密鑰/i.test(word)) return "api-key";
  return "secret";
}
