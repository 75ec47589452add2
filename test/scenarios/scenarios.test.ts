/** Every story in scenarios/, each a test of its own against the built server. */
import { readdirSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { readScenario } from "./read-scenario.ts";
import { tellFailures, writeReport } from "./report.ts";
import { runScenario, type ScenarioResult } from "./run-scenario.ts";

const FOLDER = "scenarios";
const ENDING = ".scenario.yaml";
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length));

describe.concurrent("scenarios", () => {
  const results: ScenarioResult[] = [];
  afterAll(async () => {
    await writeReport(results);
  });

  test.for(names)("%s", async (name) => {
    const result = await runScenario(await readScenario(`${FOLDER}/${name}${ENDING}`));
    results.push(result);
    if (!result.passed) expect.fail(tellFailures(result));
  });
});
