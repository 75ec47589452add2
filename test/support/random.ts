/** The one generator of random numbers that tests and benches draw from: the same seed gives the same on every machine. */

/** Numbers from 0 to 1, 1 excluded. */
export type Random = () => number;

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** @param seed a number, or a text, so that each test may have numbers of its own whatever runs before it. */
export function seeded(seed: number | string): Random {
  let state = typeof seed === "number" ? seed >>> 0 : hashed(seed);
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
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

function hashed(text: string): number {
  return [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 0) >>> 0;
}
