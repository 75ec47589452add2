/** What an operator sees of a daemon, in its metrics and its log: how it does, and nothing of what was recorded. */
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { EventStore } from "../../src/sessions/store.ts";
import { message } from "../contracts/event-store.ts";
import { type DaemonOfTest, daemonOver, send } from "../support/daemon.ts";
import { httpAgent } from "../support/mcp-agent.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { parseMetrics } from "../support/prometheus.ts";

const postgres = postgresOfFile();
let database = "";
beforeAll(async () => {
  database = await migratedDatabase(postgres());
});

const CALLS = 7;
const WRONG = 3;

describe("the metrics", () => {
  it("count each call by its status, and how long it took, as Prometheus reads it", async () => {
    const daemon = await daemonOver(postgres(), database);
    const [token, watcher] = await Promise.all([
      daemon.token(),
      daemon.token({ scope: "metrics" }),
    ]);
    const call = (name: string, body: string) =>
      send(daemon.port, `/v1/events/${name}`, { authorization: `Bearer ${token}` }, body);
    for (let at = 0; at < CALLS; at++)
      await call("append", JSON.stringify({ drafts: [message(`said ${at}`, at)] }));
    for (let at = 0; at < WRONG; at++) await call("append", "{");
    await call("statistics", "{}");
    await call('no"such\\call', "{}");
    await send(daemon.port, "/health", {}, undefined, "GET");
    const answer = await fetch(`${daemon.url}/metrics`, {
      headers: { authorization: `Bearer ${watcher}` },
    });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4",
    ]);
    const { types, samples } = parseMetrics(await answer.text());
    expect(Object.fromEntries(types)).toEqual({
      sentinel_calls_total: "counter",
      sentinel_call_seconds: "histogram",
      sentinel_waiting_calls: "gauge",
      sentinel_connections: "gauge",
      sentinel_body_bytes: "gauge",
      sentinel_event_loop_lag_seconds: "gauge",
      process_resident_memory_bytes: "gauge",
    });
    const counted = samples.filter(({ name }) => name === "sentinel_calls_total");
    expect(counted.map(({ labels, value }) => [labels.call, labels.status, value])).toEqual([
      ["append", "200", CALLS],
      ["append", "400", WRONG],
      ["statistics", "200", 1],
      ["other", "404", 1],
      ["health", "200", 1],
    ]);

    const of = (name: string) =>
      samples.filter((one) => one.name === name && one.labels.call === "append");
    const buckets = of("sentinel_call_seconds_bucket");
    const bounds = buckets.map(({ labels }) =>
      labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le),
    );
    expect(bounds).toEqual([...bounds].sort((one, other) => one - other));
    expect(bounds.at(-1)).toBe(Number.POSITIVE_INFINITY);
    const counts = buckets.map(({ value }) => value);
    expect(counts, "each has all that took less").toEqual(
      [...counts].sort((one, other) => one - other),
    );
    const all = CALLS + WRONG;
    expect([counts.at(-1), of("sentinel_call_seconds_count")[0]?.value]).toEqual([all, all]);
    // The log has the same times, in ms.
    const took = daemon.log.filter(({ call }) => call === "append").map(({ ms }) => ms);
    const [sum] = of("sentinel_call_seconds_sum");
    expect(sum?.value).toBeCloseTo(took.reduce((total, ms) => total + ms, 0) / 1_000, 6);
    for (const [at, bound] of bounds.entries())
      expect(counts[at], `within ${bound} s`).toBe(took.filter((ms) => ms <= bound * 1_000).length);
  });
});

const SECRET_PLAN = "quokkas first";

/** As a mistake of ours would: what was recorded is in the message, and a line of it looks like that of a stack. */
function withFault(store: EventStore): EventStore {
  const fail = async () => {
    const events = [];
    for await (const { content } of store.read())
      events.push(`${content.text}\n    at ${content.text}:1:2`);
    throw new TypeError(`This cannot be: ${events.join("\n")}`);
  };
  return Object.assign(Object.create(store), {
    append: store.append.bind(store),
    brief: fail,
    statistics: fail,
  });
}

describe("a mistake of ours", () => {
  it("that quotes what was recorded shows it neither in an answer nor in the log, which says where it is", async () => {
    const said: string[] = [];
    const standardError = vi
      .spyOn(process.stderr, "write")
      .mockImplementation((text) => said.push(String(text)) > 0);
    onTestFinished(() => standardError.mockRestore());
    const daemon: DaemonOfTest = await daemonOver(postgres(), database, { storeFor: withFault });
    const token = await daemon.token({ tenant: "faulty" });
    const authorization = `Bearer ${token}`;
    const call = (name: string, body: object) =>
      send(daemon.port, `/v1/events/${name}`, { authorization }, JSON.stringify(body));
    expect((await call("append", { drafts: [message(SECRET_PLAN)] })).status).toBe(200);
    const agent = await httpAgent(daemon, token);
    const answers = [
      await call("statistics", {}),
      await call("brief", { window: "ledger" }),
      await agent.call("build_acb", { query: "what is first" }),
      await agent.call("query_decisions", {}),
      await agent.call("record_event", { kind: "message", content: { text: "hello" } }),
    ];
    expect(answers[0]).toEqual({
      status: 500,
      body: { error: expect.objectContaining({ code: "failed" }) },
    });
    expect(answers[2]).toEqual({ isError: true, text: expect.stringContaining("error internal") });
    for (const told of [answers, daemon.log, said])
      expect(JSON.stringify(told)).not.toContain("quokkas");
    const faults = daemon.log.filter(({ error }) => error !== undefined);
    expect(faults.map(({ call }) => call)).toEqual(["statistics", "brief", "mcp", "mcp", "mcp"]);
    for (const { error } of faults) expect(error).toMatch(/^TypeError\n\s+at \S+\.fail .*\n/);
    expect(said, "its log is lines of JSON and nothing else").toEqual([]);
  });
});
