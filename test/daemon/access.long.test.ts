/** Who may call a daemon, attacked: without a token, with those of others, with forged fields, from pages of other sites. */
import { describe, expect, it } from "vitest";
import { revokeToken } from "../../src/daemon/postgres/tokens.ts";
import { message } from "../contracts/event-store.ts";
import {
  type DaemonOfTest,
  daemonOfFile,
  daemonOver,
  eventCalls,
  send,
} from "../support/daemon.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";

const postgres = postgresOfFile();
const daemonOfAll = daemonOfFile(postgres);

const LONG = "a line of the output with a needle\n".repeat(1_000);
const DRAFTS = [
  message("the red door", 0, { origin: "1" }),
  message("the red mat", 1, {
    origin: "2",
    channel: "team",
    kind: "decision",
    content: { decision: "the red mat" },
  }),
  message(LONG, 2, { origin: "3" }),
];
const ENDPOINTS: Readonly<Record<string, object>> = {
  append: { drafts: DRAFTS },
  read: {},
  find: { ids: [] },
  search: { text: "red door mat needle" },
  brief: { window: "ledger" },
  artifact: { id: "art_1" },
  "to-purge": { target: { session: "s1" } },
  purge: { target: { session: "s1" } },
  retain: { eventsDays: 0, artifactsDays: 0, artifactsBytes: 0 },
  statistics: {},
};
const WRITING = ["append", "purge", "retain"];

const call = ({ url }: DaemonOfTest, token: string, name: string, body: unknown) =>
  eventCalls(url, token)(name, body);

const errorOf = (code: string) => ({
  error: expect.objectContaining({ code, fix: expect.any(String) }),
});

it("calls of many tokens at once are each answered for their own, those without one are refused, and a token that ends meanwhile is", async () => {
  const daemon = daemonOfAll();
  const owners = ["ann", "bob", "cleo", "dan"];
  const tokens = await Promise.all(
    owners.map((owner) => daemon.token({ owner, tenant: `of ${owner}` })),
  );
  const ended = await daemon.token({ owner: "eve" });
  const wrong = `${tokens[0]?.slice(0, -1)}${tokens[0]?.endsWith("A") ? "B" : "A"}`;
  const whose = async (token: string) => {
    const { status, body } = await call(daemon, token, "caller", {});
    return status === 200 ? (body as { owner: string }).owner : status;
  };
  const asked = Array.from({ length: 10 }, () => [...tokens, wrong, "sentinel_x", ended]).flat();
  const answered = (ofEnded: unknown) =>
    Array.from({ length: 10 }, () => [...owners, 401, 401, ofEnded]).flat();
  expect(await Promise.all(asked.map(whose))).toEqual(answered("eve"));
  const owner = testPool(postgres(), "owner", daemon.database);
  const [, id = ""] = /^sentinel_([0-9a-f]+)_/.exec(ended) ?? [];
  await revokeToken(owner, id);
  expect(await Promise.all(asked.map(whose))).toEqual(answered(401));
});

describe("a call without a token that is in use", () => {
  it("gets nothing but whether the daemon is well", async () => {
    const daemon = daemonOfAll();
    expect(await send(daemon.port, "/health", {}, undefined, "GET")).toEqual({
      status: 200,
      body: { status: "ok" },
    });
    expect((await fetch(`${daemon.url}/health`, { method: "HEAD" })).status).toBe(200);
    const paths = [
      ...Object.keys(ENDPOINTS).map((name) => `/v1/events/${name}`),
      "/mcp",
      "/",
      "/v1/events/",
      "/health",
    ];
    for (const path of paths) {
      expect(await send(daemon.port, path, {}, "{}"), path).toEqual({
        status: 401,
        body: errorOf("unauthorised"),
      });
    }
    expect((await send(daemon.port, "/metrics", {}, undefined, "GET")).status).toBe(401);
  });

  it("is refused the same for every kind of wrong token", async () => {
    const daemon = daemonOfAll();
    const [good, over, revoked] = await Promise.all([
      daemon.token(),
      daemon.token({ expiresAt: "2020-01-01T00:00:00Z" }),
      daemon.token(),
    ]);
    await revokeToken(
      testPool(postgres(), "owner", daemon.database),
      revoked.split("_")[1] as string,
    );
    const last = good.at(-2) === "A" ? "B" : "A";
    const [, id = ""] = good.split("_");
    const wrong = [
      `${good.slice(0, -2)}${last}${good.at(-1)}`,
      good.replace(id, "0123456789abcdef"),
      good.slice(0, -1),
      `${good}A`,
      id,
      over,
      revoked,
      "sentinel_'or(1=1)--_",
    ];
    const answers = await Promise.all(wrong.map((token) => call(daemon, token, "statistics", {})));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual({ status: 401, body: errorOf("unauthorised") });
    expect((await call(daemon, good, "statistics", {})).status).toBe(200);
    const told = JSON.stringify(daemon.log);
    for (const token of [...wrong, good]) {
      expect(told).not.toContain(token.split("_").slice(2).join("_") || "nothing");
    }
  });
});

