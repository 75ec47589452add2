/** What does a value look like? Every detector that has to guess asks here. */

import { isIn, WORD } from "./detectors/runs.ts";
import { measure, shareOfWords } from "./letters.ts";

const REFERENCES = [
  /^\$\{?\w+\}?(?::\d+)?$|^\$\$?(?:::)?\w+(?:::\w+)*$|^\$\\?[({[]|^%[\w.():]+%$|^%%|^=?\{\{|^<<?[^<>]*>{0,2}$|^\\\(|^[#%@&]\{|^\$\w+\$$|^__[A-Z\d_]+__$|^@\w+[.(]|^!\w+\b/, // ${TOKEN}, $(cmd), %TOKEN%, {{ token }}, <token>
  /^\$?(?:op|vault|ssm|sops|secret|secrets|env|file|keychain|arn|projects|ref\+\w+)(?::|\/)/i, // a pointer into a secret store
  /^(?:ENC|env|secrets?|var|vars|local|data|Fn|context|github|inputs|steps)[.[(]/i,
  /\b(?:process|import\.meta|os|System|Deno|Bun)\.?(?:env|getenv|environ)\b|\bgetenv\b|\benviron\b/i,
  /\[(?:REDACTED|PRIVATE)/,
  /^\$\w+(?:::\w+)*->[[{(A-Za-z_]|^(?:\$\{?\w+\}?|%s)\/|^\$\{?\w+\}?[:=]\$\{?\w/, // $self->{pass}, $dir/private, %s/.netrc, $KEY=$VALUE
];
const CODE = [
  /^[*&!+-]{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.|::|->)[A-Za-z_$][\w$]*)*[!?]?[([<]/, // call(), array[0], Generic<T>
  /^[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.#?|::|->)[A-Za-z_$][\w$]*)+(?<!\d)[!?;,)]*$/, // member.chain
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/, // CONSTANT_NAME
  /^[A-Za-z_]+(?::[A-Za-z_*]+)+$/, // cache:key:*
  /^(?:[+-]{2}|[!&*-])[A-Za-z_$][\w$.]*$/, // ++counter, &pointer
  /=>|\(\)|^[([{]|^\|/,
  /^(?!.*[@#%^~])(?:[\w$][\w$.?!]*)?[)}\]]+[,;:.(){}[\]=]+[A-Za-z_$]/, // a}),b: what opened before the value closes in it
  /\(\{|\}\)|[!=]==|[\w)][<>]=[\w.]|[\w)]&&[\w!]+[.(]|[,;]this\.|[\w)]\.[A-Za-z_]\w*\(|[\w)]\?\?|^[\w$.]+\?[\w$.]+:|\bnull==|^(?:await|yield|typeof|void)\b/, // a.call({b, a===b, a&&b.c, a??b, a?b:c
  /%\(\w+\)[sd]|%[sd](?![A-Za-z0-9])/, // Python/%s
  /^\*[A-Za-z_-]+\*?$|^[\w*]+(?:\.[\w*]+)*\.\*(?:\.|$)/, // *SECRET*, users.*.profile
];
/** `pk11_CopyToSlot(slot` */
const CALL = /^([A-Za-z_$][\w$.]*)\(/;
/** Code and data that their syntax alone proves, however random their names are. */
const SYNTAX = [
  /^(?:!!|!\(|::?|[&*]+[A-Za-z_][\w.]*[{(]|\/[(^[\\*]|\(\?|\[\^?[\w\\]-)/, // !!(x, ::wstring&, &pkg.Type{, a regular expression
  /^(?:new|get|create|make|load|read|fetch|build|parse|generate|encode|decode|verify|sign|is|has|to|with)[A-Z_]\w*\(/i,
  /^[a-z]+(?:\.[A-Za-z]+\d?[A-Za-z]*)+(?:[([]\S*)?$/, // crypto.pbkdf2Sync, types.JWTPayload
  /^[$€£¥]\d[\d.,]*(?:\/\S*|[kKmMbB])?$/, // a price
  /^[\^~<>=!]{0,3}\s?v?\d+(?:\.\d+)+(?:[=(,<]\S*|[-+.][\w.]+)?$|^[\^~<>=!]{1,3}\d[\w.,<>=!~^ -]*$/, // >=2.14.1,<3.0.0.dev0
  /^(?:npm|gh|workspace|catalog|link|portal|patch):/,
  /^[A-Z]{2,10}-\d{1,6}$|^(?:GHSA|CVE)-/, // an issue, an advisory
  /^[a-z_]+(?::[a-z_]+)*:(?:\d+|\*)$/, // user:1042
  /^ALL=\(/,
  /\(\?[:=!<]|\[\^|\\[bdsw](?![A-Za-z0-9])|[\])]\{\d/, // a regular expression
  /\$\\?\{[\w.$]+(?:[}(]|$)|(?<=.)\{[A-Za-z_]{3,16}(?::[^{}]{1,16})?\}/, // a template: `Bearer ${token}`, sk_{user}
  /\{[a-z]{1,2}:\d[\d+-]{0,5}\}/, // sk-{w:32+}, id-{x:08}
  /^[\w?*+.-]{2,24}(?:\|[\w?*+.-]{2,24}){2,}$/, // one|of|these
  /^[a-z_]+(?::[\w,.-]+)?(?:\|[a-z_]+(?::[\w,.-]+)?)+$/, // required|min:8
  /^\?[A-Za-z]+$|^\d+,[A-Za-z_$]+$/, // the name of a state, a number and the next field
  /^\/[^/\s]+\/[dgimsuvy]{0,4}$|^qr[/{|(!]|^\w+\/\*/, // a regular expression of Perl, a value and a comment
  /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\(|^[a-z_]+=[a-z]+(?:[-_][a-z]+)*$/, // a macro, an argument: scope=all
  /^--[a-z]+(?:-[a-z]+)*(?:=|$)|^\/\/[\w[]/, // the next option, an address without its scheme
  /^[a-z\d-]+(?:\.[a-z\d-]+)+\/v\d[a-z\d]*$/, // apps.example.io/v1beta1
  /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+=/, // NAME=…, whose value is judged by its own name
  /^this\.#?[A-Za-z_]|^[a-z]\w*(?:\.[a-z]\w*)*\.[A-Z][A-Z\d]*_[A-Z\d_]+$/, // settings.DB_PASSWORD_2
  /^[a-z\d]+[-_](?:password|passwd|passphrase|secret|token|key)$/i, // neo4j_password
  /^(?=(?:[a-z\d]+[-_])*(?:pass(?:word|wd|phrase|wordless)?|login|auth|token|credential)s?(?:[-_]|$))[a-z\d]{1,16}(?:[-_][a-z]+\d?){1,8}$/i, // reset-password-form
];
/** Types and functions of templates, which look like a word with a number, and what stands for a value in a usage: MY_TOKEN1. */
const NAMES =
  /^(?=(?:\D{0,40}\d){0,2}\D{0,40}$)[A-Z][A-Z\d_-]*(?<=PASS(?:WORD|WD|PHRASE)?|TOKEN|SECRET|KEY)\d?$|^(?:Big)?(?:Uint|Int|Float)\d+(?:Clamped)?Array\b|^(?:b64enc|b64dec|quote|sha256sum|toYaml|nindent|trim)$/;
const PATH =
  /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@~-]+(?:[\\/]|\.\w+$|$)|^[\w.@-]+(?:\/[\w.@-]+)+\.\w{1,5}$|^[\w-]+(?:\.[\w-]+)*\.(?:pem|key|crt|cer|json|ya?ml|toml|txt|env|md|ts|js|mjs|py|go|rs|java|rb|sh|sql|html?|css|com|net|org|io|dev|internal|local)$/i;
const FILLER =
  /^(.)\1+$|\.\.\.|…|\*{3}|x{4}|X{4}|^0{8}|^(?:abc|xyz)?-?(?:0?123(?:4(?:5(?:6(?:7(?:890?)?)?)?)?)?)?$|^\w{0,6}[-_]?abc-?123\w{0,3}$|^abcdef\w?$|sha\d+[:-]|(?:^|[^a-z])(?:your|example|placeholder|change.?me|replace|insert|dummy|sample|todo|fixme|redacted|hidden|masked|omitted|fake|here|goes|lorem)(?:[^a-z]|$)|EXAMPLE|^(?:my|some|the|any|old|new|a|an)[-_ ]|_here$/i;
/** Letters in a row, in one case or in turns: in any mixture they may be those of a key. */
const ALPHABET = /abcdefghij|ABCDEFGHIJ|AbCdEfGhIj|aBcDeFgHiJ|AbcDefGhi/;
const TYPES =
  /^(?:string|str|number|int|integer|boolean|bool|bytes|any|object|array|text|char|varchar|null|nil|none|undefined|true|false|void|unknown|optional|required|invalid|incorrect|mismatch|wrong|missing|expired|weak|strong|changed|updated|confirm|reset|hidden|visible|forgotten|disabled|enabled|auto|default|empty|unset|n\/a|yes|no|on|off|include|omit|same-origin|inherit|secret(?:str)?|password|passwd|pass|pwd|token|key|apikey|api[-_]key|credentials?|foo|bar|baz|foobar|test|testing|hello|world|value|name|admin|root|user|username|guest|postgres)[?;,.!)]*$/i;
const UNIT_OR_VERSION =
  /^v\d+(?:alpha|beta|rc)\d*$|^(?!v\d+[a-z]{3}|\d{6,}[a-z]{4})[v^~<>=]*\d+(?:[.,:/x×-]\d+)*(?:[a-z%]{1,6}|[-+][\w.]+)?$|^\d{1,5}[-\s]?[a-z]{1,12}$/i;
/** `3h30m`, `90days6hours`, `P1DT12H`. */
const DURATION =
  /^(?:\d+\.)?(?:\d+(?:\.\d+)?(?:[nµu]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|y|years?))+$|^P(?:\d+[YMWD])*(?:T(?:\d+(?:\.\d+)?[HMS])*)?$/i;
/** `2026-01-31T10:11:12.123Z`, `20260131T101112Z`, `2026-W05-3`, and with a blank before the time. */
const DATE =
  /^\d{4}(?:-\d\d-\d\d|-W\d\d(?:-\d)?|\d{3,4}(?=T\d))(?:[T_ ]\d\d:?\d\d(?::?\d{1,2}(?:[.,]\d{1,9})?)?)?(?:\s?(?:Z|UTC|[+-]\d\d:?\d\d))?$|^\d\d?-?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-?\d{4}(?:[T_ :]\d\d[:h]\d\d[\d:m]*Z?)?$/i;
const COLOUR = /^#[0-9a-f]{3,8}$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{11,12}$/i;
const ALGORITHM =
  /^(?:sha-?\d+|md5|aes-?\d+[\w-]*|rsa[-_]?\d*|ed25519|x25519|base(?:32|58|62|64)(?:url)?|utf-?(?:8|16|32)|oauth-?[12](?:\.\d)?|hs256|rs256|es256|http[/-]?[123.]*|ipv[46]|es20\d\d|hmac[-\w]*|bcrypt|argon2(?:id|i|d)?|pbkdf2|scrypt|x-?509|pkcs-?\d+|s3|ec2|k8s|i18n|oidc|p256|secp256k1|windows-?\d+|ubuntu-?[\d.]+|node-?\d+|python-?[\d.]+|base64(?:url)?-encoded|(?:\d?[a-z]{2,8}\d{0,3}-){1,5}(?:md5|ccm|gcm|sha\d*(?:-\d{3})?(?:-plus)?))$/i;
const HEX_NUMBER = /^_?0x[\da-f]{1,16}[ul]{0,3}$/i;
/** What each of these matches is nothing else; one pattern, because every value is compared with it. */
const WHOLE = new RegExp(
  [TYPES, UNIT_OR_VERSION, DURATION, DATE, ALGORITHM, COLOUR, HEX_NUMBER].map(({ source }) => source).join("|"),
  "i",
);

/** One pattern for all with the same flags: a value is compared with every one of them. */
function together(patterns: readonly RegExp[]): RegExp[] {
  return [...new Set(patterns.map(({ flags }) => flags))].map(
    (flags) =>
      new RegExp(
        patterns
          .filter((pattern) => pattern.flags === flags)
          .map(({ source }) => source)
          .join("|"),
        flags,
      ),
  );
}
const IS_REFERENCE = together(REFERENCES);
const IS_CODE = together(CODE);
const IS_SYNTAX = together(SYNTAX);

/** A pointer to a secret, code that fetches one, a path, a type, a filler: not a secret, whatever name it has. */
export function isInert(value: string): boolean {
  return isStandIn(value) || (/[^A-Za-z0-9]/.test(value) && isSyntax(value));
}

/** A pointer to a secret, a path, a type, a filler: not a secret even where no code can stand. */
export function isStandIn(value: string): boolean {
  return (
    value.length < 4 ||
    WHOLE.test(value) ||
    FILLER.test(value) ||
    ALPHABET.test(value) ||
    NAMES.test(value) ||
    (/[^A-Za-z0-9]/.test(value) &&
      (value.includes("://") || PATH.test(value) || IS_REFERENCE.some((pattern) => pattern.test(value))))
  );
}

/** Code or data, which need more than letters and digits. */
function isSyntax(value: string): boolean {
  return (
    IS_SYNTAX.some((pattern) => pattern.test(value)) ||
    (IS_CODE.some((pattern) => pattern.test(value)) && !looksRandom(value, 10)) ||
    isName(CALL.exec(value)?.[1] ?? "")
  );
}

/** Joined words and nothing else: `db-credentials`, `max_tokens`, `sessionStore`. */
export function isWords(value: string): boolean {
  return /^[A-Za-z]+(?:[-_./ ][A-Za-z]+)*$/.test(value) && (measure(value).rarePairs ?? 0) < 0.4;
}

/** A date, with or without a time. */
export function isDate(value: string): boolean {
  return DATE.test(value);
}

/** `blue_harbor`: a password that people make, and a name in code; where it stands decides. */
export function isTwoWords(value: string): boolean {
  return /^[a-z]{3,12}[-_][a-z]{3,12}$/.test(value);
}

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** What a program calls something by: words and short numbers, joined: `projects/blue-cedar/db2`, `oAuth2Api`. */
export function isLabel(value: string): boolean {
  if (!/^[A-Za-z][A-Za-z\d]*(?:[-_./:@|$ ]+[A-Za-z\d]*)*$/.test(value) || /\d{4}/.test(value)) return false;
  const { rarePairs = 0, meanPiece } = measure(value);
  return /[-_./:@| ]|[a-z\d][A-Z]/.test(value) && rarePairs < 0.4 && (meanPiece >= 2 || value.length < 8);
}

/** Hexadecimal of one case: most often a commit or a checksum. Colons may join its parts. */
export function isDigest(value: string): boolean {
  return value.length >= 7 && /^(?:[0-9a-f:]+|[0-9A-F:]+)$/.test(value);
}

/** At least `least` characters that nobody would choose: a generated token. */
export function looksRandom(value: string, least: number): boolean {
  if (value.length < least || /[^\x21-\x7e]/.test(value)) return false;
  const longest = longestPart(value);
  // short groups, as in `q6jkoBIw-pIACpZ0M-…`, count together when they mix everything
  const grouped = longest.length < 10 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
  const body = grouped ? value.replace(/[^A-Za-z0-9]+/g, "") : longest;
  if (body.length < Math.min(least, 10)) return false;
  const { rarePairs: rare, meanPiece: mean } = measure(body);
  if (!/\d/.test(body)) {
    if (body.length < 10 || rare === undefined) return false;
    return rare >= (body.length < 12 ? 0.5 : 0.4) || (mean <= 2.5 && rare >= 0.25 && /[a-z]/.test(body));
  }
  if (!/[A-Za-z]/.test(body)) return false;
  if (grouped) return mean <= 2.4 && (rare === undefined || rare >= 0.3);
  return (mean <= 3.4 && (rare === undefined || rare >= 0.2)) || (rare !== undefined && rare >= 0.4);
}

/** A name in code, though few of its letter pairs are those of words: `xmlSecGnuTLSKeyDataX509GetKlass`, `crypto.hmacSha256`. */
export function isName(value: string): boolean {
  if (!/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/.test(value)) return false;
  const parts = value.split(".");
  return parts.every(
    (part) => readsAsName(part) || (parts.length > 1 && (isWords(part) || /^[A-Za-z]{1,12}$/.test(part))),
  );
}

/** Random tokens have more digits, and next to no words. */
function readsAsName(part: string): boolean {
  const share = shareOfWords(longestPart(part));
  const numbers = part.match(/\d+/g)?.length ?? 0;
  return share >= 0.5 || (share >= 0.3 && numbers <= 2) || (share >= 0.25 && numbers === 0);
}

/** The longest stretch of letters and digits. */
function longestPart(value: string): string {
  let [start, end] = [0, 0];
  for (let from = 0, i = 0; i <= value.length; i++) {
    if (i < value.length && isIn(WORD, value.charCodeAt(i))) continue;
    if (i - from > end - start) [start, end] = [from, i];
    from = i + 1;
  }
  return value.slice(start, end);
}

/** Letters mixed with digits or symbols, as people write passwords: `winter1905$`, `Rocket31?`. */
export function looksChosen(value: string): boolean {
  if (value.length < 6 || !/[A-Za-z]/.test(value) || isWords(value)) return false;
  if (/[!@#$%^&*?~+=]/.test(value.replace(/^[@#]|[?!:]$/g, ""))) return true;
  if (!/\d/.test(value) || isLongIdentifier(value)) return false;
  // words with a number in them (`2fa-protected`, `step_2_done`, `db-password-v2`, `10.0.0.4`) are names
  return !/^[a-z]+\d?(?:[-_.][a-z]*\d?[a-z]*)+$|^\d+[a-z]*(?:-[a-z]+)+$|^[\d.:]+$|^[a-z\d-]+\.[a-z\d.-]+$/.test(value);
}

/** `adminTrustOAuth2JwtGrantIssuer`, and not `winter2summer100`: a name seldom has a number within and one at its end. */
function isLongIdentifier(value: string): boolean {
  if (value.length < 16 || !/^[A-Za-z_$][\w$]*$/.test(value) || /\d[A-Za-z]+\d{2,}$/.test(value)) return false;
  return measure(value).meanPiece > 3;
}

/** What the random part of a sample token is made of. */
export const SEQUENCE = /abc-?123|123-?abc|12345|abcdef/i;

/** What documentation writes in place of a token (`xxxx`, `your-key-here`, `...`), and names that only begin like one. */
export function isFiller(body: string): boolean {
  return (
    /^(.)\1{7}|x{6}|X{6}|\.{3}|(?:^|[_.-])(?:your|example|placeholder|token|here|redacted|replace)(?:[_.-]|$)|EXAMPLE$/i.test(
      body,
    ) ||
    isWords(body) ||
    // reload_configuration_v2_defaults
    /^(?:[a-z]+|[A-Z]+|v?\d{1,4})(?:[-_.](?:[a-z]+|[A-Z]+|v?\d{1,4})){2,}$/.test(body)
  );
}
