/** Patterns of code and references, which aren't secrets whatever name they have. One row for each form, named by an example. */
import { looksRandom } from "./shape.ts";

/** Patterns by an example or a description. */
export type Patterns = Readonly<Record<string, RegExp>>;

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
export const isPointer = anyOf(...Object.values(POINTERS));
const isExpression = anyOf(EXPRESSIONS);
const isSyntax = anyOf(...Object.values(SYNTAX));

export const isCode = (value: string): boolean =>
  isSyntax(value) || (isExpression(value) && !looksRandom(value, 10));

/** Tests a value against all patterns of some tables at once, with one pattern for each set of flags. */
export function anyOf(...tables: readonly Patterns[]): (value: string) => boolean {
  const sources = new Map<string, string[]>();
  for (const { source, flags } of tables.flatMap((table) => Object.values(table))) {
    const others = sources.get(flags) ?? [];
    sources.set(flags, [...others, source]);
  }
  const patterns = Array.from(sources, ([flags, all]) => new RegExp(all.join("|"), flags));
  return (value) => patterns.some((pattern) => pattern.test(value));
}
