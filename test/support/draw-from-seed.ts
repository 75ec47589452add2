/** Runs before each file of tests: fast-check, which draws from the clock, draws from the seed too. */
import fc from "fast-check";
import { CASES, chance } from "./form.ts";

// It takes whole numbers of 32 bits.
fc.configureGlobal({ seed: Math.floor(chance(CASES)() * 2 ** 32) | 0 });
