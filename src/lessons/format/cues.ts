/** Cues: words of a principle's sources that its own lesson does not say. A set cut by a total order, so the order of joins does not count. */
import type { Meta } from "./lesson.ts";

/** Most cues a principle has, and most bytes of UTF-8 each of them has. */
const MOST_CUES = 40;
export const MOST_CUE_BYTES = 24;

/** The cues a line carries; none for what is not a list of short words. */
export function cuesOf(meta: Meta): readonly string[] {
  const { cues } = meta;
  return Array.isArray(cues) ? limitCues(cues.filter((cue) => typeof cue === "string")) : NONE;
}

const NONE: readonly string[] = [];

/** As many words as a principle keeps, the longest first, in the order in which they are stored. */
export function limitCues(words: Iterable<string>): string[] {
  const short = [...new Set(words)].filter((word) => word !== "" && Buffer.byteLength(word, "utf8") <= MOST_CUE_BYTES);
  const kept = short.length <= MOST_CUES ? short : short.sort(longestFirst).slice(0, MOST_CUES);
  return kept.sort(byCodePoint);
}

const longestFirst = (a: string, b: string): number => [...b].length - [...a].length || byCodePoint(a, b);

/** `<` on strings goes by UTF-16 units, which puts what is beyond the first plane too early. */
const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
