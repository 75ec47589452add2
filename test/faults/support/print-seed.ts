/** Runs once before the suite. */
import { LONG, SEED } from "./form.ts";

export function setup(): void {
  process.stderr.write(`faults: ${LONG ? "long" : "short"} form, SEED=${SEED}\n`);
}
