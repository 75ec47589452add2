/** How an operator watches a daemon: at a port of its own, without a token, and in its log. Neither has anything of what was recorded. */
import { connect } from "node:net";
import { hostname } from "node:os";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { EventStore } from "../../src/sessions/store.ts";
import { message } from "../contracts/event-store.ts";
import { daemonOver, eventCalls, send } from "../support/daemon.ts";
import { adminPortOf, operatorOf } from "../support/daemon-process.ts";
import { httpAgent } from "../support/mcp-agent.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asAdmin, migratedDatabase, withoutPostgres } from "../support/postgres-server.ts";
import { parseMetrics } from "../support/prometheus.ts";

const postgres = postgresOfFile();
const PATIENCE = { timeout: 20_000 };
const OK = { status: 200, body: { status: "ok" } };

async function served() {
  const operator = await operatorOf(postgres(), "acme");
  const daemon = await operator.serve("--admin-port", "0", "--allow-host", "memory.example.com");
  const admin = adminPortOf(daemon);
  const token = await operator.token("ann");
  const port = Number(new URL(daemon.url).port);
  const call = eventCalls(daemon.url, token);
  const ask = (path: string, headers: object = {}) => send(admin, path, headers, undefined, "GET");
  const metrics = async () => {
    const { samples } = parseMetrics(String((await ask("/metrics")).body));
    return (name: string, ...labels: readonly string[]) =>
      samples.find(
        (one) =>
          one.name === name && labels.every((label) => Object.values(one.labels).includes(label)),
      )?.value;
  };
  return { ...daemon, operator, port, admin, call, ask, metrics };
}

/** The code of the error; empty where the connection is made. */
function errorOfConnecting(port: number): Promise<string> {
  return new Promise((resolve) => {
    const connection = connect(port, "127.0.0.1");
    connection.once("connect", () => connection.destroy());
    connection.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
    connection.once("close", () => resolve(""));
  });
}

const DISCONNECT =
  "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'daemon'";

describe("at the port of its operator a daemon", () => {
  it("says whether it runs and whether it can work, to whom asks by address or by a name of its own, and answers nothing else", async () => {
    const daemon = await served();
    for (const path of ["/live", "/ready"]) {
      expect(await daemon.ask(path)).toEqual(OK);
      for (const host of ["10.0.0.5:7332", "[fd00::1]:7332", "localhost", "memory.example.com"]) {
        expect(await daemon.ask(path, { host }), host).toEqual(OK);
      }
      for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }]) {
        expect((await daemon.ask(path, headers)).status).toBe(403);
      }
      expect(
        (await send(daemon.port, path, {}, undefined, "GET")).status,
        "where callers are",
      ).toBe(401);
    }
    expect((await send(daemon.admin, "/live")).status).toBe(405);
    for (const path of ["/", "/health", "/v1/events/read", "/mcp"]) {
      expect((await daemon.ask(path)).status, path).toBe(404);
    }

    const said = (code: string) => ({
      status: 503,
      body: { error: expect.objectContaining({ code }) },
    });
    await withoutPostgres(postgres(), async () => {
      expect([await daemon.ask("/live"), await daemon.ask("/ready")]).toEqual([
        OK,
        said("database_unreachable"),
      ]);
    });
    await expect.poll(() => daemon.ask("/ready"), PATIENCE).toEqual(OK);
    const restore = () =>
      asAdmin(
        postgres(),
        "alter role daemon nobypassrls",
        "alter role daemon reset default_transaction_read_only",
        DISCONNECT,
      );
    onTestFinished(restore);
    for (const [right, code] of [
      ["set default_transaction_read_only = on", "read_only"],
      ["bypassrls", "role_refused"],
    ] as const) {
      await asAdmin(postgres(), `alter role daemon ${right}`, DISCONNECT);
      await expect.poll(() => daemon.ask("/ready"), PATIENCE).toEqual(said(code));
      expect(
        await send(daemon.port, "/health", {}, undefined, "GET"),
        "callers hear the same",
      ).toEqual(said(code));
      await restore();
      await expect.poll(() => daemon.ask("/ready"), PATIENCE).toEqual(OK);
    }
  });

  it("also answers at the host name that it listens on", async () => {
    const operator = await operatorOf(postgres(), "acme");
    const daemon = await operator.serve("--admin-port", "0", "--admin-host", hostname());
    const url = `http://${hostname()}:${adminPortOf(daemon, hostname())}`;
    expect((await fetch(`${url}/live`)).status).toBe(200);
  });

  it("shows what is under way: calls that run and wait, connections, bodies, lag and memory; and is not ready once it ends", async () => {
    const daemon = await served();
    const atFirst = await daemon.metrics();
    expect(atFirst("sentinel_body_bytes")).toBe(0);
    const admin = testPool(postgres(), "admin", daemon.operator.database);
    const holder = await admin.connect();
    await holder.query("begin; lock table sentinel.purged in access exclusive mode");
    const large = "a line of a long answer, as a tool prints it\n".repeat(4_000);
    // The first one is stored in parts.
    const first = Array.from({ length: 250 }, (_, at) => message(`part ${at}`));
    const batches = Array.from({ length: 11 }, (_, at) => [message(`call ${at}`, at)]);
    const appends = [[message(large), ...first], ...batches].map((drafts) =>
      daemon.call("append", { drafts }),
    );
    const seen = async () => {
      const figure = await daemon.metrics();
      return [
        figure("sentinel_waiting_calls"),
        figure("sentinel_connections", "used"),
        (figure("sentinel_body_bytes") ?? 0) >= large.length,
      ];
    };
    await expect.poll(seen, PATIENCE).toEqual([4, 8, true]);
    const during = await daemon.metrics();
    expect(during("sentinel_event_loop_lag_seconds")).toBeGreaterThanOrEqual(0);
    expect(during("process_resident_memory_bytes")).toBeGreaterThan(2e7);

    daemon.child.kill("SIGTERM");
    const ends = {
      status: 503,
      body: { error: expect.objectContaining({ code: "daemon_unreachable" }) },
    };
    await expect.poll(() => daemon.ask("/ready"), PATIENCE).toEqual(ends);
    expect(await daemon.ask("/live")).toEqual(OK);
    await expect.poll(() => errorOfConnecting(daemon.port), PATIENCE).toBe("ECONNREFUSED");
    await holder.query("commit");
    holder.release();
    expect((await Promise.all(appends)).map(({ status }) => status)).toEqual(
      appends.map(() => 200),
    );
    expect(await daemon.exited).toBe(0);
    expect((await admin.query("select from sentinel.events")).rowCount).toBe(1 + 250 + 11);
  });
});

