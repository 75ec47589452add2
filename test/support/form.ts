/**
 * How much of the suite runs: the short form belongs to `npm test`, the long one is `npm run test:faults`. What is left to
 * chance follows from a seed, which is printed; `SEED=... npm run test:faults` runs the same again.
 */
import { type Random, seeded } from "./random.ts";

export const LONG = process.env.FAULTS === "long";
export const SEED = Number(process.env.SEED ?? (LONG ? Date.now() % 1_000_000 : 1));

/** The number for this form. */
export function inForm<T>(short: T, long: T): T {
  return LONG ? long : short;
}

/** Numbers that follow from the seed and a name, so that one test draws the same whatever runs before it. */
export function chance(name: string): Random {
  return seeded(`${SEED} ${name}`);
}