describe("a token", () => {
  it("for reading changes nothing, and one for metrics reads nothing else", async () => {
    // It counts its calls.
    const daemon = await daemonOver(postgres(), daemonOfAll().database);
    const tenant = "scopes";
    const [writer, reader, watcher] = await Promise.all([
      daemon.token({ tenant }),
      daemon.token({ tenant, scope: "read" }),
      daemon.token({ tenant, scope: "metrics" }),
    ]);
    await call(daemon, writer, "append", { drafts: DRAFTS });
    for (const [name, body] of Object.entries(ENDPOINTS)) {
      const status = WRITING.includes(name) ? 403 : 200;
      expect((await call(daemon, reader, name, body)).status, name).toBe(status);
      expect((await call(daemon, watcher, name, body)).status, name).toBe(403);
    }
    const metricsFor = (token: string) =>
      send(daemon.port, "/metrics", { authorization: `Bearer ${token}` }, undefined, "GET");
    const { body: metrics } = await metricsFor(watcher);
    expect(metrics).toContain('sentinel_calls_total{call="append",status="200"} 1\n');
    expect(metrics).toContain('sentinel_calls_total{call="purge",status="403"} 2\n');
    for (const token of [writer, reader]) {
      expect((await metricsFor(token)).status).toBe(403);
    }
    expect((await call(daemon, writer, "statistics", {})).body).toMatchObject({ events: 3 });
  });

  it("records up to its channel, and what names none goes there", async () => {
    const daemon = daemonOfAll();
    const token = await daemon.token({ tenant: "widths", channel: "team" });
    const refused = await call(daemon, token, "append", {
      drafts: [message("mine", 0, { channel: "private" })],
    });
    expect(refused).toEqual({ status: 403, body: errorOf("not_allowed") });
    const { body } = await call(daemon, token, "append", { drafts: [message("ours")] });
    expect(body).toMatchObject({ events: [{ channel: "team" }] });
  });
});

describe("a call that names a tenant, a person or a channel", () => {
  it("is refused, or answered for its token alone", async () => {
    const daemon = daemonOfAll();
    const [ann, other] = await Promise.all([
      daemon.token({ tenant: "acme one" }),
      daemon.token({ tenant: "acme two" }),
    ]);
    await call(daemon, ann, "append", { drafts: DRAFTS });
    const before = (await call(daemon, ann, "read", {})).body;
    const asked: Record<string, object> = { ...ENDPOINTS };
    delete asked.append;
    for (const forged of [
      { tenant: "acme one" },
      { owner: "ann" },
      { channel: "private" },
      { reader: "ann" },
    ]) {
      for (const [name, request] of Object.entries(asked)) {
        expect(await call(daemon, other, name, { ...request, ...forged }), name).toEqual({
          status: 400,
          body: errorOf("bad_argument"),
        });
      }
    }
    const forgery = {
      ...message("forged", 9, { origin: "forged", session: "forged" }),
      tenant: "acme one",
      owner: "ann",
      seq: 1,
    };
    expect((await call(daemon, other, "append", { drafts: [forgery] })).status).toBe(400);
    const headers = {
      authorization: `Bearer ${other}`,
      "x-tenant": "acme one",
      "x-forwarded-user": "ann",
    };
    for (const path of ["/v1/events/read?tenant=acme%20one", "/t/acme%20one/v1/events/read"]) {
      const { body: read } = await send(daemon.port, path, headers, "{}");
      expect(JSON.stringify(read), path).not.toContain("the red door");
    }
    expect((await call(daemon, ann, "read", {})).body).toEqual(before);
  });
});

const [NAME, SECOND] = ["memory.example.com", "memory.internal"];

describe("a page of another site, or a name that leads here", () => {
  it("is refused before its token is looked at, and answered under a name that --allow-host adds", async () => {
    const operator = await operatorOf(postgres(), "acme");
    const named = await operator.serve("--allow-host", NAME, "--allow-host", SECOND);
    const plain = await operator.serve();
    const accept = "application/json, text/event-stream";
    const authorization = `Bearer ${await operator.token("ann")}`;
    const headers = { authorization, accept, "content-type": "application/json" };
    const others = [
      "example.com",
      `sub.${NAME}`,
      `${NAME}.evil.example`,
      `evil-${NAME}`,
      "127.0.0.1.evil.example:80",
      "a b",
    ];
    const origins = [...others.map((name) => `https://${name}`), "null", "", "file://"];
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    for (const [path, body] of [
      ["/v1/events/statistics", "{}"],
      ["/mcp", list],
    ] as const) {
      const from = ({ url }: { url: string }, names: object) =>
        send(Number(new URL(url).port), path, { ...headers, ...names }, body);
      for (const host of [NAME, SECOND, "localhost", "127.0.0.1", "evil.example@localhost"]) {
        expect((await from(named, { host })).status, `${path} ${host}`).toBe(200);
      }
      for (const origin of [`https://${NAME}`, `https://${SECOND}`, "http://localhost"]) {
        expect((await from(named, { host: NAME, origin })).status, origin).toBe(200);
      }
      for (const host of others) {
        expect(await from(named, { host }), `${path} ${host}`).toEqual({
          status: 403,
          body: {
            error: expect.objectContaining({
              code: "not_allowed",
              fix: expect.stringContaining("--allow-host NAME"),
            }),
          },
        });
      }
      for (const origin of origins) {
        expect((await from(named, { host: NAME, origin })).status, `${path} ${origin}`).toBe(403);
      }
      const fromNamed = { host: "localhost", origin: `https://${NAME}` };
      for (const names of [{ host: NAME }, fromNamed]) {
        expect((await from(plain, names)).status, "a daemon that was not told").toBe(403);
      }
    }
    const port = Number(new URL(plain.url).port);
    const health = await send(port, "/health", { host: "evil.example" }, undefined, "GET");
    expect(health.status).toBe(403);
  });
});
