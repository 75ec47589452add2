/** Bodies of private keys, whole or in part, whatever a tool puts before each line: base64 at its end tells a line, following lines a body. */

import { BASE64, runsOf } from "../search/runs.ts";
import {
  type Detector,
  type Landmarks,
  matchAt,
  matchesIn,
  type Place,
  type Span,
} from "../span.ts";
import { looksRandom } from "../values/shape.ts";

/** All blanks that stand there: two patterns that share them would try every way of it. */
const BLANKS = "[ \\t]*(?![ \\t])";
/** What tools and source code put after a line, then its end, a real one or an escaped one. */
const LINE_END = `${BLANKS}(?:\\\\{0,16}["'\`]?[,;)]?${BLANKS}[+.|\\\\│┃]?|\\^?M?\\$)${BLANKS}(?:\\r?(?:\\n|$)|\\\\+[rn])`;
const REST = new RegExp(`={0,2}(?=${LINE_END})`, "y");
/** Least and most base64 characters of a line; the last of a body may be shorter. */
const SHORTEST = 40;
const LONGEST = 200;
const LAST_LINE = new RegExp(`(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{1,200}={0,2}(?=${LINE_END})`, "y");
const BREAK = /(?:\r?\n|\\+[rn])/g;
/** Far enough for a path, a time and an author before the base64 of a line. */
const LONGEST_PREFIX = 200;
/** The widths that OpenSSL, PuTTY and OpenSSH break a key at. */
const WIDTHS: ReadonlySet<number> = new Set([64, 70]);
/** Without a mark of a key file, narrower lines cannot be told from names and values. */
const MARKS = /-----|Private-Lines|Proc-Type|DEK-Info/;
const LEAST_UNMARKED = 60;
const BEGIN = /(BEGIN|END) ([A-Z0-9 ]{0,40})-----(?:(?!-----)[\s\S])*$/;
const END = /-----END ([A-Z0-9 ]{0,40})/;
const PRIVATE_LINES =
  /(?:Private-Lines: \d{1,4}|Proc-Type: 4,ENCRYPTED|DEK-Info: \S{1,80})[^A-Za-z0-9]*$/;

interface Line extends Place {
  /** What stands before the base64, with every number alike. */
  readonly shape: string;
}

/** Lines of private keys. */
export const findKeyBlocks: Detector = (text, landmarks, spans) => {
  spans.push(...linesOf(text, landmarks, "private-key", true));
};

/** Lines of certificates, public keys and signatures, which are meant to be shown: no detector guesses there. */
export const findPublicBlocks = (text: string, landmarks: Landmarks): Span[] =>
  text.includes("-----") ? linesOf(text, landmarks, "public-block", false) : [];

function linesOf(text: string, landmarks: Landmarks, kind: string, isSecret: boolean): Span[] {
  const blocks = keyBlocks(text, landmarks).map((block) => judged(text, block));
  const ours = blocks.filter(({ secret }) => secret === isSecret);
  return ours.flatMap(({ lines }) => lines.map(({ start, end }) => ({ start, end, kind })));
}

