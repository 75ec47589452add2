/** What a run found: for a person when something fails, and as a file each time. */
import { mkdir, writeFile } from "node:fs/promises";
import type { ScenarioResult } from "./run-scenario.ts";

const MOST_SHOWN = 2_000;

/** Which line of the story did not hold, what it expected and what came; empty when all of it held. */
export function tellFailures({ file, parts }: ScenarioResult): string {
  const failures = parts.flatMap(({ name, checks }) => {
    return checks
      .filter(({ ok }) => !ok)
      .map(({ line, expected, actual }) => ({ name, line, expected, actual }));
  });
  return failures
    .map(({ name, line, expected, actual }) => {
      return `${file}:${line}  ${name}\n  expected: ${short(expected)}\n  actual:   ${short(actual).replaceAll("\n", "\n    ")}`;
    })
    .join("\n\n");
}

/** One line for each story and bundle, for a person. */
export function tellMeasures(results: readonly ScenarioResult[]): string {
  return results
    .flatMap(({ id, passed, ms, bundles }) => [
      `${passed ? "pass" : "FAIL"}  ${id}  ${ms} ms`,
      ...bundles.map(
        ({ query, tokens, pool, bytes, reads, ms: waited }) =>
          `        ${waited} ms, ${tokens} tokens, pool ${pool}, ${bytes} bytes in ${reads} reads: ${query}`,
      ),
    ])
    .join("\n");
}

/** Writes `reports/run_*.report.json`; times in it are a record, nothing depends on them. */
export async function writeReport(
  results: readonly ScenarioResult[],
  folder = "reports",
): Promise<string> {
  const path = `${folder}/run_${new Date().toISOString().replaceAll(/[:.]/g, "-")}.report.json`;
  const report = { node: process.version, platform: process.platform, results };
  const shortened = (_: string, value: unknown) =>
    typeof value === "string" ? short(value) : value;
  await mkdir(folder, { recursive: true });
  await writeFile(path, `${JSON.stringify(report, shortened, 2)}\n`);
  return path;
}

function short(text: string): string {
  return text.length <= MOST_SHOWN
    ? text
    : `${text.slice(0, MOST_SHOWN)}… (${text.length} characters)`;
}
