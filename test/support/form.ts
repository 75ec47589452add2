/**
 * How much of the suite runs: `npm test`, or more of the same in `npm run test:long`. What is left to chance in the fault tests
 * follows from a seed, which is printed; `SEED=... npm run test:long` runs the same again.
 */
import { type Random, seeded } from "./random.ts";

/** Set by vitest.long.config.ts. */
export const LONG = process.env.SENTINEL_LONG === "1";
/** `SOAK=5 npm run test:long` takes the fault tests five times as far, which nobody waits for. */
export const SOAK = Number(process.env.SOAK ?? 1);
const SEED = process.env.SEED ?? "1";

/** How many random cases a property is tried on. */
export function runs(count: number): { numRuns: number } {
  return { numRuns: LONG ? count * 5 : count };
}

/** Numbers that follow from the seed and a name, so that one test draws the same whatever runs before it. */
export function chance(name: string): Random {
  return seeded(`${SEED} ${name}`);
}
