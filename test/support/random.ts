/** The one generator of random numbers that tests and benches draw from: the same seed gives the same on every machine. */

/** Numbers from 0 to 1, 1 excluded. */
export type Random = () => number;

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** @param seed a number, or a text, so that each test may have numbers of its own whatever runs before it. */
export function seeded(seed: number | string): Random {
  let state = typeof seed === "number" ? seed >>> 0 : hashed(seed);
  return () => {
    // A linear congruential generator, of which callers use the better, high digits. Published figures were measured on what it
    // makes: another one would change them.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One of several. */
export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** So many letters and digits. */
export function word(random: Random, length: number): string {
  return Array.from({ length }, () => pick(random, [...LETTERS_AND_DIGITS])).join("");
}

/** FNV-1a: texts that differ in a digit have seeds far apart. */
function hashed(text: string): number {
  return (
    [...text].reduce(
      (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619),
      2_166_136_261,
    ) >>> 0
  );
}
