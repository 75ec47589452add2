import { expect, it } from "vitest";
import { stepTimes, tellMeasures } from "./report.ts";
import type { ScenarioResult } from "./run-scenario.ts";

it("gives the p95 and the maximum of each kind of step, the slowest first", () => {
  const part = (name: string, ms: number) => ({ name, ms, line: 1, checks: [] });
  const calls = Array.from({ length: 100 }, (_, at) => part(`step ${at + 1}: call search`, at + 1));
  const result: ScenarioResult = {
    ...{ id: "a", file: "a.yaml", title: "A", proves: "", passed: true, ms: 9, bundles: [] },
    parts: [...calls, part("step 101: bundle how?", 700), part("assertion 1", 5_000)],
  };
  expect(stepTimes([result])).toEqual([
    { step: "bundle", count: 1, p95: 700, max: 700 },
    { step: "call", count: 100, p95: 95, max: 100 },
  ]);
  expect(tellMeasures([result])).toContain("call  100 steps, p95 95 ms, most 100 ms");
});
