/** How a daemon does, as Prometheus reads it: calls by name and status, how long they took, and what it has under way. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { spentInAll } from "../../sessions/storing/redactor.ts";

/** Upper bounds, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Counts {
  readonly byStatus: Map<number, number>;
  readonly byBound: number[];
  count: number;
  seconds: number;
}

/** Connections to the database, as `pg` counts them. */
export type Pool = Readonly<Record<"totalCount" | "idleCount" | "waitingCount", number>>;

type Sample = readonly [labels: string, value: number];

/** How often the event loop is looked at: what it is late by beyond this is lag. */
const RESOLUTION_MS = 10;

export class Metrics {
  readonly #calls = new Map<string, Counts>();
  readonly #loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  count({ call, status, ms }: { readonly call: string; readonly status: number; readonly ms: number }): void {
    const counts = this.#calls.get(call) ?? { byStatus: new Map(), byBound: BOUNDS.map(() => 0), count: 0, seconds: 0 };
    this.#calls.set(call, counts);
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    counts.count++;
    counts.seconds += ms / 1_000;
    for (const [at, bound] of BOUNDS.entries())
      if (ms <= bound * 1_000) counts.byBound[at] = (counts.byBound[at] ?? 0) + 1;
  }

  text(waiting: number, bodyBytes: number, pools: Readonly<Record<string, Pool>>): string {
    const known = [...this.#calls];
    const total = known.flatMap(([call, { byStatus }]) =>
      [...byStatus].map(([status, count]): Sample => [`{call="${call}",status="${status}"}`, count]),
    );
    const seconds = known.flatMap(([call, { byBound, count, seconds }]): Sample[] => [
      ...BOUNDS.map((bound, at): Sample => [`_bucket{call="${call}",le="${bound}"}`, byBound[at] ?? 0]),
      [`_bucket{call="${call}",le="+Inf"}`, count],
      [`_sum{call="${call}"}`, seconds],
      [`_count{call="${call}"}`, count],
    ]);
    const connections = Object.entries(pools).flatMap(([pool, { totalCount, idleCount, waitingCount }]): Sample[] => [
      [`{pool="${pool}",state="used"}`, totalCount - idleCount],
      [`{pool="${pool}",state="idle"}`, idleCount],
      [`{pool="${pool}",state="waiting"}`, waitingCount],
    ]);
    return [
      family("sentinel_calls_total", "counter", "Calls that were answered.", total),
      family("sentinel_call_seconds", "histogram", "How long calls took.", seconds),
      family("sentinel_waiting_calls", "gauge", "Calls that wait for their turn.", [["", waiting]]),
      family("sentinel_connections", "gauge", "Connections to PostgreSQL, and calls that wait for one.", connections),
      family("sentinel_body_bytes", "gauge", "Large bodies of calls that are not answered yet.", [["", bodyBytes]]),
      family("sentinel_redaction_seconds_total", "counter", "Looking for secrets.", [["", spentInAll.ms / 1_000]]),
      family(
        "sentinel_event_loop_lag_seconds",
        "gauge",
        "Lateness of the event loop since the last look.",
        this.#lag(),
      ),
      family("process_resident_memory_bytes", "gauge", "Memory of the process.", [["", process.memoryUsage.rss()]]),
    ].join("");
  }

  #lag(): Sample[] {
    this.#loop.enable();
    const lags = [0.5, 0.99, 1].map((quantile): Sample => {
      const ms = this.#loop.percentile(100 * quantile) / 1e6 - RESOLUTION_MS;
      return [`{quantile="${quantile}"}`, Math.max(0, ms / 1_000)];
    });
    this.#loop.reset();
    return lags;
  }
}

function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => `${name}${labels} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}
