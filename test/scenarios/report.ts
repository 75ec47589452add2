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

/** The times of all steps that begin with the same verb, in ms. */
export interface StepTimes {
  readonly step: string;
  readonly count: number;
  readonly p95: number;
  readonly max: number;
}

/** The slowest kind of step first. */
export function stepTimes(results: readonly ScenarioResult[]): StepTimes[] {
  const times = new Map<string, number[]>();
  for (const { name, ms } of results.flatMap(({ parts }) => parts)) {
    const [, verb] = /^step \d+: (\S+)/.exec(name) ?? [];
    if (verb !== undefined) {
      times.set(verb, [...(times.get(verb) ?? []), ms]);
    }
  }
  const all = [...times].map(([step, taken]) => {
    const sorted = taken.sort((a, b) => a - b);
    const p95 = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
    return { step, count: sorted.length, p95, max: sorted.at(-1) ?? 0 };
  });
  return all.sort((a, b) => b.p95 - a.p95);
}

/** One line for each story, bundle and kind of step, for a person. */
export function tellMeasures(results: readonly ScenarioResult[]): string {
  const steps = stepTimes(results).map(
    ({ step, count, p95, max }) => `${step}  ${count} steps, p95 ${p95} ms, most ${max} ms`,
  );
  return [...storyLines(results), ...steps].join("\n");
}

function storyLines(results: readonly ScenarioResult[]): string[] {
  return results.flatMap(({ id, passed, ms, bundles }) => [
    `${passed ? "pass" : "FAIL"}  ${id}  ${ms} ms`,
    ...bundles.map(
      ({ query, tokens, pool, bytes, reads, ms: waited }) =>
        `        ${waited} ms, ${tokens} tokens, pool ${pool}, ${bytes} bytes in ${reads} reads: ${query}`,
    ),
  ]);
}

/** Writes `reports/run_*.report.json`; times in it are a record, nothing depends on them. */
export async function writeReport(
  results: readonly ScenarioResult[],
  folder = "reports",
): Promise<string> {
  const path = `${folder}/run_${new Date().toISOString().replaceAll(/[:.]/g, "-")}.report.json`;
  const steps = stepTimes(results);
  const report = { node: process.version, platform: process.platform, steps, results };
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
