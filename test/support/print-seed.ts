/** Runs once before the suite. */
import { SEED } from "./form.ts";

export function setup(): void {
  process.stderr.write(`What is left to chance is drawn from SEED=${SEED}\n`);
}
