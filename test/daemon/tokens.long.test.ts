/** Tokens in use: what is kept of them, until when they are valid, and what a list says of them. */
import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { message } from "../contracts/event-store.ts";
import { eventCalls } from "../support/daemon.ts";
import { type Operator, operatorOf } from "../support/daemon-process.ts";
import { keptBy } from "../support/kept-by-postgres.ts";
import { httpAgent } from "../support/mcp-agent.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asAdmin } from "../support/postgres-server.ts";

const postgres = postgresOfFile();
const FORM = /^sentinel_([0-9a-f]{16})_([\w-]{43})$/;
/** A run of so many characters of a secret is a part of it. */
const RUN = 12;

function partsOf(token: string): { id: string; secret: string } {
  const [, id = "", secret = ""] = FORM.exec(token) ?? [];
  expect(secret).not.toBe("");
  return { id, secret };
}

/** Bytes in all the forms in which a program writes them, and a text in those that its bytes have. */
function formsOf(bytes: Buffer): string[] {
  const hex = bytes.toString("hex");
  return [
    bytes.toString("latin1"),
    hex,
    hex.toUpperCase(),
    bytes.toString("base64"),
    bytes.toString("base64url"),
  ];
}

function isIn(text: string, form: string): boolean {
  for (let at = 0; at + RUN <= form.length; at += RUN) {
    if (text.includes(form.slice(at, at + RUN))) {
      return true;
    }
  }
  return false;
}

/** Of a text that begins elsewhere, base64 writes other characters: of each of the three places one. */
function base64Within(text: string): string[] {
  return ["", "x", "xx"].map((before) =>
    Buffer.from(before + text)
      .toString("base64")
      .slice(4),
  );
}

function adminOf(operator: Operator) {
  return testPool(postgres(), "admin", operator.database, { max: 1 });
}

const statusOf = async (url: string, token: string, name = "statistics", body: object = {}) =>
  (await eventCalls(url, token)(name, body)).status;

it("of a token nothing but its id and a hash is in a table, in the write-ahead log, or in the log of the database or the daemon", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const admin = adminOf(operator);
  // The database writes down every statement with its values.
  await asAdmin(postgres(), "alter system set log_statement = 'all'", "select pg_reload_conf()");
  const logged = async () => (await admin.query("show log_statement")).rows[0].log_statement;
  await expect.poll(logged, { timeout: 20_000 }).toBe("all");
  const daemon = await operator.serve();
  const tokens = [
    await operator.token("ann"),
    await operator.token("ann", "--read-only"),
    await operator.token("bob", "--expires", "2099-01-31"),
  ];
  for (const token of tokens) {
    await statusOf(daemon.url, token, "append", { drafts: [message("the red door")] });
    await statusOf(daemon.url, token, "find", { ids: 7 });
    expect(await statusOf(daemon.url, token)).toBe(200);
    // One that is almost right, and one whose id is another one's.
    expect(
      await statusOf(daemon.url, `${token.slice(0, -2)}${token.at(-2) === "A" ? "B" : "A"}A`),
    ).toBe(401);
    expect(await statusOf(daemon.url, token.replace(/_[0-9a-f]{16}_/, "_0123456789abcdef_"))).toBe(
      401,
    );
    const agent = await httpAgent(daemon, token);
    await agent.call("build_acb", { query: "red door" });
  }
  const shown = [
    await operator.run("token", "list"),
    await operator.run("token", "list", "--json"),
  ];
  await operator.run("token", "revoke", partsOf(tokens[2] ?? "").id);
  expect(await statusOf(daemon.url, tokens[2] ?? "")).toBe(401);

  const { tables, logs } = keptBy(postgres(), operator.database);
  const ofDaemon = daemon.log.join("\n");
  for (const token of tokens) {
    const { id, secret } = partsOf(token);
    const { rows } = await admin.query<{ hash: Buffer }>(
      "select hash from sentinel.tokens where id = $1",
      [id],
    );
    const kept = hash("sha256", secret, "buffer");
    expect(rows).toEqual([{ hash: kept }]);
    // The search finds what is kept: as hex in a table and in the log, as bytes in the write-ahead log.
    expect([tables, logs].map((text) => text.includes(kept.toString("hex")))).toEqual([true, true]);
    expect(logs).toContain(kept.toString("latin1"));
    for (const text of [tables, ofDaemon, ...shown]) {
      expect(text).toContain(id);
    }
    const forms = [
      secret,
      ...formsOf(Buffer.from(secret, "utf8")),
      ...base64Within(secret),
      ...formsOf(Buffer.from(secret, "base64url")),
    ];
    for (const [place, text] of Object.entries({
      tables,
      logs,
      ofDaemon,
      shown: shown.join("\n"),
    })) {
      expect(
        forms.filter((form) => isIn(text, form)),
        place,
      ).toEqual([]);
    }
  }
});

