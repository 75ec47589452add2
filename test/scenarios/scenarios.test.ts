/** Every story in scenarios/, each row of it a test of its own against the built server. */
import { readdirSync } from "node:fs";
import { afterAll, describe, test } from "vitest";
import { readScenario, type ScenarioFile } from "./read-scenario.ts";
import { tellFailures, writeReport } from "./report.ts";
import { runScenario, type ScenarioResult } from "./run-scenario.ts";
import type { Row } from "./scenario.ts";

const FOLDER = "scenarios";
const ENDING = ".scenario.yaml";

interface Telling {
  readonly row: Row;
  /** Rejects where the file is not a scenario. */
  readonly read: () => Promise<ScenarioFile>;
}

/** A file that cannot be read is one story, which fails. */
async function storiesIn(name: string): Promise<[name: string, Telling][]> {
  const reading = readScenario(`${FOLDER}/${name}${ENDING}`);
  const rows = await reading.then(
    ({ scenario }) => scenario.for,
    () => [{}],
  );
  return rows.map((row) => [[name, ...Object.values(row).slice(0, 1)].join(": "), { row, read: () => reading }]);
}

const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length));
const stories = (await Promise.all(names.map(storiesIn))).flat();

describe.concurrent("scenarios", () => {
  const results: ScenarioResult[] = [];
  afterAll(async () => {
    await writeReport(results);
  });

  test.for(stories)("%s", async ([, { row, read }], { expect }) => {
    const result = await runScenario(await read(), { row });
    results.push(result);
    expect(result.passed, tellFailures(result)).toBe(true);
  });
});
