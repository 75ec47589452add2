/** The bodies of calls: refused with what was expected where they cannot be used, and never so large or so many that others wait. */
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { all, message, texts } from "../contracts/event-store.ts";
import { daemonOfFile, daemonOver, eventCalls, send, storeAt } from "../support/daemon.ts";
import { operatorOf, startDaemon } from "../support/daemon-process.ts";
import { testFolder } from "../support/in-test.ts";
import {
  LARGE_BODIES,
  LARGE_MESSAGES,
  LARGE_QUERY,
  secretLines,
  sendAgainAndAgain,
} from "../support/large-bodies.ts";
import { httpAgent } from "../support/mcp-agent.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const postgres = postgresOfFile();
const daemonOfAll = daemonOfFile(postgres);
const MIB = 1024 * 1024;
const PATH = "/v1/events/append";
const CHUNKED = { "transfer-encoding": "chunked" };
/** Appends that wait for a lock. */
const WAITING =
  "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%append_events%'";

const drafts = (at: number) => ({ drafts: [message(`call ${at}`, at)] });
/** Its blanks take room, and no work. */
const LARGE = JSON.stringify(drafts(1)) + " ".repeat(7 * MIB);
const headersOf = (token: string) => ({ authorization: `Bearer ${token}` });
const errorOf = (code: string) => ({
  error: expect.objectContaining({ code, fix: expect.any(String) }),
});

