/** Metrics for Prometheus: calls by name and status, their durations, and running work. */
import { monitorEventLoopDelay } from "node:perf_hooks";

/** The upper bounds of the histogram's buckets, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** How often the delay of the event loop is measured. Only longer delays count as lag. */
const RESOLUTION_MS = 10;

/** The counters of a pool of `pg`. */
export type Pool = Readonly<Record<"totalCount" | "idleCount" | "waitingCount", number>>;

export class Metrics {
  /** By their labels. */
  readonly #calls = new Map<string, number>();
  readonly #seconds = new Map<string, number>();
  readonly #loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  count({
    call,
    status,
    ms,
  }: {
    readonly call: string;
    readonly status: number;
    readonly ms: number;
  }): void {
    add(this.#calls, `{call="${call}",status="${status}"}`, 1);
    for (const bound of BOUNDS) {
      add(this.#seconds, `_bucket{call="${call}",le="${bound}"}`, ms <= bound * 1_000 ? 1 : 0);
    }
    add(this.#seconds, `_bucket{call="${call}",le="+Inf"}`, 1);
    add(this.#seconds, `_sum{call="${call}"}`, ms / 1_000);
    add(this.#seconds, `_count{call="${call}"}`, 1);
  }

  text(waiting: number, bodyBytes: number, pool: Pool): string {
    const connections: [labels: string, count: number][] = [
      ['{state="used"}', pool.totalCount - pool.idleCount],
      ['{state="idle"}', pool.idleCount],
      ['{state="waiting"}', pool.waitingCount],
    ];
    this.#loop.enable();
    const lag = Math.max(0, this.#loop.percentile(99) / 1e9 - RESOLUTION_MS / 1_000);
    this.#loop.reset();
    return [
      family("sentinel_calls_total", "counter", "Calls that were answered.", this.#calls),
      family("sentinel_call_seconds", "histogram", "How long calls took.", this.#seconds),
      family("sentinel_waiting_calls", "gauge", "Calls that wait for their turn.", [["", waiting]]),
      family(
        "sentinel_connections",
        "gauge",
        "Connections to PostgreSQL, and calls that wait for one.",
        connections,
      ),
      family("sentinel_body_bytes", "gauge", "Large bodies of calls that are not answered yet.", [
        ["", bodyBytes],
      ]),
      family(
        "sentinel_event_loop_lag_seconds",
        "gauge",
        "The 99th percentile since the last look.",
        [["", lag]],
      ),
      family("process_resident_memory_bytes", "gauge", "Memory of the process.", [
        ["", process.memoryUsage.rss()],
      ]),
    ].join("");
  }
}

const add = (samples: Map<string, number>, labels: string, value: number): unknown =>
  samples.set(labels, (samples.get(labels) ?? 0) + value);

function family(
  name: string,
  type: string,
  help: string,
  samples: Iterable<readonly [string, number]>,
): string {
  const lines = Array.from(samples, ([labels, value]) => `${name}${labels} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}
