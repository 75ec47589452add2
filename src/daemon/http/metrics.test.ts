import { expect, it } from "vitest";
import { Metrics } from "./metrics.ts";

const POOL = { totalCount: 0, idleCount: 0, waitingCount: 0 };
const figureOf = (text: string, sample: string): number =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${sample} `))
      ?.slice(sample.length),
  );

it("gives times in seconds: of calls, and what the event loop is late by", async () => {
  const metrics = new Metrics();
  metrics.count({ call: "read", status: 200, ms: 1_500 });
  const text = metrics.text(0, 0, POOL);
  const sample = (name: string) => figureOf(text, `sentinel_call_seconds_${name}`);
  expect([
    sample('sum{call="read"}'),
    sample('bucket{call="read",le="1"}'),
    sample('bucket{call="read",le="2.5"}'),
  ]).toEqual([1.5, 0, 1]);

  let isBlocked = false;
  /** Blocks the loop at one look, and reads at the next what that was. */
  const lag = () => {
    isBlocked = !isBlocked;
    if (!isBlocked) {
      return figureOf(metrics.text(0, 0, POOL), "sentinel_event_loop_lag_seconds");
    }
    const end = performance.now() + 100;
    while (performance.now() < end) {}
    return 0;
  };
  await expect.poll(lag).toBeGreaterThan(0.05);
});
