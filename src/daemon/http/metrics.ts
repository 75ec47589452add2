/** How a daemon does, as Prometheus reads it: calls by name and status, and how long they took. */

/** Upper bounds, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Counts {
  readonly byStatus: Map<number, number>;
  readonly byBound: number[];
  count: number;
  seconds: number;
}

export class Metrics {
  readonly #calls = new Map<string, Counts>();

  count({ call, status, ms }: { readonly call: string; readonly status: number; readonly ms: number }): void {
    const counts = this.#calls.get(call) ?? { byStatus: new Map(), byBound: BOUNDS.map(() => 0), count: 0, seconds: 0 };
    this.#calls.set(call, counts);
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    counts.count++;
    counts.seconds += ms / 1_000;
    for (const [at, bound] of BOUNDS.entries())
      if (ms <= bound * 1_000) counts.byBound[at] = (counts.byBound[at] ?? 0) + 1;
  }

  text(): string {
    const calls = [...this.#calls];
    const total = calls.flatMap(([call, { byStatus }]) =>
      [...byStatus].map(([status, count]) => `sentinel_calls_total{call="${call}",status="${status}"} ${count}`),
    );
    const seconds = calls.flatMap(([call, { byBound, count, seconds }]) => [
      ...BOUNDS.map((bound, at) => `sentinel_call_seconds_bucket{call="${call}",le="${bound}"} ${byBound[at]}`),
      `sentinel_call_seconds_bucket{call="${call}",le="+Inf"} ${count}`,
      `sentinel_call_seconds_sum{call="${call}"} ${seconds}`,
      `sentinel_call_seconds_count{call="${call}"} ${count}`,
    ]);
    return [
      "# HELP sentinel_calls_total Calls that were answered.",
      "# TYPE sentinel_calls_total counter",
      ...total,
      "# HELP sentinel_call_seconds How long calls took.",
      "# TYPE sentinel_call_seconds histogram",
      ...seconds,
      "",
    ].join("\n");
  }
}