/** Lines that follow each other. */
function keyBlocks(text: string, { runs }: Landmarks): Line[][] {
  const blocks: Line[][] = [];
  const least = MARKS.test(text) ? SHORTEST : LEAST_UNMARKED;
  for (const { start, end } of runsOf(text, runs, BASE64, least)) {
    const rest = end - start <= LONGEST && matchAt(REST, text, end);
    if (!rest) continue;
    const line = lineAt(text, start, text.slice(start, end + rest[0].length));
    const block = blocks.at(-1);
    const last = block?.at(-1);
    if (last && follows(text, last, line)) block?.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function lineAt(text: string, index: number, run: string): Line {
  // `\nMIIE`: the letter belongs to the escape
  const escaped =
    text.charAt(index - 1) === "\\" ? (/^u[0-9a-f]{4}|^[nrt]/.exec(run)?.[0].length ?? 0) : 0;
  const before = text.slice(Math.max(0, index - LONGEST_PREFIX), index + escaped);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const prefix = line.includes("\\") ? (line.split(BREAK).at(-1) ?? "") : line;
  return { start: index + escaped, end: index + run.length, shape: shapeOf(prefix) };
}

function shapeOf(prefix: string): string {
  return prefix
    .trimStart()
    .replace(/[0-9a-f]{7,}|\d+/g, "0")
    .replace(/\s+/g, " ");
}

/** Nothing but line ends, quotes and the next line's prefix between the two. */
function follows(text: string, last: Line, next: Line): boolean {
  if (next.start - last.end > LONGEST_PREFIX || next.shape !== last.shape) return false;
  const between = text.slice(last.end, next.start);
  const lines = between.split(BREAK);
  return lines.length > 1 && lines.slice(0, -1).every((line) => !/[A-LN-Za-z0-9]/.test(line)); // ^M$ has an M
}

/** The lines of a block, and whether they are secret: undefined where no mark says what they are. */
function judged(
  text: string,
  block: readonly Line[],
): { lines: readonly Line[]; secret: boolean | undefined } {
  const first = block[0] as Line;
  const before = text.slice(Math.max(0, first.start - 2 * LONGEST_PREFIX), first.start);
  const last = (block.at(-1) as Line).end;
  const isMarked =
    before.includes("-----") || text.slice(last, last + 2 * LONGEST_PREFIX).includes("-----END ");
  if (!isMarked && block.length === 1)
    return { lines: block, secret: PRIVATE_LINES.test(before) || undefined };
  const tail = shortLine(text, block.at(-1) as Line);
  const lines = tail ? [...block, tail] : block;
  const end = (lines.at(-1) as Line).end;
  const [, mark, opened] = (isMarked && BEGIN.exec(before)) || [];
  const named = mark === "BEGIN" ? opened : END.exec(text.slice(end, end + LONGEST_PREFIX))?.[1];
  if (named !== undefined) return { lines, secret: named.includes("PRIVATE") };
  return {
    lines,
    secret: PRIVATE_LINES.test(before) || isBody(text, block) || holdsKey(text, block) || undefined,
  };
}

/** Base64 of a key file: what is inside names a private key, or is lines of base64 itself. */
function holdsKey(text: string, block: readonly Line[]): boolean {
  const inside = Buffer.from(
    block.map(({ start, end }) => text.slice(start, end)).join(""),
    "base64",
  ).toString("latin1");
  return (
    /PRIVATE KEY/.test(inside) ||
    (/^[A-Za-z0-9+/=\r\n]{60,}[A-Z -]*$/.test(inside) && inside.includes("\n"))
  );
}

/** The last line of a body, which is shorter, when it follows and nothing but the end comes after it. */
function shortLine(text: string, last: Line): Line | undefined {
  const next = matchesIn(text.slice(last.end, last.end + 12), BREAK).at(-1);
  if (!next) return undefined;
  const from = last.end + next.index + next[0].length;
  const line = text.slice(from, from + LONGEST_PREFIX).split(BREAK, 1)[0] ?? "";
  for (const found of matchesIn(line, /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]/g)) {
    LAST_LINE.lastIndex = from + found.index;
    const run = LAST_LINE.exec(text)?.[0];
    if (
      !run ||
      run.length >= last.end - last.start ||
      shapeOf(line.slice(0, found.index)) !== last.shape
    )
      continue;
    return { start: from + found.index, end: from + found.index + run.length, shape: last.shape };
  }
  return undefined;
}

/** Shown without its first and last line: two lines or more of a width that keys have, random as a whole. */
function isBody(text: string, block: readonly Line[]): boolean {
  const width = (block[0] as Line).end - (block[0] as Line).start;
  const runs = block.map(({ start, end }) => text.slice(start, end));
  // a digest has letters of one case
  const isMixed = (run: string) => /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
  return (
    runs.length > 1 &&
    WIDTHS.has(width) &&
    runs.every((run) => run.length === width && isMixed(run)) &&
    looksRandom(runs.join("").replace(/[+/]/g, ""), 40)
  );
}
