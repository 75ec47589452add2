/** Runs before each file of tests: fast-check, which draws from the clock, draws from the seed too. */
import fc from "fast-check";
import { chance, LONG } from "./form.ts";

// The long tests draw other cases than `npm test`. It takes whole numbers of 32 bits.
const draw = chance(LONG ? "fast-check, long" : "fast-check");
fc.configureGlobal({ seed: Math.floor(draw() * 2 ** 32) | 0 });
