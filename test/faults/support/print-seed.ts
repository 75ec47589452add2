/** Runs once before the suite. */
import type { TestProject } from "vitest/node";

export function setup({ config }: TestProject): void {
  process.stderr.write(`The fault tests draw from SEED=${config.env.SEED}\n`);
}
