/** `BENCH_TINY=1` makes a bench very small: `test/policy/bench.long.test.ts` only checks that it still runs. */
const IS_TINY = process.env.BENCH_TINY === "1";

/** A size or a number of rounds. @param tiny with `BENCH_TINY=1`. */
export function sized<Size>(full: Size, tiny: Size): Size {
  return IS_TINY ? tiny : full;
}
