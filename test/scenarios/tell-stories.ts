/** Each row of a story is a test of its own against the built server. */
import { readdirSync } from "node:fs";
import { afterAll, describe, test } from "vitest";
import { readScenario, type ScenarioFile } from "./read-scenario.ts";
import { tellFailures, tellMeasures, writeReport } from "./report.ts";
import { runScenario, type ScenarioResult } from "./run-scenario.ts";
import type { Row, Scenario } from "./scenario.ts";

const FOLDER = "scenarios";
const ENDING = ".scenario.yaml";
/** Set by `npm run scenarios -- --report`. */
const WANTS_REPORT = process.env.SCENARIOS_REPORT === "1";

interface Telling {
  readonly row: Row;
  /** Rejects where the file is not a scenario. */
  readonly read: () => Promise<ScenarioFile>;
}

/** @param isTold whether to tell a story; it is undefined where its file cannot be read, which is a story that fails. */
export async function tellStories(
  isTold: (scenario: Scenario | undefined) => boolean,
): Promise<void> {
  const names = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length).replaceAll("\\", "/"))
    .sort();
  const stories = (await Promise.all(names.map((name) => storiesIn(name, isTold)))).flat();

  describe.concurrent("scenarios", () => {
    const results: ScenarioResult[] = [];
    afterAll(async () => {
      if (!WANTS_REPORT) {
        return;
      }
      const path = await writeReport(results.sort((a, b) => (a.id < b.id ? -1 : 1)));
      process.stdout.write(`${tellMeasures(results)}\n${path}\n`);
    });

    test.for(stories)("%s", async ([, { row, read }], { expect }) => {
      const result = await runScenario(await read(), { row });
      results.push(result);
      expect(result.passed, tellFailures(result)).toBe(true);
    });
  });
}

async function storiesIn(
  name: string,
  isTold: (scenario: Scenario | undefined) => boolean,
): Promise<[name: string, Telling][]> {
  const reading = readScenario(`${FOLDER}/${name}${ENDING}`);
  const scenario = await reading.then(
    (file) => file.scenario,
    () => undefined,
  );
  if (!isTold(scenario)) {
    return [];
  }
  const rows = scenario?.for ?? [{}];
  return rows.map((row) => [
    [name, ...Object.values(row).slice(0, 1)].join(": "),
    { row, read: () => reading },
  ]);
}
