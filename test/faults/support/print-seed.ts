/** Runs once before the suite. */
import { LONG, SEED } from "../../support/form.ts";

export function setup(): void {
  process.stderr.write(`faults: ${LONG ? "long" : "short"} form, SEED=${SEED}\n`);
}
