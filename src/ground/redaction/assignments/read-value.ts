/** Reads the value at a place in a text, quoted or not. */
import { matchAt } from "../span.ts";

export interface Value {
  readonly start: number;
  readonly text: string;
  readonly quoted: boolean;
}

const SCHEME = /(?:Bearer|Basic|Token|ApiKey|Api-Key|Api-Token)\s/iy;
const QUOTE = /(?:@|[rbfu])?(\\?["'`]|[“‘「『«])/y;
const CLOSING: Readonly<Record<string, string>> = {
  "“": "”",
  "‘": "’",
  "「": "」",
  "『": "』",
  "«": "»",
};
/** A value without quotes, as long as possible. */
export const UNQUOTED = /[\x21-\x7e]{1,2000}/y;

/**
 * The value at `from`: the text within its quotes, or a match of `unquoted`. Undefined if nothing is there, or if the quote
 * ends the string that contains the name.
 */
export function readValue(text: string, from: number, unquoted: RegExp): Value | undefined {
  const start = from + (matchAt(SCHEME, text, from)?.[0].length ?? 0);
  const quote = matchAt(QUOTE, text, start);
  if (!quote) {
    return readUnquoted(text, start, unquoted);
  }
  const mark = quote[1] ?? "";
  const open = start + quote[0].length;
  if (endsString(text, open - mark.length, mark)) {
    return undefined;
  }
  const close = text.indexOf(CLOSING[mark] ?? mark, open);
  const isClosed = close > open && close - open <= LONGEST_QUOTED;
  if (!isClosed || text.slice(open, close).includes("\n")) {
    return readUnquoted(text, open, unquoted);
  }
  return readQuoted(text.slice(open, close), open);
}

const LONGEST_QUOTED = 2000;

function readQuoted(inner: string, start: number): Value | undefined {
  const nested = /^(["'])(.*)\1$/.exec(inner)?.[2];
  const plain = nested ?? inner.replace(/^(?:Bearer|Basic|Token) /i, "");
  if (/\s/.test(plain)) {
    return undefined;
  }
  return withinExpansion({ start: start + inner.indexOf(plain), text: plain, quoted: true });
}

function readUnquoted(text: string, start: number, pattern: RegExp): Value | undefined {
  const run = matchAt(pattern, text, start)?.[0];
  if (!run) {
    return undefined;
  }
  const value = /^\w+$/.test(run) ? run : withoutNeighbors(run);
  if (!value) {
    return undefined;
  }
  const offset = Math.max(0, run.indexOf(value));
  return withinExpansion({ start: start + offset, text: value, quoted: false });
}

/** `:-winter24}` after the name in `${DB_PASSWORD`, and `:winter24}` after the name in Spring's `${db.password`. */
const DEFAULT = /\w{0,60}(?::[-=]?|[-=])(?![?+])["']?([^\s{}"'`]{1,200})["']?\}/y;
const EXPANDED = /\$\{[\w.]{0,60}$/;
/** `${PASS:-winter24}` */
const EXPANSION = /^\$\{[\w.]+:?[-=]([^{}]+)\}?$/;

/** Whether a name is a variable in `${…}`, so that a default or a message follows. */
export function isExpanded(text: string, nameAt: number): boolean {
  return EXPANDED.test(text.slice(Math.max(0, nameAt - 64), nameAt));
}

/** The default after the name in `${…}`. */
export function readDefault(text: string, from: number): Value | undefined {
  const value = matchAt(DEFAULT, text, from)?.[1];
  return value ? { start: text.indexOf(value, from), text: value, quoted: true } : undefined;
}

/** Replaces a value `${NAME:-default}` by its default. */
function withinExpansion(value: Value): Value {
  const inside = EXPANSION.exec(value.text)?.[1];
  return inside
    ? { ...value, start: value.start + value.text.indexOf(inside), text: inside }
    : value;
}

/** Removes Markdown emphasis, the next parameter or statement, and punctuation. */
function withoutNeighbors(run: string): string {
  return run
    .replace(/^\*{1,2}|\*{1,2}$/g, "")
    .replace(/["'`<|].*$/, "")
    .replace(/&(?:[lr][sd]?quo|quot|[lg]t);.*$|&[\w.-]+=.*$|;.*$|,(?=["'\w]+[=:]).*$|\\n.*$/, "")
    .replace(/(?<![,.;:()\]}>\\])[,.;:()\]}>\\]+$/, "");
}

/** The characters before a quote in which quotes are counted. */
const LONGEST_STRING = 400;
/** An operator that joins a string to an expression. */
const JOINED = /[ \t]{0,3}(?:\+{1,2}|\.{1,2}|\|\||<>|[&,])[ \t]{0,3}[\w$@("'`*]/y;

/**
 * Whether a quote ends the string that contains the name, as in `"…?token=" + x.token`. Then an odd number of the same quotes
 * comes before it, and an expression follows.
 */
export function endsString(text: string, quoteAt: number, mark: string): boolean {
  if (!/["'`]$/.test(mark) || !matchAt(JOINED, text, quoteAt + mark.length)) {
    return false;
  }
  const near = text.slice(Math.max(0, quoteAt - LONGEST_STRING), quoteAt);
  const line = near.slice(near.lastIndexOf("\n") + 1);
  let count = 0;
  for (let at = line.indexOf(mark); at >= 0; at = line.indexOf(mark, at + mark.length)) {
    if (mark.length > 1 || line.charAt(at - 1) !== "\\") {
      count++;
    }
  }
  return count % 2 === 1;
}

/** A connector other than a blank. */
const CONNECTED = /[:：=은는이가是为為は]/;
/** The value, and the ends of words and sentences that may follow. */
const EASTERN_VALUE =
  /["'`“‘「『]?([\p{scx=Hang}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]{3,16}\d{2,8}[!@#$%^&*?~]{0,3})(?=["'`”’」』]|[\s,.;)。，、）]|$|이에요|예요|입니다|です)/uy;
/** The beginnings of rules for passwords and of steps, such as "at least 8". */
const RULE =
  /^(?:최소|최대|길이|단계|버전|오류|至少|最少|最多|最短|最长|長|长|不少于|第|步骤|版本|错误|最低|最大|最小|文字数|バージョン|ステップ|エラー)/;

/** A chosen password in Hangul, Han or kana with digits at its end: `비밀번호는 봄날의곰77`. */
export function easternValue(text: string, connector: string, from: number): Value | undefined {
  const found = CONNECTED.test(connector) ? matchAt(EASTERN_VALUE, text, from) : undefined;
  const value = found?.[1] ?? "";
  if (!found || RULE.test(value)) {
    return undefined;
  }
  return { start: from + found[0].length - value.length, text: value, quoted: false };
}
