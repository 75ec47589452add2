import { looksChosen, looksRandom } from "./shape.ts";

/** Patterns by what they match, each with an example where the name does not say it. */
type Patterns = Readonly<Record<string, RegExp>>;

const REFERENCES: Patterns = {
  "a variable: ${TOKEN}, $$TOKEN, $::app::token":
    /^\$\{?\w+\}?(?::\d+)?$|^\$\$?(?:::)?\w+(?:::\w+)*$|^\$\w+\$$/,
  "what a shell runs or expands: $(cat key)": /^\$\\?[({[]|^`/,
  "a variable of Windows, a parameter of Symfony": /^%[\w.():]+%$|^%%/,
  "a template: {{ token }}, #{token}, \\(token)": /^=?\{\{|^[#%@&]\{|^\\\(/,
  "a name in angle brackets": /^<<?[^<>]*>{0,2}$/,
  "a call of a decorator, a tag of YAML": /^@\w+[.(]|^!\w+\b/,
  "a pointer into a store":
    /^\$?(?:op|vault|ssm|sops|secret|secrets|env|file|keychain|arn|projects|ref\+\w+)(?::|\/)/i,
  "a member of a context":
    /^(?:ENC|env|secrets?|var|vars|local|data|Fn|context|github|inputs|steps)[.[(]/i,
  "the environment of a process":
    /\b(?:process|import\.meta|os|System|Deno|Bun)\.?(?:env|getenv|environ)\b|\bgetenv\b|\benviron\b/i,
  "a mark of ours": /\[(?:REDACTED|PRIVATE)/,
  "a member in Perl": /^\$\w+(?:::\w+)*->[[{(A-Za-z_]/,
  "a path below a variable: $dir/private, %s/.netrc": /^(?:\$\{?\w+\}?|%s)\//,
  "two variables: $KEY=$VALUE": /^\$\{?\w+\}?[:=]\$\{?\w/,
};

/** Code, unless its names look random. */
const CODE: Patterns = {
  "call(), array[0], Generic<T>":
    /^[*&!+-]{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.|::|->)[A-Za-z_$][\w$]*)*[!?]?[([<]/,
  "member.chain": /^[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.#?|::|->)[A-Za-z_$][\w$]*)+(?<!\d)[!?;,)]*$/,
  CONSTANT_NAME: /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/,
  "cache:key:*": /^[A-Za-z_]+(?::[A-Za-z_*]+)+$/,
  "++counter, &pointer": /^(?:[+-]{2}|[!&*-])[A-Za-z_$][\w$.]*$/,
  "a function, a list, an object, a pipe": /=>|\(\)|^[([{]|^\|/,
  "what closes what opened before it: a}),b":
    /^(?!.*[@#%^~])(?:[\w$][\w$.?!]*)?[)}\]]+[,;:.(){}[\]=]+[A-Za-z_$]/,
  "a&&b.c, a??b, a?b:c": /[\w)]&&[\w!]+[.(]|[\w)]\?\?|^[\w$.]+\?[\w$.]+:/,
  "a call of a member": /[,;]this\.|[\w)]\.[A-Za-z_]\w*\(/,
  "a format: Python/%s": /%\(\w+\)[sd]|%[sd](?![A-Za-z0-9])/,
  "a mask: *SECRET*, users.*.profile": /^\*[A-Za-z_-]+\*?$|^[\w*]+(?:\.[\w*]+)*\.\*(?:\.|$)/,
};

/** Code and data that their syntax alone proves, however random their names are. */
const SYNTAX: Patterns = {
  "!!(x, ::wstring&, &pkg.Type{": /^(?:!!|!\(|::?|[&*]+[A-Za-z_][\w.]*[{(])/,
  "the beginning of a regular expression": /^(?:\/[(^[\\*]|\(\?|\[\^?[\w\\]-)|^qr[/{|(!]/,
  "a part of one": /\(\?[:=!<]|\[\^|\\[bdsw](?![A-Za-z0-9])|[\])]\{\d/,
  "a call that begins with a verb":
    /^(?:new|get|create|make|load|read|fetch|build|parse|generate|encode|decode|verify|sign|is|has|to|with)[A-Z_]\w*\(/i,
  "crypto.pbkdf2Sync, types.JWTPayload": /^[a-z]+(?:\.[A-Za-z]+\d?[A-Za-z]*)+(?:[([]\S*)?$/,
  "a price": /^[$€£¥]\d[\d.,]*(?:\/\S*|[kKmMbB])?$/,
  "versions: >=2.14.1,<3.0.0.dev0":
    /^[\^~<>=!]{0,3}\s?v?\d+(?:\.\d+)+(?:[=(,<]\S*|[-+.][\w.]+)?$|^[\^~<>=!]{1,3}\d[\w.,<>=!~^ -]*$/,
  "where a package is": /^(?:npm|gh|workspace|catalog|link|portal|patch):/,
  "an issue, an advisory": /^[A-Z]{2,10}-\d{1,6}$|^(?:GHSA|CVE)-/,
  "user:1042": /^[a-z_]+(?::[a-z_]+)*:(?:\d+|\*)$/,
  "a template: Bearer ${token}, sk_{user}":
    /\$\\?\{[\w.$]+(?:[}(]|$)|(?<=.)\{[A-Za-z_]{3,16}(?::[^{}]{1,16})?\}/,
  "the shape of a token: sk-{w:32+}, id-{x:08}": /\{[a-z]{1,2}:\d[\d+-]{0,5}\}/,
  "one|of|these": /^[\w?*+.-]{2,24}(?:\|[\w?*+.-]{2,24}){2,}$/,
  "required|min:8": /^[a-z_]+(?::[\w,.-]+)?(?:\|[a-z_]+(?::[\w,.-]+)?)+$/,
  "the name of a state, a number and the next field": /^\?[A-Za-z]+$|^\d+,[A-Za-z_$]+$/,
  "a value and a comment": /^\w+\/\*/,
  "a macro": /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\(/,
  "an argument: scope=all": /^[a-z_]+=[a-z]+(?:[-_][a-z]+)*$/,
  "the next option, an address without its scheme": /^--[a-z]+(?:-[a-z]+)*(?:=|$)|^\/\/[\w[]/,
  "apps.example.io/v1beta1": /^[a-z\d-]+(?:\.[a-z\d-]+)+\/v\d[a-z\d]*$/,
  "NAME=…, whose value is judged by its own name": /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+=/,
  "this.token, settings.DB_PASSWORD_2":
    /^this\.#?[A-Za-z_]|^[a-z]\w*(?:\.[a-z]\w*)*\.[A-Z][A-Z\d]*_[A-Z\d_]+$/,
  "reset-password-form":
    /^(?=(?:[a-z\d]+[-_])*(?:pass(?:word|wd|phrase|wordless)?|login|auth|token|credential)s?(?:[-_]|$))[a-z\d]{1,16}(?:[-_][a-z]+\d?){1,8}$/i,
};

/** Types and functions of templates, which look like a word with a number, and what stands for a value in a usage: MY_TOKEN1. */
const NAMES =
  /^(?=(?:\D{0,40}\d){0,2}\D{0,40}$)[A-Z][A-Z\d_-]*(?<=PASS(?:WORD|WD|PHRASE)?|TOKEN|SECRET|KEY)\d?$|^(?:Big)?(?:Uint|Int|Float)\d+(?:Clamped)?Array\b|^(?:b64enc|b64dec|quote|sha256sum|toYaml|nindent|trim)$/;
const PATH =
  /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@~-]+(?:[\\/]|\.\w+$|$)|^[\w.@-]+(?:\/[\w.@-]+)+\.\w{1,5}$|^[\w-]+(?:\.[\w-]+)*\.(?:pem|key|crt|cer|json|ya?ml|toml|txt|env|md|ts|js|mjs|py|go|rs|java|rb|sh|sql|html?|css|com|net|org|io|dev|internal|local)$/i;
const FILLER =
  /^(.)\1+$|\.\.\.|…|\*{3}|x{4}|X{4}|^0{8}|^(?:abc|xyz)?-?(?:0?123(?:4(?:5(?:6(?:7(?:890?)?)?)?)?)?)?$|^\w{0,6}[-_]?abc-?123\w{0,3}$|^abcdef\w?$|sha\d+[:-]|(?:^|[^a-z])(?:your|example|placeholder|change.?me|replace|insert|dummy|sample|todo|fixme|redacted|hidden|masked|omitted|fake|here|goes|lorem)(?:[^a-z]|$)|EXAMPLE|^(?:my|some|the|any|old|new|a|an|no|not)[-_ ]|_here$/i;
/** Letters in a row, in one case or in turns: in any mixture they may be those of a key. */
const ALPHABET = /abcdefghij|ABCDEFGHIJ|AbCdEfGhIj|aBcDeFgHiJ|AbcDefGhi/;
const TYPES =
  /^(?:string|str|number|int|integer|boolean|bool|bytes|any|object|array|text|char|varchar|null|nil|none|undefined|true|false|void|unknown|optional|required|invalid|incorrect|mismatch|wrong|missing|expired|weak|strong|changed|updated|confirm|reset|hidden|visible|forgotten|disabled|enabled|auto|default|empty|unset|n\/a|yes|no|on|off|include|omit|same-origin|inherit|secret(?:str)?|password|passwd|pass|pwd|token|key|apikey|api[-_]key|credentials?|foo|bar|baz|foobar|test|testing|hello|world|value|name|admin|root|user|username|guest|postgres)[?;,.!)]*$/i;
const UNIT_OR_VERSION =
  /^v\d+(?:alpha|beta|rc)\d*$|^(?!v\d+[a-z]{3}|\d{6,}[a-z]{4})[v^~<>=]*\d+(?:[.,:/x×-]\d+)*(?:[a-z%]{1,3}|[-+][\w.]+)?$/i;
/** `3h30m`, `90days6hours`, `P1DT12H`. */
const DURATION =
  /^(?:\d+\.)?(?:\d+(?:\.\d+)?(?:[nµu]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|y|years?))+$|^P(?:\d+[YMWD])*(?:T(?:\d+(?:\.\d+)?[HMS])*)?$/i;
/** `2026-01-31T10:11:12.123Z`, `20260131T101112Z`, `2026-W05-3`, and with a blank before the time. */
const DATE =
  /^\d{4}(?:-\d\d-\d\d|-W\d\d(?:-\d)?|\d{3,4}(?=T\d))(?:[T_ ]\d\d:?\d\d(?::?\d{1,2}(?:[.,]\d{1,9})?)?)?(?:\s?(?:Z|UTC|[+-]\d\d:?\d\d))?$|^\d\d?-?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-?\d{4}(?:[T_ :]\d\d[:h]\d\d[\d:m]*Z?)?$/i;
const COLOUR = /^#[0-9a-f]{3,8}$/i;
const ALGORITHM =
  /^(?:sha-?\d+|md5|aes-?\d+[\w-]*|rsa[-_]?\d*|ed25519|x25519|base(?:32|58|62|64)(?:url)?|utf-?(?:8|16|32)|oauth-?[12](?:\.\d)?|hs256|rs256|es256|http[/-]?[123.]*|ipv[46]|es20\d\d|hmac[-\w]*|bcrypt|argon2(?:id|i|d)?|pbkdf2|scrypt|x-?509|pkcs-?\d+|s3|ec2|k8s|i18n|oidc|p256|secp256k1|windows-?\d+|ubuntu-?[\d.]+|node-?\d+|python-?[\d.]+|base64(?:url)?-encoded|(?:\d?[a-z]{2,8}\d{0,3}-){1,5}(?:md5|ccm|gcm|sha\d*(?:-\d{3})?(?:-plus)?))$/i;
const HEX_NUMBER = /^_?0x[\da-f]{1,16}[ul]{0,3}$/i;
/** What each of these matches is nothing else; one pattern, because every value is compared with it. */
const WHOLE = new RegExp(
  [TYPES, UNIT_OR_VERSION, DURATION, DATE, ALGORITHM, COLOUR, HEX_NUMBER]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

/** A test of a value against all of these, in one pattern for each set of flags. */
function anyOf(patterns: Patterns): (value: string) => boolean {
  const all = Object.values(patterns);
  const merged = [...new Set(all.map(({ flags }) => flags))].map((flags) => {
    const sources = all.filter((pattern) => pattern.flags === flags).map(({ source }) => source);
    return new RegExp(sources.join("|"), flags);
  });
  return (value) => merged.some((pattern) => pattern.test(value));
}
const isReference = anyOf(REFERENCES);
const isCode = anyOf(CODE);
const isSyntax = anyOf(SYNTAX);

/** A pointer to a secret, code that fetches one, a path, a type, a filler: not a secret, whatever name it has. */
export const isInert = (value: string): boolean =>
  isStandIn(value) || (NOT_PLAIN.test(value) && isCodeOrData(value));

/** A text that somebody chose or a program made, where a value is expected. */
export const isChosenOrRandom = (value: string): boolean =>
  !isInert(value) && (looksChosen(value) || looksRandom(value, 8));

/** A pointer to a secret, a path, a type, a filler: not a secret even where no code can stand. */
export function isStandIn(value: string): boolean {
  return (
    value.length < 4 ||
    WHOLE.test(value) ||
    FILLER.test(value) ||
    ALPHABET.test(value) ||
    NAMES.test(value) ||
    (NOT_PLAIN.test(value) && (value.includes("://") || PATH.test(value) || isReference(value)))
  );
}

/** A date, with or without a time. */
export const isDate = (value: string): boolean => DATE.test(value);

/** References, addresses and code need more than letters and digits. */
const NOT_PLAIN = /[^A-Za-z0-9]/;

const isCodeOrData = (value: string): boolean =>
  isSyntax(value) || (isCode(value) && !looksRandom(value, 10));
