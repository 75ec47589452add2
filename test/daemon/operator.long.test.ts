/** How an operator watches a daemon: at a port of its own, without a token, and in its log. */
import { describe, expect, it } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { message } from "../contracts/event-store.ts";
import { send } from "../support/daemon.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asAdmin, withoutPostgres } from "../support/postgres-server.ts";
import { parseMetrics } from "../support/prometheus.ts";

const postgres = postgresOfFile();
const PATIENCE = { timeout: 20_000 };
const OK = { status: 200, body: { status: "ok" } };

async function served() {
  const operator = await operatorOf(postgres(), "acme");
  const daemon = await operator.serve("--admin-port", "0", "--allow-host", "memory.example.com");
  const admin = Number(
    /^Answering its operator on http:\/\/127\.0\.0\.1:(\d+)$/.exec(daemon.log[0] ?? "")?.[1],
  );
  const token = await operator.token("ann");
  const port = Number(new URL(daemon.url).port);
  const call = (name: string, body: object, headers: object = {}) =>
    send(
      port,
      `/v1/events/${name}`,
      { authorization: `Bearer ${token}`, ...headers },
      JSON.stringify(body),
    );
  const ask = (path: string, headers: object = {}) => send(admin, path, headers, undefined, "GET");
  const metrics = async () => {
    const { samples } = parseMetrics(String((await ask("/metrics")).body));
    return (name: string, ...labels: readonly string[]) =>
      samples.find(
        (one) =>
          one.name === name && labels.every((label) => Object.values(one.labels).includes(label)),
      )?.value;
  };
  const store = remoteEventStore({ url: daemon.url, token, redactor: eventRedactor() });
  return { ...daemon, operator, port, admin, call, ask, metrics, store };
}

describe("at the port of its operator a daemon", () => {
  it("says whether it runs and whether it can work, to whom asks by address or by a name of its own, and answers nothing else", async () => {
    const daemon = await served();
    for (const path of ["/live", "/ready"]) {
      expect(await daemon.ask(path)).toEqual(OK);
      for (const host of ["10.0.0.5:7332", "[fd00::1]:7332", "localhost", "memory.example.com"])
        expect(await daemon.ask(path, { host }), host).toEqual(OK);
      for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }])
        expect((await daemon.ask(path, headers)).status).toBe(403);
      expect(
        (await send(daemon.port, path, {}, undefined, "GET")).status,
        "where callers are",
      ).toBe(401);
    }
    expect((await send(daemon.admin, "/live")).status).toBe(405);
    for (const path of ["/", "/health", "/v1/events/read", "/mcp"])
      expect((await daemon.ask(path)).status, path).toBe(404);

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
    await asAdmin(postgres(), "alter role daemon set default_transaction_read_only = on");
    await asAdmin(
      postgres(),
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'daemon'",
    );
    await expect.poll(() => daemon.ask("/ready"), PATIENCE).toEqual(said("read_only"));
    expect(
      await send(daemon.port, "/health", {}, undefined, "GET"),
      "callers hear the same",
    ).toEqual(said("read_only"));
    await asAdmin(postgres(), "alter role daemon reset default_transaction_read_only");
    await asAdmin(
      postgres(),
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'daemon'",
    );
    await expect.poll(() => daemon.ask("/ready"), PATIENCE).toEqual(OK);
  });

  it("shows what is under way: calls that run and wait, connections, bodies, lag and memory; and is not ready once it ends", async () => {
    const daemon = await served();
    const atFirst = await daemon.metrics();
    expect(atFirst("sentinel_body_bytes")).toBe(0);
    const owner = testPool(
      postgres(),
      "owner",
      new URL(daemon.operator.databaseUrl("owner")).pathname.slice(1),
    );
    const holder = await owner.connect();
    await holder.query("begin; lock table sentinel.purged in access exclusive mode");
    const large = "a line of a long answer, as a tool prints it\n".repeat(4_000);
    const appends = Array.from({ length: 12 }, (_, at) =>
      daemon.call("append", { drafts: [message(at === 0 ? large : `call ${at}`, at)] }),
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
    await holder.query("commit");
    holder.release();
    expect((await Promise.all(appends)).map(({ status }) => status)).toEqual(
      appends.map(() => 200),
    );
    expect(await daemon.exited).toBe(0);
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
