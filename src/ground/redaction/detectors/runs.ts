/** Runs of characters of one alphabet, which most detectors look for first. A loop over codes, many times faster than a pattern. */

/** A table of the characters that belong to an alphabet; what is not ASCII belongs to none. */
export type Alphabet = Uint8Array;

export function alphabet(characters: RegExp): Alphabet {
  return Uint8Array.from({ length: 128 }, (_, code) =>
    characters.test(String.fromCharCode(code)) ? 1 : 0,
  );
}

/** All that a generated value may hold. Every other alphabet whose runs are looked for is a part of it. */
const GENERATED = alphabet(/[A-Za-z0-9_.+/=:|!~-]/);
const SHORTEST = 12;
export const BASE64 = alphabet(/[A-Za-z0-9+/]/);
export const WORD = alphabet(/[A-Za-z0-9]/);

export const isIn = (letters: Alphabet, code: number): boolean => code < 128 && letters[code] === 1;

/** Start and end of every run in which a generated value may stand, one after the other in one list. */
export function longRuns(text: string): number[] {
  const runs: number[] = [];
  addRuns(runs, text, 0, text.length, GENERATED, SHORTEST);
  return runs;
}

/** Start and end of every run of at least `least` characters, which are twelve or more, in the same form; `long` are the long runs. */
export function runsOf(
  text: string,
  long: readonly number[],
  letters: Alphabet,
  least: number,
): number[] {
  const runs: number[] = [];
  for (let i = 0; i < long.length; i += 2)
    addRuns(runs, text, long[i] as number, long[i + 1] as number, letters, least);
  return runs;
}

function addRuns(
  runs: number[],
  text: string,
  from: number,
  length: number,
  letters: Alphabet,
  least: number,
): void {
  let start = from;
  while (start + least <= length) {
    // from the end of the shortest run backwards: most words are shorter, and are passed in one step
    let last = start + least - 1;
    while (last >= start && isIn(letters, text.charCodeAt(last))) last--;
    if (last >= start) {
      start = last + 1;
      continue;
    }
    let end = start + least;
    while (end < length && isIn(letters, text.charCodeAt(end))) end++;
    runs.push(start, end);
    start = end + 1;
  }
}

/** Start and end of every pair in such a list. */
export function* pairs(runs: readonly number[]): Generator<readonly [start: number, end: number]> {
  for (let i = 0; i < runs.length; i += 2) yield [runs[i] as number, runs[i + 1] as number];
}

/** Where a word begins that seems to begin at `start`: in `\nevt_1`, behind the letter of the escape. */
export function afterEscape(text: string, start: number): number {
  return text.charAt(start - 1) === "\\" && /[nrt]/.test(text.charAt(start)) ? start + 1 : start;
}
