/** Bodies of private keys, whole or in part, whatever a tool prints before each line. Lines that end with base64 form a block. */
import { runsOf } from "../search.ts";
import {
  type Detector,
  type Landmarks,
  matchAt,
  matchesIn,
  type Place,
  type Span,
} from "../span.ts";
import { looksRandom } from "../values/shape.ts";

/** All blanks at a place. If two patterns shared them, a search would try every way to split them. */
const BLANKS = "[ \\t]*(?![ \\t])";
/** The end of a line, real or escaped, with the characters that tools and source code put before it. */
const LINE_END = `${BLANKS}(?:\\\\{0,16}["'\`]?[,;)]?${BLANKS}[+.|\\\\│┃]?|\\^?M?\\$)${BLANKS}(?:\\r?(?:\\n|$)|\\\\+[rn])`;
const PADDING = new RegExp(`={0,2}(?=${LINE_END})`, "y");
/** The most base64 characters of a line. */
const LONGEST = 200;
const BREAK = /(?:\r?\n|\\+[rn])/g;
/** Enough for a path, a time and an author before the base64 of a line. */
const LONGEST_PREFIX = 200;

interface Line extends Place {
  /** The text before the base64, with all numbers replaced by 0. */
  readonly shape: string;
}

/** Lines that follow each other. */
type Block = readonly [Line, ...Line[]];

/** Finds the lines of private keys. */
export const findKeyBlocks: Detector = (text, landmarks, spans) => {
  spans.push(...linesOf(text, landmarks, "private-key", true));
};

/** Finds the lines of certificates, public keys and signatures. No detector guesses there. */
export const findPublicBlocks = (text: string, landmarks: Landmarks): Span[] =>
  text.includes("-----") ? linesOf(text, landmarks, "public-block", false) : [];