it("a token with an end is valid until then", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const admin = adminOf(operator);
  const { url } = await operator.serve();
  const [ending, other] = [
    await operator.token("ann", "--expires", "2099-01-31T12:00:00+02:00"),
    await operator.token("ann"),
  ];
  const { id } = partsOf(ending);
  const { rows } = await admin.query<{ expires_at: Date }>(
    "select expires_at from sentinel.tokens order by 1",
  );
  const [inQuarter, then] = rows.map(({ expires_at }) => expires_at);
  expect(then).toEqual(new Date("2099-01-31T10:00:00Z"));
  expect(
    Math.round((Number(inQuarter) - Date.now()) / 86_400_000),
    "without one, after 90 days",
  ).toBe(90);
  expect([await statusOf(url, ending), await statusOf(url, other)]).toEqual([200, 200]);
  const end = (when: string) =>
    admin.query("update sentinel.tokens set expires_at = now() + $2::interval where id = $1", [
      id,
      when,
    ]);
  await end("1 minute");
  expect(await statusOf(url, ending)).toBe(200);
  await end("-1 millisecond");
  for (const name of ["statistics", "append", "find"]) {
    expect(await statusOf(url, ending, name)).toBe(401);
  }
  expect(await statusOf(url, other)).toBe(200);
  expect(await operator.run("token", "list")).toMatch(
    new RegExp(`^${id} .*, ended ${new Date().getUTCFullYear()}-`, "m"),
  );
  expect(await operator.run("tenant", "list")).toContain("1 token of 1 person");
});

it("a list of tokens is of one tenant or of all, in words or as JSON, and says which are over or revoked", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const { url } = await operator.serve();
  await operator.run("tenant", "create", "other 'one");
  const create = async (tenant: string, person: string, ...more: readonly string[]) => {
    const token = await operator.tokenOf(tenant, person, ...more);
    return { token, ...partsOf(token) };
  };
  const ann = await create("acme", "ann", "--expires", "2099-01-31", "--channel", "team");
  const bob = await create("acme", "bob", "--read-only");
  const cat = await create("other 'one", "cat", "--metrics");
  const list = async (...more: readonly string[]) =>
    (await operator.run("token", "list", ...more)).split("\n");
  const TIME = "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z";
  const line = (text: string) => expect.stringMatching(new RegExp(`^${text}$`));
  const ofAnn = `${ann.id}  acme, ann: own, write, up to team, until 2099-01-31T00:00:00.000Z`;
  const ofBob = line(`${bob.id}  acme, bob: own, read, up to private, until ${TIME}`);
  const ofCat = line(`${cat.id}  other 'one, cat: own, metrics, until ${TIME}`);
  expect(await list()).toEqual([line(ofAnn), ofBob, ofCat]);
  expect(await list("--tenant", "acme")).toEqual([line(ofAnn), ofBob]);
  expect(await list("--tenant", "nobody' or 'a'='a")).toEqual([""]);
  const audit = await operator.run("audit", "--tenant", "other 'one", "--person", "cat");
  expect(audit, "which reads nothing").toMatch(/token [0-9a-f]{16} for metrics, until /);

  expect(await statusOf(url, ann.token)).toBe(200);
  await operator.run("token", "revoke", ann.id);
  expect(await statusOf(url, ann.token)).toBe(401);
  const used = `${ofAnn}, used \\d{4}-\\d\\d-\\d\\d, revoked ${TIME}`;
  expect(await list("--tenant", "acme")).toEqual([line(used), ofBob]);
  const time = line(TIME);
  const whole = (more: object) => {
    const always = {
      tenant: "acme",
      channel: "private",
      own: true,
      createdAt: time,
      expiresAt: time,
    };
    return { ...always, revokedAt: null, lastUsedAt: null, ...more };
  };
  const tokens = [
    whole({
      ...{ id: ann.id, owner: "ann", channel: "team", scope: "write" },
      ...{ expiresAt: "2099-01-31T00:00:00.000Z", revokedAt: time, lastUsedAt: time },
    }),
    whole({ id: bob.id, owner: "bob", scope: "read" }),
    whole({ id: cat.id, owner: "cat", scope: "metrics", tenant: "other 'one" }),
  ];
  const listed = async (...more: readonly string[]) =>
    JSON.parse((await list("--json", ...more)).join("\n"));
  expect(await listed()).toEqual(tokens);
  expect(await listed("--tenant", "nobody")).toEqual([]);
  for (const id of [ann.id, "0123456789abcdef"]) {
    await expect(operator.run("token", "revoke", id)).rejects.toThrow(
      `No token with the id ${id} is in use.`,
    );
  }
});
