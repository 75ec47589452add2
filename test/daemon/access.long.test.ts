/** Who may call a daemon, attacked: without a token, with those of others, with forged fields, from pages of other sites. */
import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { revokeToken } from "../../src/daemon/postgres/tokens.ts";
import { message } from "../contracts/event-store.ts";
import { type DaemonOfTest, daemonOver, send } from "../support/daemon.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asAdmin, migratedDatabase } from "../support/postgres-server.ts";

const postgres = postgresOfFile();
let database = "";
beforeAll(async () => {
  database = await migratedDatabase(postgres());
});

const MIB = 1024 * 1024;
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

function call({ port }: DaemonOfTest, token: string, name: string, body: unknown) {
  return send(
    port,
    `/v1/events/${name}`,
    { authorization: `Bearer ${token}` },
    JSON.stringify(body),
  );
}

const errorOf = (code: string) => ({
  error: expect.objectContaining({ code, fix: expect.any(String) }),
});

it("calls of many tokens at once are each answered for their own, those without one are refused, and a token that ends meanwhile is", async () => {
  const daemon = await daemonOver(postgres(), database);
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
  const owner = testPool(postgres(), "owner", database);
  const [, id = ""] = /^sentinel_([0-9a-f]+)_/.exec(ended) ?? [];
  await revokeToken(owner, id);
  expect(await Promise.all(asked.map(whose))).toEqual(answered(401));
});

describe("a call without a token that is in use", () => {
  it("gets nothing but whether the daemon is well", async () => {
    const daemon = await daemonOver(postgres(), database);
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
    for (const path of paths)
      expect(await send(daemon.port, path, {}, "{}"), path).toEqual({
        status: 401,
        body: errorOf("unauthorised"),
      });
    expect((await send(daemon.port, "/metrics", {}, undefined, "GET")).status).toBe(401);
  });

  it("is refused the same for every kind of wrong token", async () => {
    const daemon = await daemonOver(postgres(), database);
    const [good, over, revoked] = await Promise.all([
      daemon.token(),
      daemon.token({ expiresAt: "2020-01-01T00:00:00Z" }),
      daemon.token(),
    ]);
    await revokeToken(testPool(postgres(), "owner", database), revoked.split("_")[1] as string);
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
    for (const token of [...wrong, good])
      expect(told).not.toContain(token.split("_").slice(2).join("_") || "nothing");
  });
});

