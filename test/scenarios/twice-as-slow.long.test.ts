/** The stories that say how long a bundle may take fail on a server that takes twice as long, and on nothing else of it. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readScenario } from "./read-scenario.ts";
import { tellFailures } from "./report.ts";
import { runScenario } from "./run-scenario.ts";

const TWICE_AS_SLOW = resolve("test/support/twice-as-slow.mjs");

test.each(["scn-p1-fast-path", "scn-p2-retrieval-path", "scn-p3-cold-path"])("%s", async (name) => {
  const story = await readScenario(`scenarios/context/${name}.scenario.yaml`);
  const result = await runScenario(story, { bin: TWICE_AS_SLOW });
  const failed = result.parts.flatMap(({ checks }) => checks.filter(({ ok }) => !ok));
  expect(failed, tellFailures(result)).toHaveLength(1);
  expect(failed[0]?.expected).toMatch(/^at most [\d.]+ times a bare node, (?:warm|cold)$/);
});
