/**
 * `npm run scenarios [-- NAME] [--report]`: all stories, or those with NAME in their file name; a long one only where NAME is in its name, or
 * with --report, which writes what each took.
 */
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { startVitest } from "vitest/node";

const { values, positionals } = parseArgs({
  options: { report: { type: "boolean" } },
  allowPositionals: true,
});
const [name] = positionals;
// A filter that matches nothing would pass: every test is skipped.
if (
  name &&
  !readdirSync("scenarios", { recursive: true, encoding: "utf8" }).some((file) =>
    file.includes(name),
  )
) {
  console.error(`No file in scenarios/ has "${name}" in its name.`);
  process.exit(1);
}
const env = {
  ...((name || values.report) && { SCENARIOS_LONG: "1" }),
  ...(values.report && { SCENARIOS_REPORT: "1" }),
};
await startVitest("test", ["test/scenarios/scenarios.test.ts"], {
  project: "scenarios",
  run: true,
  env,
  ...(name && { testNamePattern: name }),
  ...(env.SCENARIOS_LONG && { testTimeout: 600_000 }),
});
