/** Finds runs of characters of one alphabet, which are the first thing that most detectors need. Much faster than a pattern. */
import type { Place } from "../span.ts";

/** A table with a 1 for each ASCII code that belongs to it. */
export type Alphabet = Uint8Array;

export function alphabet(characters: RegExp): Alphabet {
  return Uint8Array.from({ length: 128 }, (_, code) =>
    characters.test(String.fromCharCode(code)) ? 1 : 0,
  );
}

/** All characters of generated values. Every other alphabet that detectors search for is a part of it. */
const GENERATED = alphabet(/[A-Za-z0-9_.+/=:|!~-]/);
const SHORTEST = 12;
export const BASE64 = alphabet(/[A-Za-z0-9+/]/);
export const WORD = alphabet(/[A-Za-z0-9]/);

export const isIn = (letters: Alphabet, code: number): boolean => code < 128 && letters[code] === 1;

/** Every run that may contain a generated value, in order. */
export function longRuns(text: string): Place[] {
  const runs: Place[] = [];
  addRuns(runs, text, { start: 0, end: text.length }, GENERATED, SHORTEST);
  return runs;
}

/** Every run of at least `least` characters of an alphabet. @param long the long runs. @param least 12 or more. */
export function runsOf(
  text: string,
  long: readonly Place[],
  letters: Alphabet,
  least: number,
): Place[] {
  const runs: Place[] = [];
  for (const within of long) addRuns(runs, text, within, letters, least);
  return runs;
}

function addRuns(runs: Place[], text: string, within: Place, letters: Alphabet, least: number) {
  let start = within.start;
  while (start + least <= within.end) {
    // Search backwards from the end of the shortest possible run, because most words are shorter and are skipped at once.
    let last = start + least - 1;
    while (last >= start && isIn(letters, text.charCodeAt(last))) last--;
    if (last >= start) {
      start = last + 1;
      continue;
    }
    let end = start + least;
    while (end < within.end && isIn(letters, text.charCodeAt(end))) end++;
    runs.push({ start, end });
    start = end + 1;
  }
}

/** Skips the letter of an escape at the start of a word: `n` in `\nevt_1`. */
export function afterEscape(text: string, start: number): number {
  return text.charAt(start - 1) === "\\" && /[nrt]/.test(text.charAt(start)) ? start + 1 : start;
}
