/** Values that aren't secrets, whatever name they have: code, references, placeholders, types, dates, versions, algorithms and paths. */
import { groupBy } from "../../core/collections.ts";
import { looksChosen, looksRandom } from "./shape.ts";

/** Patterns, one row for each form, by an example or a description. */
type Patterns = Readonly<Record<string, RegExp>>;

/** Values that point to a secret elsewhere, by language and tool. */
const POINTERS: Readonly<Record<string, Patterns>> = {
  shell: {
    "${TOKEN}, $$TOKEN, $::app::token":
      /^\$\{?\w+\}?(?::\d+)?$|^\$\$?(?:::)?\w+(?:::\w+)*$|^\$\w+\$$/,
    "$(cat key), $[1 + 1], `cat key`": /^\$\\?[({[]|^`/,
    "$dir/private, %s/.netrc": /^(?:\$\{?\w+\}?|%s)\//,
    "$KEY=$VALUE": /^\$\{?\w+\}?[:=]\$\{?\w/,
  },
  "Windows and Symfony": { "%TOKEN%, %env(TOKEN)%": /^%[\w.():]+%$|^%%/ },
  templates: {
    "{{ token }}, #{token}, @{token}, \\(token)": /^=?\{\{|^[#%@&]\{|^\\\(/,
    "<token>, <<token>>": /^<<?[^<>]*>{0,2}$/,
    "[REDACTED], which is ours": /\[(?:REDACTED|PRIVATE)/,
  },
  "Python and YAML": { "@Secret(, !vault": /^@\w+[.(]|^!\w+\b/ },
  Perl: { "$self->{token}": /^\$\w+(?:::\w+)*->[[{(A-Za-z_]/ },
  stores: {
    "op://vault/item, arn:aws:…, ref+vault://…":
      /^\$?(?:op|vault|ssm|sops|secret|secrets|env|file|keychain|arn|projects|ref\+\w+)(?::|\/)/i,
    "secrets.TOKEN, vars['TOKEN']":
      /^(?:ENC|env|secrets?|var|vars|local|data|Fn|context|github|inputs|steps)[.[(]/i,
    "import.meta.env.TOKEN, os.environ, getenv":
      /\b(?:process|import\.meta|os|System|Deno|Bun)\.?(?:env|getenv|environ)\b|\bgetenv\b|\benviron\b/i,
  },
};

/** Expressions. They count only if the names in them don't look random. */
const EXPRESSIONS: Patterns = {
  "call(), array[0], Generic<T>":
    /^[*&!+-]{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.|::|->)[A-Za-z_$][\w$]*)*[!?]?[([<]/,
  "member.chain": /^[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.#?|::|->)[A-Za-z_$][\w$]*)+(?<!\d)[!?;,)]*$/,
  CONSTANT_NAME: /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/,
  "cache:key:*": /^[A-Za-z_]+(?::[A-Za-z_*]+)+$/,
  "++counter, &pointer": /^(?:[+-]{2}|[!&*-])[A-Za-z_$][\w$.]*$/,
  "=>, (), [list, {object, | pipe": /=>|\(\)|^[([{]|^\|/,
  "a}),b": /^(?!.*[@#%^~])(?:[\w$][\w$.?!]*)?[)}\]]+[,;:.(){}[\]=]+[A-Za-z_$]/,
  "a&&b.c, a??b, a?b:c": /[\w)]&&[\w!]+[.(]|[\w)]\?\?|^[\w$.]+\?[\w$.]+:/,
  "x,this.y, x.call(": /[,;]this\.|[\w)]\.[A-Za-z_]\w*\(/,
  "Python/%s, %(name)s": /%\(\w+\)[sd]|%[sd](?![A-Za-z0-9])/,
  "*SECRET*, users.*.profile": /^\*[A-Za-z_-]+\*?$|^[\w*]+(?:\.[\w*]+)*\.\*(?:\.|$)/,
};

/** Code and data that the syntax alone proves, however random the names are, by language and tool. */
const SYNTAX: Readonly<Record<string, Patterns>> = {
  "C++ and Go": {
    "!!(x, ::wstring&, &pkg.Type{": /^(?:!!|!\(|::?|[&*]+[A-Za-z_][\w.]*[{(])/,
    "MACRO_NAME(": /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\(/,
    "1000/* ms": /^\w+\/\*/,
  },
  "regular expressions": {
    "/^a, (?:a, [^a, qr{a": /^(?:\/[(^[\\*]|\(\?|\[\^?[\w\\]-)|^qr[/{|(!]/,
    "(?=a, [^a], \\d, ]{3": /\(\?[:=!<]|\[\^|\\[bdsw](?![A-Za-z0-9])|[\])]\{\d/,
    "one|of|these": /^[\w?*+.-]{2,24}(?:\|[\w?*+.-]{2,24}){2,}$/,
  },
  "JavaScript, Python and others": {
    "getToken(, createHash(":
      /^(?:new|get|create|make|load|read|fetch|build|parse|generate|encode|decode|verify|sign|is|has|to|with)[A-Z_]\w*\(/i,
    "crypto.pbkdf2Sync, types.JWTPayload": /^[a-z]+(?:\.[A-Za-z]+\d?[A-Za-z]*)+(?:[([]\S*)?$/,
    "this.token, settings.DB_PASSWORD_2":
      /^this\.#?[A-Za-z_]|^[a-z]\w*(?:\.[a-z]\w*)*\.[A-Z][A-Z\d]*_[A-Z\d_]+$/,
    "Bearer ${token}, sk_{user}":
      /\$\\?\{[\w.$]+(?:[}(]|$)|(?<=.)\{[A-Za-z_]{3,16}(?::[^{}]{1,16})?\}/,
  },
  "Laravel and Redis": {
    "required|min:8": /^[a-z_]+(?::[\w,.-]+)?(?:\|[a-z_]+(?::[\w,.-]+)?)+$/,
    "user:1042": /^[a-z_]+(?::[a-z_]+)*:(?:\d+|\*)$/,
  },
  "numbers and versions": {
    "$19.99/month": /^[$€£¥]\d[\d.,]*(?:\/\S*|[kKmMbB])?$/,
    ">=2.14.1,<3.0.0.dev0":
      /^[\^~<>=!]{0,3}\s?v?\d+(?:\.\d+)+(?:[=(,<]\S*|[-+.][\w.]+)?$|^[\^~<>=!]{1,3}\d[\w.,<>=!~^ -]*$/,
    "?State, 12,field": /^\?[A-Za-z]+$|^\d+,[A-Za-z_$]+$/,
  },
  "packages, issues and advisories": {
    "npm:left-pad, workspace:*": /^(?:npm|gh|workspace|catalog|link|portal|patch):/,
    "PROJ-123, CVE-2024-1": /^[A-Z]{2,10}-\d{1,6}$|^(?:GHSA|CVE)-/,
    "apps.example.io/v1beta1": /^[a-z\d-]+(?:\.[a-z\d-]+)+\/v\d[a-z\d]*$/,
  },
  "command lines and forms": {
    "scope=all": /^[a-z_]+=[a-z]+(?:[-_][a-z]+)*$/,
    "--next-option=, //host": /^--[a-z]+(?:-[a-z]+)*(?:=|$)|^\/\/[\w[]/,
    "NAME=value, judged by its own name": /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+=/,
    "reset-password-form":
      /^(?=(?:[a-z\d]+[-_])*(?:pass(?:word|wd|phrase|wordless)?|login|auth|token|credential)s?(?:[-_]|$))[a-z\d]{1,16}(?:[-_][a-z]+\d?){1,8}$/i,
  },
  "our own token formats": { "sk-{w:32+}, id-{x:08}": /\{[a-z]{1,2}:\d[\d+-]{0,5}\}/ },
};

/** A variable, a template, or an entry of a secret store. */
const isPointer = anyOf(...Object.values(POINTERS));
const isExpression = anyOf(EXPRESSIONS);
const isSyntax = anyOf(...Object.values(SYNTAX));

const isCode = (value: string): boolean =>
  isSyntax(value) || (isExpression(value) && !looksRandom(value, 10));

/** Tests a value against all patterns of some tables at once, with one pattern for each set of flags. */
function anyOf(...tables: readonly Patterns[]): (value: string) => boolean {
  const rows = tables.flatMap((table) => Object.values(table));
  const byFlags = groupBy(rows, ({ flags }) => flags);
  const patterns = Array.from(byFlags, ([flags, same]) => {
    const sources = same.map(({ source }) => source);
    return new RegExp(sources.join("|"), flags);
  });
  return (value) => patterns.some((pattern) => pattern.test(value));
}

/** Types, states and the names of fields. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(
  [
    "string str number int integer boolean bool bytes any object array text char varchar",
    "null nil none undefined true false void unknown optional required default empty unset n/a",
    "yes no on off auto include omit same-origin inherit",
    "invalid incorrect mismatch wrong missing expired weak strong changed updated confirm reset",
    "hidden visible forgotten disabled enabled",
    "secret secretstr password passwd pass pwd token key apikey api-key api_key",
    "credential credentials value name admin root user username guest postgres",
    "foo bar baz foobar test testing hello world",
  ].flatMap((line) => line.split(" ")),
);
/** Punctuation after a word. The look-behind keeps a long run of it linear. */
const PUNCTUATION = /(?<![?;,.!)])[?;,.!)]+$/;

const FILLERS: Patterns = {
  "aaaa, 1111": /^(?<same>.)\k<same>+$/i,
  "..., ***, xxxx": /\.\.\.|…|\*{3}|x{4}|^0{8}/i,
  "abc-1234567890": /^(?:abc|xyz)?-?(?:0?123(?:4|45|456|4567|456789|4567890)?)?$/i,
  key_abc123: /^\w{0,6}[-_]?abc-?123\w{0,3}$|^abcdef\w?$/i,
  abcdefghij: /abcdefghij|ABCDEFGHIJ|AbCdEfGhIj|aBcDeFgHiJ|AbcDefGhi/,
  "sha256:…": /sha\d+[:-]/i,
  "your-key, change-me":
    /(?:^|[^a-z])(?:your|placeholder|change.?me|replace|insert|dummy|sample|todo|fixme|redacted|hidden|masked|omitted|fake|here|goes|lorem)(?:[^a-z]|$)|example/i,
  "my-token, key_here": /^(?:my|some|the|any|old|new|a|an|no|not)[-_ ]|_here$/i,
  MY_TOKEN1:
    /^(?=(?:\D{0,40}\d){0,2}\D{0,40}$)[A-Z][A-Z\d_-]*(?<=PASS(?:WORD|WD|PHRASE)?|TOKEN|SECRET|KEY)\d?$/,
};

/** Data in a known form. */
const DATA: Patterns = {
  "3600s, 12.5%, v1beta2, ^1.2.3":
    /^v\d+(?:alpha|beta|rc)\d*$|^(?!v\d+[a-z]{3}|\d{6,}[a-z]{4})[v^~<>=]*\d+(?:[.,:/x×-]\d+)*(?:[a-z%]{1,3}|[-+][\w.]+)?$/i,
  "3h30m, 90days6hours, P1DT12H":
    /^(?:\d+\.)?(?:\d+(?:\.\d+)?(?:[nµu]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|y|years?))+$|^P(?:\d+[YMWD])*(?:T(?:\d+(?:\.\d+)?[HMS])*)?$/i,
  "#ff8800": /^#[0-9a-f]{3,8}$/i,
  "0x1F, 0xffUL": /^_?0x[\da-f]{1,16}[ul]{0,3}$/i,
  "sha256, aes-128, utf-8, oauth2":
    /^(?:sha-?\d+|md5|aes-?\d+[\w-]*|rsa[-_]?\d*|ed25519|x25519|base(?:32|58|62|64)(?:url)?|utf-?(?:8|16|32)|oauth-?[12](?:\.\d)?|hs256|rs256|es256|es20\d\d|hmac[-\w]*|bcrypt|argon2(?:id|i|d)?|pbkdf2|scrypt|x-?509|pkcs-?\d+|p256|secp256k1|base64(?:url)?-encoded)$/i,
  "ecdhe-rsa-aes128-gcm-sha256":
    /^(?:\d?[a-z]{2,8}\d{0,3}-){1,5}(?:md5|ccm|gcm|sha\d*(?:-\d{3})?(?:-plus)?)$/i,
  "http/1.1, ipv6, s3, k8s, ubuntu-24.04":
    /^(?:http[/-]?[123.]*|ipv[46]|s3|ec2|k8s|i18n|oidc|windows-?\d+|ubuntu-?[\d.]+|node-?\d+|python-?[\d.]+)$/i,
  "Uint8Array, Float32Array": /^(?:Big)?(?:Uint|Int|Float)\d+(?:Clamped)?Array\b/,
  "b64enc, toYaml, of Helm": /^(?:b64enc|b64dec|quote|sha256sum|toYaml|nindent|trim)$/,
};

const PATHS: Patterns = {
  "https://host": /:\/\//,
  "~/.ssh/id, C:\\key": /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@~-]+(?:[\\/]|\.\w+$|$)/i,
  "keys/app.pem": /^[\w.@-]+(?:\/[\w.@-]+)+\.\w{1,5}$/i,
  "key.pem, db.internal":
    /^[\w-]+(?:\.[\w-]+)*\.(?:pem|key|crt|cer|json|ya?ml|toml|txt|env|md|ts|js|mjs|py|go|rs|java|rb|sh|sql|html?|css|com|net|org|io|dev|internal|local)$/i,
};

/** `2026-01-31T10:11:12.123Z`, `20260131T101112Z`, `2026-W05-3`, also with a blank before the time. */
const ISO_DATE =
  /^\d{4}(?:-\d\d-\d\d|-W\d\d(?:-\d)?|\d{3,4}(?=T\d))(?:[T_ ]\d\d:?\d\d(?::?\d{1,2}(?:[.,]\d{1,9})?)?)?(?:\s?(?:Z|UTC|[+-]\d\d:?\d\d))?$/i;
/** `31-jan-2026 10:11` */
const DATE_WITH_MONTH =
  /^\d\d?-?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-?\d{4}(?:[T_ :]\d\d[:h]\d\d[\d:m]*Z?)?$/i;

const isFillerOrData = anyOf(FILLERS, DATA);
const isPath = anyOf(PATHS);
/** Pointers, paths and code contain more than letters and digits. */
const HAS_SYMBOL = /[^A-Za-z0-9]/;

/** A date, with or without a time. */
export const isDate = (value: string): boolean =>
  ISO_DATE.test(value) || DATE_WITH_MONTH.test(value);

/** A placeholder or a pointer to a secret, which isn't a secret even in places without code. */
export function isPlaceholder(value: string): boolean {
  if (value.length < 4 || PLAIN_WORDS.has(value.toLowerCase().replace(PUNCTUATION, ""))) {
    return true;
  }
  if (isFillerOrData(value) || isDate(value)) {
    return true;
  }
  return HAS_SYMBOL.test(value) && (isPath(value) || isPointer(value));
}

/** A placeholder, a pointer to a secret, or code that gets one. */
export const isCodeOrPlaceholder = (value: string): boolean =>
  isPlaceholder(value) || (HAS_SYMBOL.test(value) && isCode(value));

/** A value that someone chose or a program generated. */
export const isChosenOrRandom = (value: string): boolean =>
  !isCodeOrPlaceholder(value) && (looksChosen(value) || looksRandom(value, 8));
