/**
 * How much of the suite runs: the short form belongs to `npm test`, the long one is `npm run test:faults`. What is left to
 * chance follows from a seed, which is printed; `SEED=... npm run test:faults` runs the same again.
 */
export const LONG = process.env.FAULTS === "long";
export const SEED = Number(process.env.SEED ?? (LONG ? Date.now() % 1_000_000 : 1));

/** The number for this form. */
export function inForm<T>(short: T, long: T): T {
  return LONG ? long : short;
}

/** Numbers from 0 to 1 that follow from the seed and a name, so that one test draws the same whatever runs before it. */
export function chance(name: string): () => number {
  let state = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), SEED) >>> 0;
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
