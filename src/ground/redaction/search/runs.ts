/** Finds runs of characters of one alphabet, which are the first thing that most detectors need. */
import { matchesIn, type Place } from "../span.ts";

/** All characters of generated values. Every other alphabet that detectors search for is a part of it. */
const GENERATED = /[A-Za-z0-9_.+/=:|!~-]{12,}/g;

/** Every run that may contain a generated value, in order. */
export const longRuns = (text: string): Place[] =>
  matchesIn(text, GENERATED).map(({ index, 0: run }) => ({
    start: index,
    end: index + run.length,
  }));

/** Every run within the long runs. @param pattern global, for at least 12 characters of generated values. */
export function runsOf(text: string, long: readonly Place[], pattern: RegExp): Place[] {
  const runs: Place[] = [];
  for (const { start, end } of long)
    for (const { index, 0: run } of matchesIn(text.slice(start, end), pattern))
      runs.push({ start: start + index, end: start + index + run.length });
  return runs;
}

/** Skips the letter of an escape at the start of a word: `n` in `\nevt_1`. */
export function afterEscape(text: string, start: number): number {
  return text.charAt(start - 1) === "\\" && /[nrt]/.test(text.charAt(start)) ? start + 1 : start;
}