/** The text before a value, as in `password=`. A value isn't part of the public block next to it. */
const NAMED = /(?:[A-Za-z_"']\s?=|[A-Za-z_"']: |Bearer )["'`]?$/;

function linesOf(text: string, landmarks: Landmarks, kind: string, isSecret: boolean): Span[] {
  const spans: Span[] = [];
  for (const block of keyBlocks(text, landmarks)) {
    if (!isSecret && NAMED.test(block[0].shape)) {
      continue;
    }
    const { lines, secret } = judge(text, block);
    if (secret === isSecret) {
      for (const { start, end } of lines) {
        spans.push({ start, end, kind });
      }
    }
  }
  return spans;
}

/** Marks of a key file. Without one, narrow lines can't be told from names and values. */
const MARKS = /-----|Private-Lines|Proc-Type|DEK-Info/;
/** The base64 of a line. The last line of a body may be shorter. */
const BASE64 = /[A-Za-z0-9+/]{40,}/g;
const WIDE_BASE64 = /[A-Za-z0-9+/]{60,}/g;

function keyBlocks(text: string, { runs }: Landmarks): Block[] {
  const blocks: [Line, ...Line[]][] = [];
  const pattern = MARKS.test(text) ? BASE64 : WIDE_BASE64;
  for (const { start, end } of runsOf(text, runs, pattern)) {
    const padding = end - start <= LONGEST ? matchAt(PADDING, text, end)?.[0] : undefined;
    if (padding === undefined) {
      continue;
    }
    const line = lineAt(text, start, text.slice(start, end + padding.length));
    const block = blocks.at(-1);
    if (block && follows(text, lastOf(block), line)) {
      block.push(line);
    } else {
      blocks.push([line]);
    }
  }
  return blocks;
}

const lastOf = (block: Block): Line => block.at(-1) ?? block[0];

function lineAt(text: string, index: number, run: string): Line {
  const escaped = text.charAt(index - 1) === "\\" ? lengthOfEscape(run) : 0;
  const before = text.slice(Math.max(0, index - LONGEST_PREFIX), index + escaped);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const prefix = line.includes("\\") ? (line.split(BREAK).at(-1) ?? "") : line;
  return { start: index + escaped, end: index + run.length, shape: shapeOf(prefix) };
}

/** In `\nMIIE`, the n belongs to the escape. */
const lengthOfEscape = (run: string): number => /^u[0-9a-f]{4}|^[nrt]/.exec(run)?.[0].length ?? 0;

function shapeOf(prefix: string): string {
  return prefix
    .trimStart()
    .replace(/[0-9a-f]{7,}|\d+/g, "0")
    .replace(/\s+/g, " ");
}

/** Whether only line ends, quotes and the next line's prefix are between two lines. */
function follows(text: string, last: Line, next: Line): boolean {
  if (next.start - last.end > LONGEST_PREFIX || next.shape !== last.shape) {
    return false;
  }
  const lines = text.slice(last.end, next.start).split(BREAK);
  const isEmpty = (line: string) => !/[A-LN-Za-z0-9]/.test(line); // a line may end with ^M$
  return lines.length > 1 && lines.slice(0, -1).every(isEmpty);
}

interface Judged {
  readonly lines: readonly Line[];
  /** Undefined if nothing reveals the type of the block. */
  readonly secret: boolean | undefined;
}

const BEGIN = /(BEGIN|END) ([A-Z0-9 ]{0,40})-----(?:(?!-----)[\s\S])*$/;
const END = /-----END ([A-Z0-9 ]{0,40})/;
const PRIVATE_LINES =
  /(?:Private-Lines: \d{1,4}|Proc-Type: 4,ENCRYPTED|DEK-Info: \S{1,80})[^A-Za-z0-9]*$/;

function judge(text: string, block: Block): Judged {
  const { start } = block[0];
  const { end } = lastOf(block);
  const before = text.slice(Math.max(0, start - 2 * LONGEST_PREFIX), start);
  const after = text.slice(end, end + 2 * LONGEST_PREFIX);
  const isMarked = before.includes("-----") || after.includes("-----END ");
  const isPrivate = PRIVATE_LINES.test(before);
  if (!isMarked && block.length === 1) {
    return { lines: block, secret: isPrivate || undefined };
  }
  const tail = shortLineAfter(text, lastOf(block));
  const lines = tail ? [...block, tail] : block;
  const label = isMarked ? labelOf(text, before, (tail ?? lastOf(block)).end) : undefined;
  if (label !== undefined) {
    return { lines, secret: label.includes("PRIVATE") };
  }
  const isKey = isPrivate || isBody(text, block) || containsKey(text, block);
  return { lines, secret: isKey || undefined };
}

/** The kind of key or certificate in the line before or after a block. */
function labelOf(text: string, before: string, end: number): string | undefined {
  const [, mark, label] = BEGIN.exec(before) ?? [];
  const [, labelAfter] = END.exec(text.slice(end, end + LONGEST_PREFIX)) ?? [];
  const endsPrivate = labelAfter?.includes("PRIVATE") ?? false;
  // A cut can join the beginning of a public block to the end of a private key.
  return mark === "BEGIN" && !endsPrivate ? label : labelAfter;
}

/** Whether base64 is a key file with a private key, or consists of lines of base64 itself. */
function containsKey(text: string, block: Block): boolean {
  const base64 = block.map(({ start, end }) => text.slice(start, end)).join("");
  const decoded = Buffer.from(base64, "base64").toString("latin1");
  const isBase64 = /^[A-Za-z0-9+/=\r\n]{60,}[A-Z -]*$/.test(decoded);
  return /PRIVATE KEY/.test(decoded) || (isBase64 && decoded.includes("\n"));
}

const LAST_LINE = new RegExp(`(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{1,200}={0,2}(?=${LINE_END})`, "y");

/** The last, shorter line of a body, if it follows and only the end of the line comes after it. */
function shortLineAfter(text: string, last: Line): Line | undefined {
  const lineBreak = matchesIn(text.slice(last.end, last.end + 12), BREAK).at(-1);
  if (!lineBreak) {
    return undefined;
  }
  const from = last.end + lineBreak.index + lineBreak[0].length;
  const line = text.slice(from, from + LONGEST_PREFIX).split(BREAK, 1)[0] ?? "";
  for (const { index } of matchesIn(line, /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]/g)) {
    const run = matchAt(LAST_LINE, text, from + index)?.[0];
    const isShorter = run !== undefined && run.length < last.end - last.start;
    if (isShorter && shapeOf(line.slice(0, index)) === last.shape) {
      return { start: from + index, end: from + index + run.length, shape: last.shape };
    }
  }
  return undefined;
}

/** The widths at which OpenSSL, PuTTY and OpenSSH break a key. */
const WIDTHS: ReadonlySet<number> = new Set([64, 70]);

/** Whether a block without its first and last line is a key: two lines or more of such a width, random as a whole. */
function isBody(text: string, block: Block): boolean {
  const runs = block.map(({ start, end }) => text.slice(start, end));
  const width = runs[0]?.length ?? 0;
  const isLine = (run: string) => run.length === width && isMixed(run);
  if (runs.length < 2 || !WIDTHS.has(width) || !runs.every(isLine)) {
    return false;
  }
  return looksRandom(runs.join("").replace(/[+/]/g, ""), 40);
}

/** Has letters of both cases, unlike a digest, and digits. */
const isMixed = (run: string): boolean => /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
