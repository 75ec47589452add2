/** The value that stands at a place in a text: quoted, or up to where it ends. */
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
/** A value without quotes. */
export const UNQUOTED = /[\x21-\x7e]{1,2000}/y;

/** The value at `from`: within its quotes, or what `unquoted` takes. Undefined where nothing stands, or the quote ends the name's own string. */
export function readValue(text: string, from: number, unquoted: RegExp): Value | undefined {
  const start = from + (matchAt(SCHEME, text, from)?.[0].length ?? 0);
  const quote = matchAt(QUOTE, text, start);
  if (quote) {
    const mark = quote[1] ?? "";
    const open = start + quote[0].length;
    if (endsString(text, open - mark.length, mark)) return undefined;
    const close = text.indexOf(CLOSING[mark] ?? mark, open);
    if (close > open && close - open <= 2000 && !text.slice(open, close).includes("\n")) {
      const inner = text.slice(open, close);
      const nested = /^(["'])(.*)\1$/.exec(inner)?.[2];
      const plain = nested ?? inner.replace(/^(?:Bearer|Basic|Token) /i, "");
      return /\s/.test(plain)
        ? undefined
        : withinExpansion({ start: open + inner.indexOf(plain), text: plain, quoted: true });
    }
  }
  const open = quote ? start + quote[0].length : start;
  const run = matchAt(unquoted, text, open)?.[0];
  if (!run) return undefined;
  const cut = /^\w+$/.test(run) ? run : withoutNeighbours(run);
  return cut
    ? withinExpansion({ start: open + Math.max(0, run.indexOf(cut)), text: cut, quoted: false })
    : undefined;
}

/** `:-winter24}` behind the name in `${DB_PASSWORD`, and `:winter24}` behind Spring's `${db.password`. */
const DEFAULT = /\w{0,60}(?::[-=]?|[-=])(?![?+])["']?([^\s{}"'`]{1,200})["']?\}/y;
const EXPANDED = /\$\{[\w.]{0,60}$/;
/** `${PASS:-winter24}` */
const EXPANSION = /^\$\{[\w.]+:?[-=]([^{}]+)\}?$/;

/** Whether a name is that of a variable in `${…}`: behind it stands a default or a message. */
export function isExpanded(text: string, nameAt: number): boolean {
  return EXPANDED.test(text.slice(Math.max(0, nameAt - 64), nameAt));
}

/** The default behind the name in `${…}`. */
export function readDefault(text: string, from: number): Value | undefined {
  const value = matchAt(DEFAULT, text, from)?.[1];
  return value ? { start: text.indexOf(value, from), text: value, quoted: true } : undefined;
}

/** The default of a value that is `${…}`; else the value. */
function withinExpansion(value: Value): Value {
  const inside = EXPANSION.exec(value.text)?.[1];
  return inside
    ? { ...value, start: value.start + value.text.indexOf(inside), text: inside }
    : value;
}

/** Without Markdown's emphasis, the next parameter or statement, and punctuation. */
function withoutNeighbours(run: string): string {
  return run
    .replace(/^\*{1,2}|\*{1,2}$/g, "")
    .replace(/["'`<|].*$/, "")
    .replace(/&(?:[lr][sd]?quo|quot|[lg]t);.*$|&[\w.-]+=.*$|;.*$|,(?=["'\w]+[=:]).*$|\\n.*$/, "")
    .replace(/(?<![,.;:()\]}>\\])[,.;:()\]}>\\]+$/, "");
}

/** Characters of a line before a quote that are counted. */
const LONGEST_STRING = 400;
/** What joins a string to an expression. */
const JOINED = /[ \t]{0,3}(?:\+{1,2}|\.{1,2}|\|\||<>|[&,])[ \t]{0,3}[\w$@("'`*]/y;

/** `"…?token=" + x.token`: the quote ends the string that the name stands in. Before the quote stands an odd number of the same, behind it an expression. */
export function endsString(text: string, quoteAt: number, mark: string): boolean {
  if (!/["'`]$/.test(mark) || !matchAt(JOINED, text, quoteAt + mark.length)) return false;
  const near = text.slice(Math.max(0, quoteAt - LONGEST_STRING), quoteAt);
  const line = near.slice(near.lastIndexOf("\n") + 1);
  let count = 0;
  for (let at = line.indexOf(mark); at >= 0; at = line.indexOf(mark, at + mark.length))
    if (mark.length > 1 || line.charAt(at - 1) !== "\\") count++;
  return count % 2 === 1;
}

/** A connector that is there, not only a blank. */
const CONNECTED = /[:：=은는이가是为為は]/;
/** The words with which a sentence or an entry may go on. */
const EASTERN_VALUE =
  /["'`“‘「『]?([\p{scx=Hang}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]{3,16}\d{2,8}[!@#$%^&*?~]{0,3})(?=["'`”’」』]|[\s,.;)。，、）]|$|이에요|예요|입니다|です)/uy;
/** A rule for passwords, or a step on the way to one. */
const RULE =
  /^(?:최소|최대|길이|단계|버전|오류|至少|最少|最多|最短|最长|長|长|不少于|第|步骤|版本|错误|最低|最大|最小|文字数|バージョン|ステップ|エラー)/;

/** A value in Hangul, Han or kana with digits behind it, as people choose them, behind a connector: `비밀번호는 봄날의곰77`. */
export function easternValue(text: string, connector: string, from: number): Value | undefined {
  const found = CONNECTED.test(connector) ? matchAt(EASTERN_VALUE, text, from) : undefined;
  const value = found?.[1] ?? "";
  if (!found || RULE.test(value)) return undefined;
  return { start: from + found[0].length - value.length, text: value, quoted: false };
}
