/** Views: the text as other programs would read it (docs/design/ground.md, "Redaction"). A secret found there is removed from the original. */
import { lowerBound } from "../../core/lower-bound.ts";
import { alphabet, isIn } from "../search/runs.ts";
import { endOfLine, matchAt, type Span } from "../span.ts";

export interface View {
  readonly text: string;
  /** Where stretches of `text` come from, three numbers each: start in the view, start in the original, and end of what a
   * replacement stands for, or -1 for a stretch that was copied. */
  readonly stretches: readonly number[];
}

/** What is undone in a view, and how it reads there. */
interface Match {
  readonly index: number;
  readonly end: number;
  readonly reads: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
/** Characters around a match that a view takes in where a line is longer than that, and characters of one line at most. */
const AROUND = 500;
const LONGEST_LINE = 2000;

/** How far full-width characters are from those that they read as. */
const FULL_WIDTH = 0xfee0;

/** Colours of a terminal begin with it. */
const ESCAPE = "\u001b";
const SOFT_HYPHEN = "\u00ad";
/** Joiners, direction marks, byte order marks: they take no room. */
const UNSEEN = "\u200b-\u200f\u2060\ufeff";
const isUnseen = new RegExp(`[${UNSEEN}]`);
/** A search for one character is many times faster than a pattern, unless it is beyond Latin-1. */
const hasUnseen = {
  test: (text: string) =>
    text.includes(ESCAPE) || text.includes(SOFT_HYPHEN) || isUnseen.test(text),
};

/** What a text has in which something matches, what to undo, and how one match reads. */
const DECODERS: readonly (readonly [
  Pick<RegExp, "test">,
  RegExp,
  (match: RegExpMatchArray) => string,
])[] = [
  [
    hasUnseen,
    new RegExp(`${ESCAPE}\\[[\\d;:?]{0,40}[A-Za-z]|[${SOFT_HYPHEN}${UNSEEN}]`, "g"),
    () => "",
  ],
  [/%/, /%([0-9A-Fa-f]{2})/g, ([, hex = ""]) => String.fromCharCode(Number.parseInt(hex, 16))],
  [
    /&/,
    /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(amp|lt|gt|quot|apos|nbsp));/gi,
    ([, decimal, hex, name]) =>
      name
        ? (ENTITIES[name.toLowerCase()] ?? "")
        : String.fromCodePoint(
            Math.min(0xffff, Number.parseInt(decimal ?? hex ?? "0", decimal ? 10 : 16)),
          ),
  ],
  [
    /\\/,
    /(?<!\\)\\+(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\r?\n[ \t]*|([nrt"'/]))/g,
    ([, unicode, byte, letter]) =>
      letter
        ? (ESCAPES[letter] ?? letter)
        : unicode || byte
          ? String.fromCharCode(Number.parseInt(unicode ?? byte ?? "", 16))
          : "",
  ],
  // ｐａｓｓｗｏｒｄ＝…; the full-width commas and colons of Chinese and Japanese sentences stay
  [
    /[Ａ-Ｚａ-ｚ]/,
    /[０-９Ａ-Ｚ＿ａ-ｚ]|(?<=[\u3000！-～])[\u3000！-～]/g,
    ([char = ""]) =>
      char === "\u3000" ? " " : String.fromCharCode(char.charCodeAt(0) - FULL_WIDTH),
  ],
];

/** Indentation, quoting or a comment mark, then a token; a line that begins with a name of its own does not continue one. */
const NEXT_LINE =
  /[ \t>#*|"'+]{0,99}(?=[A-Za-z0-9_+/=-])(?!(?:export )?[\w.-]{1,80}["']?(?:[ \t]?:[ \t]|[ \t]?={1,2}[ \t]?[^\s=]|(?<=_\w{0,80})=\s))/y;

/** Decoded readings of a text; none for most texts. */
export function decodedViews(text: string): View[] {
  return DECODERS.flatMap(([sign, pattern, read]) => {
    const view = sign.test(text) ? rewrite(text, readings(text, pattern, read)) : undefined;
    return view ? [view] : [];
  });
}

/** One at a time: a text may be escapes throughout, and to keep the matches of them all takes longer than to find them. */
function* readings(
  text: string,
  pattern: RegExp,
  read: (match: RegExpMatchArray) => string,
): Iterable<Match> {
  for (
    let from = 0, match = matchAt(pattern, text, from);
    match;
    match = matchAt(pattern, text, from)
  ) {
    from = match.index + match[0].length;
    yield { index: match.index, end: from, reads: read(match) };
  }
}

/** The text with tokens put together that were broken over lines; undefined when none is. Two words, a path or a time are no token. */
export function unwrappedView(text: string): View | undefined {
  const joints: Match[] = [];
  let start = 0;
  let whole = 0; // lines before this one that are one token each
  for (
    let line = text.indexOf("\n");
    line >= 0;
    start = line + 1, line = text.indexOf("\n", start)
  ) {
    const left = lastToken(text, start, line);
    whole = left !== undefined && isOneToken(text, start, left) ? whole + 1 : 0;
    if (left === undefined || whole > MOST_LINES) continue;
    NEXT_LINE.lastIndex = line + 1;
    const indent = NEXT_LINE.exec(text)?.[0];
    if (indent === undefined) continue;
    const next = line + 1 + indent.length;
    const right = /^[\w+/=.~-]{1,60}/.exec(text.slice(next, next + 60))?.[0] ?? "";
    if (isPartOfToken(right) && !TIME_OR_DIGEST.test(right))
      joints.push({ index: left, end: next, reads: "" });
  }
  return rewrite(text, joints);
}

const TIME_OR_DIGEST = /^(?:\d{4}-\d\d-\d\d|(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$)/;

/** Where the token ends that may go on after this line; undefined when none does. */
function lastToken(text: string, line: number, lineEnd: number): number | undefined {
  // after the token a quote may stand, and what continues a line in a script
  let end = lineEnd;
  if (text[end - 1] === "\r") end--;
  if (text[end - 1] === "\\" || text[end - 1] === "+") end--;
  while (end > line && isIn(BLANK, text.charCodeAt(end - 1))) end--;
  if (text[end - 1] === '"' || text[end - 1] === "'") end--;
  let start = end;
  const least = Math.max(line, end - LONGEST_TOKEN);
  while (start > least && isIn(TOKEN, text.charCodeAt(start - 1))) start--;
  if (end - start < 4) return undefined;
  const token = text.slice(start, end);
  return isPartOfToken(token) && !/\/.*\.[a-z]{1,4}$/.test(token) ? end : undefined;
}

/** Nothing but a token and what may stand before it. */
function isOneToken(text: string, line: number, end: number): boolean {
  let start = line;
  while (start < end && isIn(INDENT, text.charCodeAt(start))) start++;
  const most = Math.min(end, start + LONGEST_LINE);
  while (start < most && isIn(TOKEN, text.charCodeAt(start))) start++;
  return start === end;
}

const TOKEN = alphabet(/[\w+/=.~-]/);
const BLANK = alphabet(/[ \t]/);
const INDENT = alphabet(/[ \t>#*|"']/);
/** Characters of a line's last token that are looked at. */
const LONGEST_TOKEN = 72;
/** Lines of a broken token. More of them are a file in base64: only its beginning can belong to a token. */
const MOST_LINES = 40;

function isPartOfToken(token: string): boolean {
  return token.length >= 4 && (token.length > 20 || /\d/.test(token) || /[a-z][A-Z]/.test(token));
}

/** What was found in a view, in the positions of the original. */
export function inOriginal(view: View, found: readonly Span[]): Span[] {
  return found.flatMap(({ start, end, kind }) =>
    end > start
      ? [{ start: origin(view, start, false), end: origin(view, end - 1, true), kind }]
      : [],
  );
}

/** Where the character at `position` of a view comes from: its start, or one past its end. */
function origin({ stretches }: View, position: number, wantsEnd: boolean): number {
  const next = lowerBound(
    0,
    stretches.length / 3,
    (at) => (stretches[3 * at] as number) > position,
  );
  const [from = 0, start = 0, end = -1] = stretches.slice(3 * next - 3, 3 * next);
  if (end >= 0) return wantsEnd ? end : start;
  return start + (position - from) + (wantsEnd ? 1 : 0);
}

/** The text with what matches undone; undefined where nothing matches. */
function rewrite(text: string, matches: Iterable<Match>): View | undefined {
  const stretches: number[] = [];
  let view = "";
  const put = (piece: string, start: number, end: number) => {
    if (piece === "") return;
    stretches.push(view.length, start, end);
    view += piece;
  };
  const endOfRegion = regionEnds(text);
  let from = 0;
  let tail = 0; // how far the region of the match before goes
  for (const match of matches) {
    const first = match.index <= tail ? from : Math.max(from, startOfRegion(text, match.index));
    if (first > tail) {
      put(text.slice(from, tail), from, -1);
      if (tail > 0) put("\n\n", tail, tail);
      from = first;
    }
    put(text.slice(from, match.index), from, -1);
    from = match.end;
    put(match.reads, match.index, from);
    tail = endOfRegion(from);
  }
  put(text.slice(from, tail), from, -1);
  return tail > 0 ? { text: view, stretches } : undefined;
}

/** The beginning of the line before, or less where lines are long. */
function startOfRegion(text: string, index: number): number {
  const near = text.slice(Math.max(0, index - LONGEST_LINE), index);
  const line = near.lastIndexOf("\n");
  const before = line <= 0 ? -1 : near.lastIndexOf("\n", line - 1);
  if (before >= 0) return index - near.length + before + 1;
  return near.length < LONGEST_LINE ? 0 : index - AROUND;
}

/** The end of the line after, or less where lines are long; for positions that only grow, so that each line end is sought once. */
function regionEnds(text: string): (index: number) => number {
  let [line, after] = [-1, -1];
  return (index) => {
    while (line < index) {
      line = after;
      if (line < index) line = endOfLine(text, index);
      after = endOfLine(text, line + 1);
    }
    if (after - index < LONGEST_LINE) return after;
    return text.length - index < LONGEST_LINE ? text.length : index + AROUND;
  };
}