describe("a token", () => {
  it("for reading changes nothing, and one for metrics reads nothing else", async () => {
    const daemon = await daemonOver(postgres(), database);
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
    const metrics = await send(
      daemon.port,
      "/metrics",
      { authorization: `Bearer ${watcher}` },
      undefined,
      "GET",
    );
    expect(metrics.body).toContain('sentinel_calls_total{call="append",status="200"} 1\n');
    expect(metrics.body).toContain('sentinel_calls_total{call="purge",status="403"} 2\n');
    for (const token of [writer, reader])
      expect(
        (
          await send(
            daemon.port,
            "/metrics",
            { authorization: `Bearer ${token}` },
            undefined,
            "GET",
          )
        ).status,
      ).toBe(403);
    expect((await call(daemon, writer, "statistics", {})).body).toMatchObject({ events: 3 });
  });

  it("records up to its channel, and what names none goes there", async () => {
    const daemon = await daemonOver(postgres(), database);
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
    const daemon = await daemonOver(postgres(), database);
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
    ])
      for (const [name, request] of Object.entries(asked))
        expect(await call(daemon, other, name, { ...request, ...forged }), name).toEqual({
          status: 400,
          body: errorOf("bad_argument"),
        });
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

describe("a page of another site, or a name that leads here", () => {
  it("is refused before its token is looked at", async () => {
    const daemon = await daemonOver(postgres(), database);
    const token = await daemon.token();
    const from = async (headers: object) =>
      (
        await send(
          daemon.port,
          "/v1/events/find",
          { authorization: `Bearer ${token}`, ...headers },
          '{"ids":[]}',
        )
      ).status;
    const here = `localhost:${daemon.port}`;
    expect(await from({ host: here })).toBe(200);
    expect(await from({ host: here, origin: `http://${here}` })).toBe(200);
    for (const host of [
      "evil.example",
      "localhost.evil.example",
      "127.0.0.1.evil.example:80",
      "a b",
      "evil.example@localhost",
    ])
      expect(await from({ host }), host).toBe(host.includes("@") ? 200 : 403);
    for (const origin of [
      "http://evil.example",
      "https://localhost.evil.example",
      "null",
      "",
      "file://",
    ])
      expect(await from({ origin }), origin).toBe(403);
    expect(
      (await send(daemon.port, "/health", { host: "evil.example" }, undefined, "GET")).status,
    ).toBe(403);
  });
});

describe("a body", () => {
  it("that is too large, or is not JSON, gets an error in JSON, and the daemon goes on", async () => {
    const daemon = await daemonOver(postgres(), database);
    const authorization = `Bearer ${await daemon.token()}`;
    const of = (body: string, more: object = {}) =>
      send(daemon.port, "/v1/events/append", { authorization, ...more }, body);
    const large = JSON.stringify({ drafts: [message("x".repeat(9_000_000))] });
    expect(await of(large)).toEqual({ status: 413, body: errorOf("too_large") });
    expect(await of(large, { "transfer-encoding": "chunked" })).toEqual({
      status: 413,
      body: errorOf("too_large"),
    });
    const fetched = await fetch(`${daemon.url}/v1/events/append`, {
      method: "POST",
      headers: { authorization },
      body: large,
    });
    expect([fetched.status, await fetched.json()]).toEqual([413, errorOf("too_large")]);
    for (const body of ["", "{", "\xff", "[]", "null", "7", '{"drafts":{}}', '{"drafts":[7]}'])
      expect(await of(body), body).toEqual({ status: 400, body: errorOf("bad_argument") });
    expect(await of('{"drafts":[{"kind":"banana"}]}')).toMatchObject({
      status: 400,
      body: errorOf("bad_argument"),
    });
    expect((await of('{"drafts":[]}')).status).toBe(200);
  });

  it("that cannot be used is told what was expected, and nothing of what it holds", async () => {
    const daemon = await daemonOver(postgres(), database);
    const token = await daemon.token();
    for (const [name, body, why] of [
      ["append", {}, "The field drafts is missing."],
      [
        "append",
        { drafts: "hunter2" },
        "The field drafts cannot be used: expected array, received string.",
      ],
      [
        "append",
        { drafts: [7] },
        expect.stringContaining(
          "The field drafts.0 cannot be used: expected a draft, and no fields but kind,",
        ),
      ],
      [
        "append",
        { drafts: [{ kind: "message", hunter2: "private" }] },
        expect.stringContaining("The field drafts.0 cannot be used"),
      ],
      ["append", { drafts: [], hunter2: 1 }, "The body has a field that is not known here."],
      ["append", ["hunter2"], "The body cannot be used: expected object, received array."],
      [
        "purge",
        { target: { sessions: "hunter2" } },
        "The field target cannot be used: expected ids, session or text.",
      ],
      [
        "brief",
        { window: "hunter2" },
        'The field window cannot be used: Invalid option: expected one of "recent"|"ledger".',
      ],
      [
        "search",
        { text: "cat", limit: 0 },
        "The field limit cannot be used: Too small: expected number to be >=1.",
      ],
    ] as const) {
      const { status, body: answer } = await call(daemon, token, name, body);
      expect([status, answer]).toMatchObject([
        400,
        { error: { code: "bad_argument", message: why } },
      ]);
      expect(JSON.stringify(answer)).not.toContain("hunter2");
    }
    const { body: unknown } = await call(daemon, token, "search", { text: "cat", limits: 3 });
    expect(unknown).toMatchObject({
      error: { fix: "It takes text, limit, withNeighbours. Correct it, then call again." },
    });
  });

  it("without an end is not read for ever", async () => {
    const daemon = await daemonOver(postgres(), database);
    const authorization = `Bearer ${await daemon.token()}`;
    const part = Buffer.alloc(MIB, "x");
    const place = {
      host: "127.0.0.1",
      port: daemon.port,
      path: "/v1/events/append",
      method: "POST",
    };
    const call = request({ ...place, headers: { authorization } });
    let [sent, isOver] = [0, false];
    const over = new Promise((resolve) =>
      call.on("error", resolve).on("response", resolve).on("close", resolve),
    );
    void over.then(() => {
      isOver = true;
    });
    while (!isOver && sent < 1_000) {
      sent++;
      await Promise.race([over, new Promise((resolve) => call.write(part, resolve))]);
    }
    call.destroy();
    expect(sent).toBeLessThan(200);
    await expect.poll(() => daemon.log.at(-1)?.error, { timeout: 20_000 }).toBe("too_large");
  });
});

describe("what a tenant never stores", () => {
  it("is taken out of every batch; while it cannot be read, nothing is stored and all can be read", async () => {
    const daemon = await daemonOver(postgres(), database);
    const token = await daemon.token({ tenant: "private" });
    const set = (yaml: string) =>
      testPool(postgres(), "owner", database).query(
        "update sentinel.tenants set privacy = $1 where name = 'private'",
        [yaml],
      );
    const append = async (text: string) =>
      call(daemon, token, "append", { drafts: [message(text), message(text, 1)] });
    await set("version: 1\nnever_store:\n  words: [Bluebird]\n");
    const secret = ["pass", "word: winter24!x"].join("");
    expect(JSON.stringify((await append(`bluebird has a ${secret}`)).body)).not.toMatch(
      /bluebird|winter24/i,
    );
    await set("version: 9\n");
    expect(await append("harmless")).toEqual({ status: 422, body: errorOf("privacy_unreadable") });
    expect((await call(daemon, token, "statistics", {})).body).toMatchObject({ events: 2 });
    await set("");
    expect((await append("bluebird")).status).toBe(200);
  });
});

it("a daemon whose role got more rights is not well", async () => {
  const daemon = await daemonOver(postgres(), database);
  const health = async () => (await send(daemon.port, "/health", {}, undefined, "GET")).status;
  await asAdmin(postgres(), "alter role daemon bypassrls");
  expect(await health()).not.toBe(200);
  await asAdmin(postgres(), "alter role daemon nobypassrls");
  expect(await health()).toBe(200);
});
