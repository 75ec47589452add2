/** Our block between two markers in a file that people keep by hand. */
import { SentinelError } from "../../../ground/core/errors.ts";

interface Marks {
  readonly start: string;
  readonly end: string;
  /** Matches the start marker of every version. */
  readonly anyStart: RegExp;
}

function marks(name: string, command: string): Marks {
  return {
    start: `<!-- ${name}:start (written by sentinel-memory ${command}; changes in here are overwritten) -->`,
    end: `<!-- ${name}:end -->`,
    anyStart: new RegExp(`<!-- ${name}:start\\b[^\\n]*?-->`, "g"),
  };
}

export const RULES_MARKS = marks("sentinel-memory", "init");
export const DIGEST_MARKS = marks("sentinel-memory-digest", "digest");

/** A text between our markers. */
export function markedBlock(content: string, { start, end }: Marks = RULES_MARKS): string {
  return `${start}\n${content}\n${end}`;
}

/**
 * The text with the block in place of an older one, else at the end, below an empty line.
 * @throws SentinelError `markers_unclear` without exactly one pair of markers.
 */
export function putBlock(text: string, block: string, marks: Marks = RULES_MARKS): string {
  const eol = lineEnd(text);
  const ours = block.replaceAll("\n", () => eol);
  const span = findBlock(text, marks);
  if (!span) {
    return text === "" ? ours + eol : text + eol + ours + eol;
  }
  const above = text.slice(0, span.start);
  const below = text.slice(span.end);
  return above + ours + below;
}

/** The text without the block and one line break. @throws SentinelError `markers_unclear`. */
export function takeBlock(text: string, marks: Marks = RULES_MARKS): string {
  const span = findBlock(text, marks);
  if (!span) {
    return text;
  }
  const above = text.slice(0, span.start);
  const below = text.slice(span.end);
  if (below.trim() === "") {
    return above.replace(/\r?\n$/, "");
  }
  return above + below.replace(/^[\r\n]+/, "");
}

/** Whether a text has one of our blocks, or part of one. */
export const holdsBlock = (text: string, { anyStart }: Marks = RULES_MARKS): boolean =>
  text.search(anyStart) >= 0;

/** The text between the markers, with Unix line ends, or undefined. */
export function contentOf(text: string, marks: Marks): string | undefined {
  const span = findBlock(text, marks);
  if (!span) {
    return undefined;
  }
  const block = text.slice(span.start, span.end - marks.end.length);
  const inner = unixLines(block).replace(marks.anyStart, "");
  return inner.replaceAll(/^\n|\n$/g, "");
}

/** The place of a block in a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function findBlock(text: string, marks: Marks): Span | undefined {
  const starts = [...text.matchAll(marks.anyStart)];
  const first = text.indexOf(marks.end);
  const last = text.lastIndexOf(marks.end);
  if (starts.length === 0 && first < 0) {
    return undefined;
  }
  const start = starts[0]?.index ?? -1;
  const isOnePair = starts.length === 1 && first === last && first > start;
  if (isOnePair) {
    return { start, end: first + marks.end.length };
  }
  throw new SentinelError(
    "markers_unclear",
    "It does not hold exactly one pair of sentinel-memory markers; it was left alone.",
    "Remove the markers and our text between them by hand, then run this again.",
  );
}

/** The line end that a text uses, for what we add to it. */
export const lineEnd = (text: string): "\n" | "\r\n" => (text.includes("\r\n") ? "\r\n" : "\n");

/** The text with Unix line ends, because git may check our files out with those of Windows. */
export const unixLines = (text: string): string => text.replaceAll("\r\n", "\n");