describe("a line of the log", () => {
  it("has the id of the call, which the answer has too, and where it came from", async () => {
    const daemon = await served();
    const lines = () =>
      daemon.log
        .slice(1)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ call }) => call === "read");
    const last = async (headers: Record<string, string>) => {
      const known = lines().length;
      const { headers: answer } = await fetch(`${daemon.url}/v1/events/read`, {
        method: "POST",
        headers,
        body: "{}",
      });
      await expect.poll(() => lines().length, PATIENCE).toBe(known + 1);
      return { line: lines().at(-1), id: answer.get("x-request-id") };
    };
    const own = await last({});
    expect(own.line).toMatchObject({ id: own.id, address: "127.0.0.1", status: 401 });
    expect(own.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(own.line).not.toHaveProperty("forwardedFor");

    const passed = await last({
      "x-request-id": "f00-1",
      "x-forwarded-for": "203.0.113.9, 198.51.100.7",
    });
    expect(passed).toMatchObject({
      id: "f00-1",
      line: { id: "f00-1", forwardedFor: "198.51.100.7" },
    });
    const odd = await last({ "x-request-id": "a b{}", "x-forwarded-for": `${"9".repeat(5_000)}` });
    expect(odd.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(String(odd.line?.forwardedFor)).toHaveLength(45);
  });
});

const CALLS = 7;
const WRONG = 3;

describe("the metrics", () => {
  it("count each call by its status, and how long it took, as Prometheus reads it", async () => {
    const daemon = await daemonOver(postgres(), await migratedDatabase(postgres()));
    const [token, watcher] = await Promise.all([
      daemon.token(),
      daemon.token({ scope: "metrics" }),
    ]);
    const call = (name: string, body: string) =>
      send(daemon.port, `/v1/events/${name}`, { authorization: `Bearer ${token}` }, body);
    for (let at = 0; at < CALLS; at++) {
      await call("append", JSON.stringify({ drafts: [message(`said ${at}`, at)] }));
    }
    for (let at = 0; at < WRONG; at++) {
      await call("append", "{");
    }
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

    const all = CALLS + WRONG;
    const last = (name: string) =>
      samples.findLast((one) => one.name === name && one.labels.call === "append")?.value;
    expect([last("sentinel_call_seconds_bucket"), last("sentinel_call_seconds_count")]).toEqual([
      all,
      all,
    ]);
    // The log has the same times, in ms.
    const took = daemon.log.filter(({ call }) => call === "append").map(({ ms }) => ms);
    const sum = took.reduce((total, ms) => total + ms, 0);
    expect(last("sentinel_call_seconds_sum")).toBeCloseTo(sum / 1_000, 6);
  });
});

const SECRET_PLAN = "quokkas first";

/** As a mistake of ours would: what was recorded is in the message, and a line of it looks like that of a stack. */
function withFault(store: EventStore): EventStore {
  const fail = async () => {
    const events = [];
    for await (const { content } of store.read()) {
      events.push(`${content.text}\n    at ${content.text}:1:2`);
    }
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
    const daemon = await daemonOver(postgres(), await migratedDatabase(postgres()), {
      storeFor: withFault,
    });
    const token = await daemon.token({ tenant: "faulty" });
    const call = eventCalls(daemon.url, token);
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
    for (const told of [answers, daemon.log, said]) {
      expect(JSON.stringify(told)).not.toContain("quokkas");
    }
    const faults = daemon.log.filter(({ error }) => error !== undefined);
    expect(faults.map(({ call }) => call)).toEqual(["statistics", "brief", "mcp", "mcp", "mcp"]);
    for (const { error } of faults) {
      expect(error).toMatch(/^TypeError\n\s+at \S+\.fail .*\n/);
    }
    expect(said, "its log is lines of JSON and nothing else").toEqual([]);
  });
});
