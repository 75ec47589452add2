/**
 * How much of the suite runs: `npm test`, or more of the same in `npm run test:long`.
 *
 * What is left to chance follows from a seed, which is printed and is always the same, unless `SEED=...` says another: a run has to say
 * of the same code what it said before, and one that goes red has to do so because of a change. Other seeds are for looking for
 * mistakes; what one of them finds becomes a test of its own.
 */
import { type Random, seeded } from "./random.ts";

/** Set by vitest.long.config.ts. */
export const LONG = process.env.SENTINEL_LONG === "1";
/** `SOAK=5 npm run test:long` takes the fault tests five times as far, which nobody waits for. */
export const SOAK = Number(process.env.SOAK ?? 1);
export const SEED = process.env.SEED ?? "1";
/** What the cases of properties are drawn by: the long tests try others than `npm test`. */
export const CASES = LONG ? "other cases" : "fast-check";

/** Numbers that follow from the seed and a name, so that one test draws the same whatever runs before it. */
export function chance(name: string): Random {
  return seeded(`${SEED} ${name}`);
}