describe("a body", () => {
  it("that cannot be used is told what was expected, and nothing of what it holds", async () => {
    const daemon = daemonOfAll();
    const token = await daemon.token();
    const filler = "x".repeat(MIB);
    const [draft] = drafts(1).drafts;
    const values = message("", 1, {
      content: { values: Array.from({ length: 100_000 }, () => 1) },
    });
    const ofDraft = /^The field drafts.0 cannot be used: expected a draft, and no fields but kind,/;
    const wrong: readonly (readonly [name: string, body: unknown, why: string | RegExp])[] = [
      ["append", "", "The body is not JSON."],
      ["append", "{", "The body is not JSON."],
      ["append", `{"drafts": "${filler}`, "The body is not JSON."],
      ["append", `${"[".repeat(601)}"${filler}"`, "The body is nested in more than 600 levels."],
      ["append", { drafts: [values] }, "The body has more than 100,000 values."],
      ["append", null, "The body cannot be used: expected object, received null."],
      ["append", {}, "The field drafts is missing."],
      ["append", { drafts: [{ kind: "message", hunter2: "private" }] }, ofDraft],
      ["append", { drafts: [{ ...draft, text: filler }] }, ofDraft],
      [
        "append",
        { drafts: [{ ...draft, content: { text: filler }, kind: "thought" }] },
        /^The field kind cannot be used: Invalid option: expected one of "message"/,
      ],
      [
        "append",
        { drafts: Array.from({ length: 10_001 }, () => ({})) },
        "The field drafts cannot be used: expected 10,000 drafts at most.",
      ],
      ["append", { drafts: [], hunter2: 1 }, "The body has a field that is not known here."],
      [
        "purge",
        { target: { sessions: "hunter2" } },
        "The field target cannot be used: expected ids, session or text.",
      ],
    ];
    for (const [name, body, why] of wrong) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const answer = await send(daemon.port, `/v1/events/${name}`, headersOf(token), text);
      expect(answer, String(why)).toMatchObject({
        status: 400,
        body: { error: { code: "bad_argument", message: expect.stringMatching(why) } },
      });
      expect(JSON.stringify(answer.body)).not.toContain("hunter2");
    }
    const call = eventCalls(daemon.url, token);
    expect((await call("search", { text: "cat", limits: 3 })).body).toMatchObject({
      error: { fix: "It takes text, limit, withNeighbours. Correct it, then call again." },
    });
    expect((await call("append", { drafts: [] })).status).toBe(200);
  });

  it("that is too large is told so, whether it says how long it is or not, with the limit of its call", async () => {
    const daemon = daemonOfAll();
    const token = await daemon.token();
    const headers = headersOf(token);
    const large = "x".repeat(9 * MIB);
    const tooLarge = (bytes: string) => ({
      status: 413,
      body: { error: { code: "too_large", message: `The body has more than ${bytes} bytes.` } },
    });
    for (const more of [{}, CHUNKED]) {
      expect(await send(daemon.port, PATH, { ...headers, ...more }, large)).toMatchObject(
        tooLarge("8,388,608"),
      );
    }
    const fetched = await fetch(`${daemon.url}${PATH}`, { method: "POST", headers, body: large });
    expect([fetched.status, await fetched.json()]).toEqual([413, errorOf("too_large")]);
    const call = eventCalls(daemon.url, token);
    for (const name of ["brief", "search", "caller", "read", "find", "purge"]) {
      expect(await call(name, { text: "x".repeat(300_000) }), name).toMatchObject(
        tooLarge("262,144"),
      );
    }
  });

  it("without an end is not read for ever", async () => {
    const daemon = daemonOfAll();
    const place = { host: "127.0.0.1", port: daemon.port, path: PATH, method: "POST" };
    const call = request({ ...place, headers: headersOf(await daemon.token()) });
    const part = Buffer.alloc(MIB, "x");
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

  it("of a capture never has more values than a daemon takes", async () => {
    const daemon = daemonOfAll();
    const store = storeAt(daemon.url, await daemon.token({ tenant: "values" }));
    const values = Array.from({ length: 4_900 }, () => 1);
    const many = Array.from({ length: 40 }, (_, at) =>
      message("", at, { kind: "tool_call", content: { values } }),
    );
    expect(await store.append(many)).toHaveLength(40);
    expect(await all(store)).toHaveLength(40);
  });

  it("with a tool result of 5 MB comes back whole, and a larger one without its secrets", async () => {
    const daemon = daemonOfAll();
    const token = await daemon.token({ tenant: "results" });
    const text = "a line of what a tool printed\n".repeat((5 * MIB) / 30);
    const results = [text, secretLines(6 * MIB)].map((text, at) =>
      message("", at, { kind: "tool_result", content: { text } }),
    );
    const store = remoteEventStore({ url: daemon.url, token, redactor: UNREDACTED });
    const events = await store.append(results);
    const artifacts = await Promise.all(
      events.map((event) => store.artifact(String(event?.content.artifact_id))),
    );
    expect(artifacts[0] === text).toBe(true);
    expect(artifacts[1]).toMatch(/API_KEY=\[REDACTED\]/);
    expect(artifacts[1]).not.toMatch(/API_KEY=[0-9a-f]/);
  });
});

/** A sequence keeps what it counted when a transaction is undone. */
const FAILS_ONCE = `
  create sequence fails;
  create function fail_once() returns trigger language plpgsql security definer as $$
  begin
    if new.event::text like '%number 250"%' and nextval('public.fails') = 1 then
      raise exception 'no: %', new.event;
    end if;
    return new;
  end $$;
  create trigger fail_once before insert on sentinel.events for each row execute function fail_once();`;

it("where the third part of a batch fails, the caller is told; sent again, all of it is there, each event once", async () => {
  const database = await migratedDatabase(postgres());
  await testPool(postgres(), "admin", database).query(FAILS_ONCE);
  const daemon = await daemonOver(postgres(), database);
  const store = storeAt(daemon.url, await daemon.token());
  const numbers = Array.from({ length: 500 }, (_, at) => `number ${at}`);
  const batch = numbers.map((text, at) => message(text, at, { origin: text }));
  await expect(store.append(batch)).rejects.toMatchObject({
    code: "write_failed",
    fix: expect.stringMatching(/log of the database.*call again/),
  });
  expect(JSON.stringify(daemon.log), "nothing of what was said is told").not.toContain("number");
  // Whole parts of a hundred, and none after the one that failed.
  expect(await texts(store)).toEqual(numbers.slice(0, 200));
  expect((await store.append(batch)).map((event) => event?.content.text)).toEqual(numbers);
  expect(await texts(store)).toEqual(numbers);
  expect(await store.statistics()).toMatchObject({ events: 500, indexed: { chunks: 500 } });
});

describe("room for bodies", () => {
  /** What is answered to the head of a call whose body never comes. */
  async function toHead(port: number, token: string, bytes: number): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: ${bytes}\r\n\r\n`,
    );
    const [answer] = await once(socket, "data");
    socket.destroy();
    return String(answer);
  }

  it("is taken until a call is answered, so a token waits for itself, and others only where all is taken", async () => {
    const daemon = daemonOfAll();
    const people = ["ann", "bob", "cid", "dan", "eve"];
    const tokens = await Promise.all(
      people.map((owner) => daemon.token({ tenant: "room", owner })),
    );
    const [ann, , , dan, eve] = tokens as [string, string, string, string, string];
    const holder = await testPool(postgres(), "owner", daemon.database, { max: 1 }).connect();
    await holder.query("begin; lock table sentinel.purged in access exclusive mode");
    const append = (token: string, more: object = {}) =>
      send(daemon.port, PATH, { ...headersOf(token), ...more }, LARGE);
    const statusOfCaller = async (token: string) =>
      (await eventCalls(daemon.url, token)("caller", {})).status;
    const admin = testPool(postgres(), "admin", daemon.database, { max: 1 });
    const waiting = async () => (await admin.query(WAITING)).rowCount;
    const under = [append(ann)];
    await expect.poll(waiting, { timeout: 120_000 }).toBe(1);

    const refused = await toHead(daemon.port, ann, 2 * MIB);
    expect(refused).toMatch(/^HTTP\/1\.1 429 [\s\S]*\r\nretry-after: 1\r\n/i);
    expect(refused).toContain('"code":"too_many_calls"');
    expect(refused).toMatch(/This token has 8,388,608 bytes .*Send them one after another/);
    // Nor is one that does not say how long it is, nor what fetch sends to its end.
    expect((await append(ann, CHUNKED)).status).toBe(429);
    const call = { method: "POST", headers: headersOf(ann), body: LARGE };
    expect((await fetch(`${daemon.url}${PATH}`, call)).status).toBe(429);
    expect(await statusOfCaller(ann), "what is small has its place").toBe(200);

    under.push(...tokens.slice(1, 4).map((token) => append(token)));
    await expect.poll(waiting, { timeout: 120_000 }).toBe(4);
    expect(await toHead(daemon.port, eve, 7 * MIB)).toMatch(
      /^HTTP\/1\.1 429 [\s\S]*All callers have 33,554,432 bytes/,
    );
    expect(await statusOfCaller(eve)).toBe(200);
    expect(await Promise.race([...under, "under way"])).toBe("under way");

    await holder.query("commit");
    holder.release();
    for (const { status } of await Promise.all(under)) {
      expect(status).toBe(200);
    }
    for (const token of [eve, dan]) {
      expect((await append(token)).status).toBe(200);
    }
  });

  it("of a call that was broken off is free again, and that is no fault of the daemon's", async () => {
    const daemon = daemonOfAll();
    const token = await daemon.token({ owner: "fay" });
    const place = { host: "127.0.0.1", port: daemon.port, path: PATH, method: "POST" };
    const headers = { ...headersOf(token), "content-length": 8 * MIB, "x-request-id": "broken" };
    const broken = request({ ...place, headers });
    broken.on("error", () => undefined).write("x");
    // What comes later is answered, so the beginning of this one has come.
    expect((await eventCalls(daemon.url, token)("statistics", {})).status).toBe(200);
    expect(await toHead(daemon.port, token, MIB)).toMatch(/ 429 /);
    broken.destroy();
    const status = async () => (await send(daemon.port, PATH, headersOf(token), LARGE)).status;
    await expect.poll(status, { timeout: 120_000 }).toBe(200);
    expect(daemon.log.find(({ id }) => id === "broken")).toMatchObject({
      status: 400,
      error: "bad_argument",
    });
  });

  it("holds back nobody's events for good: each that was acknowledged is there, once", async () => {
    const daemon = daemonOfAll();
    const token = await daemon.token({ owner: "gil", tenant: "many" });
    const store = remoteEventStore({ url: daemon.url, token, redactor: UNREDACTED });
    const append = async (at: number): Promise<void> => {
      const draft = message(`${at} ${"z".repeat(3 * MIB)}`, at, { origin: `large ${at}` });
      for (;;) {
        try {
          expect(await store.append([draft])).toHaveLength(1);
          return;
        } catch (error) {
          expect(error).toMatchObject({ code: "too_many_calls" });
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, at) => append(at)));
    expect(daemon.log.some(({ status }) => status === 429)).toBe(true);
    const origins = (await all(store)).map(({ origin }) => origin);
    expect(origins).toEqual(Array.from({ length: 8 }, (_, at) => `large ${at}`));
  });
});

/** So many bodies at a time, and calls of somebody else meanwhile. */
const [AT_ONCE, CALLS] = [8, 20];
const TOO_LARGE = LARGE_BODIES["a text of lines"];
const ATTACKS = [
  ...Object.entries(LARGE_BODIES).map(([kind, body]) => ({ kind, path: PATH, body })),
  ...Object.entries(LARGE_MESSAGES).map(([kind, body]) => ({ kind, path: "/mcp", body })),
  { kind: "a message that is too large", path: "/mcp", body: TOO_LARGE },
  { kind: "a query", path: "/v1/build_acb", body: LARGE_QUERY },
  { kind: "a query that is too large", path: "/v1/events/search", body: TOO_LARGE },
];

it("a daemon with a heap of a GB answers others while a token sends large bodies, and lives on", async () => {
  const operator = await operatorOf(postgres(), "acme");
  await operator.run("tenant", "create", "rival");
  const env = {
    PATH: process.env.PATH ?? "",
    SENTINEL_DATABASE_URL: operator.databaseUrl("daemon"),
    NODE_OPTIONS: "--max-old-space-size=1024",
  };
  const { url, child } = await startDaemon(testFolder(), env);
  const ann = await operator.token("ann");
  const rex = await operator.tokenOf("rival", "rex", "--channel=private");
  const call = eventCalls(url, ann);
  for (const { kind, path, body } of ATTACKS) {
    const sender = sendAgainAndAgain({ url, path, token: rex, body, atOnce: AT_ONCE });
    onTestFinished(() => void sender.terminate());
    let statuses: string[] = [];
    sender.on("message", (counts) => {
      statuses = Object.keys(counts);
    });
    await once(sender, "message");
    for (let at = 0; at < CALLS; at++) {
      const { status } = await (at % 2 ? call("append", drafts(at)) : call("brief", RECENT));
      expect(status, `call ${at} beside ${kind}`).toBe(200);
    }
    await sender.terminate();
    // Refused for what it is, or taken; and told to wait while another one is under way.
    for (const status of statuses) {
      expect(["200", "400", "413", "429"], `${kind} to ${path}`).toContain(status);
    }
  }
  expect(child.exitCode).toBeNull();
  expect((await call("statistics", {})).status).toBe(200);

  // In a process of its own: within one, the caller and the daemon take turns, and nobody is interrupted.
  const agent = await httpAgent({ url }, ann);
  const say = (text: string) => agent.call("record_event", { kind: "message", content: { text } });
  for (const megabytes of [9, 60]) {
    await expect(say("x".repeat(megabytes * 1_000_000))).rejects.toThrow(
      /too_large.*1,048,576 bytes.*Send less/,
    );
  }
  expect(await say("less")).toMatchObject({ isError: false });
});

const RECENT = { window: "recent" };
