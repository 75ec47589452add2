/**
 * A block of ours, between two markers, in a text file that somebody else keeps.
 *
 * Text is cut and joined by index, because `$&` has a meaning in a replacement string. Without exactly one pair of markers it
 * is unclear what is ours, and the file is left alone.
 */
import { SentinelError } from "../../../ground/core/errors.ts";
import { lineEnd } from "./line-end.ts";

const START = "<!-- sentinel-memory:start (written by sentinel-memory init; changes in here are overwritten) -->";
const END = "<!-- sentinel-memory:end -->";
/** Matches the first words only, so that the rest may differ between versions. */
const ANY_START = /<!-- sentinel-memory:start\b[^\n]*-->/g;

/** A text between our markers. */
export function markedBlock(content: string): string {
  return `${START}\n${content}\n${END}`;
}

/**
 * The text with the block in place of an older one, else at the end, below an empty line. A text whose last line has no end gets
 * no empty line: by that taking the block out knows that there was none.
 *
 * @throws SentinelError `markers_unclear`.
 */
export function putBlock(text: string, block: string): string {
  const eol = lineEnd(text);
  const ours = block.replaceAll("\n", () => eol);
  const span = findBlock(text);
  if (span) return text.slice(0, span.start) + ours + text.slice(span.end);
  if (text === "") return ours + eol;
  return text + eol + ours + eol;
}

/**
 * The text without the block and what was put before it: an empty line, or the end of a last line that had none.
 *
 * @throws SentinelError `markers_unclear`.
 */
export function takeBlock(text: string): string {
  const span = findBlock(text);
  if (!span) return text;
  const before = text.slice(0, span.start);
  const after = text.slice(span.end).replace(/^\r?\n/, "");
  const isBelowText = !/(?:^|\n)\r?\n$/.test(before);
  return (isBelowText && after !== "" ? before : before.replace(/\r?\n$/, "")) + after;
}

/** Whether a text has a block of ours, or part of one. */
export function holdsBlock(text: string): boolean {
  return text.search(ANY_START) >= 0;
}

function findBlock(text: string): { start: number; end: number } | undefined {
  const starts = [...text.matchAll(ANY_START)];
  const first = text.indexOf(END);
  const last = text.lastIndexOf(END);
  if (starts.length === 0 && first < 0) return undefined;
  const start = starts[0]?.index ?? -1;
  if (starts.length === 1 && first === last && first > start) return { start, end: first + END.length };
  throw new SentinelError(
    "markers_unclear",
    "It does not hold exactly one pair of sentinel-memory markers; it was left alone.",
    "Remove the markers, and what was ours between them, by hand; then run this again.",
  );
}
