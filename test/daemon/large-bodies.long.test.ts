/** Bodies of 8 MB, eight at a time: one token that sends them neither stops a daemon for others nor ends it. */
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { all, message } from "../contracts/event-store.ts";
import { daemonOver, send } from "../support/daemon.ts";
import { operatorOf, startDaemon } from "../support/daemon-process.ts";
import { testFolder } from "../support/in-test.ts";
import {
  LARGE_BODIES,
  LARGE_MESSAGES,
  LARGE_QUERY,
  secretLines,
  sendAgainAndAgain,
} from "../support/large-bodies.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const postgres = postgresOfFile();
const MIB = 1024 * 1024;
const AT_ONCE = 8;
/** Calls of somebody else. */
const CALLS = 20;

const headersOf = (token: string) => ({ authorization: `Bearer ${token}` });
const called = (port: number, token: string, name: string, body: object) =>
  send(port, `/v1/events/${name}`, headersOf(token), JSON.stringify(body));

const PATH = "/v1/events/append";
const ATTACKS = [
  ...Object.entries(LARGE_BODIES).map(([kind, body]) => ({ kind, path: PATH, body })),
  ...Object.entries(LARGE_MESSAGES).map(([kind, body]) => ({ kind, path: "/mcp", body })),
  { kind: "a message that is too large", path: "/mcp", body: LARGE_BODIES["a text of lines"] },
  { kind: "a query", path: "/v1/build_acb", body: LARGE_QUERY },
  {
    kind: "a query that is too large",
    path: "/v1/events/search",
    body: LARGE_BODIES["a text of lines"],
  },
];
/** How much longer the slowest twentieth of calls may take than without the attack. */
const MOST_TIMES = 20;

/** Ms that all but the slowest twentieth of somebody's calls take. */
async function slowTime(port: number, token: string): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < CALLS; at++) {
    const began = performance.now();
    const { status } = await called(
      port,
      token,
      at % 2 ? "append" : "brief",
      at % 2 ? drafts(at) : RECENT,
    );
    expect(status, `call ${at}`).toBe(200);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(0.95 * CALLS) - 1] ?? 0;
}

it("a daemon with a heap of a GB answers others while a token sends large bodies, and lives on", async () => {
  const operator = await operatorOf(postgres(), "acme");
  await operator.run("tenant", "create", "rival");
  const env = {
    PATH: process.env.PATH ?? "",
    SENTINEL_DATABASE_URL: operator.databaseUrl("daemon"),
    NODE_OPTIONS: "--max-old-space-size=1024",
  };
  const daemon = await startDaemon(testFolder(), env);
  const port = Number(new URL(daemon.url).port);
  const ann = await operator.token("ann");
  const rex = await operator.tokenOf("rival", "rex", "--channel=private");
  // What is compiled with the first calls is neither an idle daemon's nor an attack's.
  await slowTime(port, ann);
  const idle: number[] = [];
  const attacked: number[] = [];
  for (const { kind, path, body } of ATTACKS) {
    idle.push(await slowTime(port, ann));
    const sender = sendAgainAndAgain({ url: daemon.url, path, token: rex, body, atOnce: AT_ONCE });
    onTestFinished(() => void sender.terminate());
    let statuses: string[] = [];
    sender.on("message", (counts) => {
      statuses = Object.keys(counts);
    });
    await once(sender, "message");
    attacked.push(await slowTime(port, ann));
    await sender.terminate();
    // Refused for what it is, or taken; and told to wait while another one is under way.
    for (const status of statuses)
      expect(["200", "400", "413", "429"], `${kind} to ${path}`).toContain(status);
  }
  const ratios = ATTACKS.map(
    ({ kind, path }, at) => [`${kind} to ${path}`, (attacked[at] ?? 0) / middleOf(idle)] as const,
  );
  expect(ratios.filter(([, ratio]) => ratio > MOST_TIMES)).toEqual([]);
  expect(daemon.child.exitCode).toBeNull();
  expect((await called(port, ann, "statistics", {})).status).toBe(200);
});

const middleOf = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;

it("a tool result of 5 MB comes back whole, and a larger one without its secrets", async () => {
  const daemon = await daemonOver(postgres(), await migratedDatabase(postgres()));
  const token = await daemon.token();
  const store = remoteEventStore({ url: daemon.url, token, redactor: UNREDACTED });
  const text = "a line of what a tool printed\n".repeat((5 * MIB) / 30);
  const secrets = secretLines(6 * MIB);
  const results = [text, secrets].map((text, at) =>
    message("", at, { kind: "tool_result", content: { text } }),
  );
  const events = await store.append(results);
  const artifacts = await Promise.all(
    events.map((event) => store.artifact(String(event?.content.artifact_id))),
  );
  expect(artifacts[0] === text).toBe(true);
  expect(artifacts[1]).toMatch(/API_KEY=\[REDACTED\]/);
  expect(artifacts[1]).not.toMatch(/API_KEY=[0-9a-f]/);
});

it("a large body that is not JSON, too deep or too large is told so, and so is one with a bad draft", async () => {
  const daemon = await daemonOver(postgres(), await migratedDatabase(postgres()));
  const token = await daemon.token();
  const filler = "x".repeat(MIB);
  const [draft] = drafts(1).drafts;
  for (const [body, status, message] of [
    [`{"drafts": "${filler}`, 400, "The body is not JSON."],
    [`${"[".repeat(601)}"${filler}"`, 400, "The body is nested in more than 600 levels."],
    [filler.repeat(9), 413, "The body has more than 8,388,608 bytes."],
    [
      JSON.stringify({ drafts: [{ ...draft, text: filler }] }),
      400,
      /^The field drafts.0 cannot be used: expected a draft/,
    ],
    [
      JSON.stringify({ drafts: [{ ...draft, content: { text: filler }, kind: "thought" }] }),
      400,
      /^The field kind cannot be used: Invalid option: expected one of "message"/,
    ],
  ] as const)
    expect(await send(daemon.port, "/v1/events/append", headersOf(token), body)).toMatchObject({
      status,
      body: {
        error: { message: typeof message === "string" ? message : expect.stringMatching(message) },
      },
    });
});

const RECENT = { window: "recent" };
const drafts = (at: number) => ({ drafts: [message(`call ${at}`, at)] });

describe("room for bodies", () => {
  let database = "";
  beforeAll(async () => {
    database = await migratedDatabase(postgres());
  });

  /** Appends are under way from now on until they are let go. */
  async function holdAppends() {
    const client = await testPool(postgres(), "owner", database, { max: 1 }).connect();
    await client.query("begin; lock table sentinel.purged in access exclusive mode");
    let isHeld = true;
    const letGo = async () => {
      if (isHeld) await client.query("commit");
      if (isHeld) client.release();
      isHeld = false;
    };
    onTestFinished(letGo);
    return letGo;
  }

  /** What is answered to the head of a call whose body never comes. */
  async function toHead(port: number, token: string, bytes: number): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST /v1/events/append HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: ${bytes}\r\n\r\n`,
    );
    const [answer] = await once(socket, "data");
    socket.destroy();
    return String(answer);
  }

  it("is taken until a call is answered, so a token waits for itself, and others only where all is taken", async () => {
    const daemon = await daemonOver(postgres(), database);
    const people = ["ann", "bob", "cid", "dan", "eve"];
    const tokens = await Promise.all(people.map((owner) => daemon.token({ owner })));
    const [ann, , , dan, eve] = tokens as [string, string, string, string, string];
    const letGo = await holdAppends();
    const append = (token: string) =>
      send(daemon.port, "/v1/events/append", headersOf(token), large);
    const admin = testPool(postgres(), "admin", database, { max: 1 });
    const waiting = async () => (await admin.query<{ count: string }>(WAITING)).rows[0]?.count;
    const under = [append(ann)];
    await expect.poll(waiting, { timeout: 120_000 }).toBe("1");

    const refused = await toHead(daemon.port, ann, 2 * MIB);
    expect(refused).toMatch(/^HTTP\/1\.1 429 [\s\S]*\r\nretry-after: 1\r\n/i);
    expect(refused).toContain('"code":"too_many_calls"');
    expect(refused).toMatch(/This token has 8,388,608 bytes .*Send them one after another/);
    // Nor is one that does not say how long it is, nor what fetch sends to its end.
    expect(
      (await send(daemon.port, "/v1/events/append", { ...headersOf(ann), ...CHUNKED }, large))
        .status,
    ).toBe(429);
    const fetched = await fetch(`${daemon.url}/v1/events/append`, {
      method: "POST",
      headers: headersOf(ann),
      body: large,
    });
    expect(fetched.status).toBe(429);
    // What is small has its place.
    expect((await called(daemon.port, ann, "caller", {})).status).toBe(200);

    under.push(...tokens.slice(1, 4).map(append));
    await expect.poll(waiting, { timeout: 120_000 }).toBe("4");
    expect(await toHead(daemon.port, eve, 7 * MIB)).toMatch(
      /^HTTP\/1\.1 429 [\s\S]*All callers have 33,554,432 bytes/,
    );
    expect((await called(daemon.port, eve, "caller", {})).status).toBe(200);
    expect(await Promise.race([...under, "under way"])).toBe("under way");

    await letGo();
    for (const { status } of await Promise.all(under)) expect(status).toBe(200);
    expect((await append(eve)).status).toBe(200);
    expect((await append(dan)).status).toBe(200);
  });

  it("of a call that was broken off is free again", async () => {
    const daemon = await daemonOver(postgres(), database);
    const token = await daemon.token({ owner: "fay" });
    const place = {
      host: "127.0.0.1",
      port: daemon.port,
      path: "/v1/events/append",
      method: "POST",
    };
    const broken = request({
      ...place,
      headers: { ...headersOf(token), "content-length": 8 * MIB },
    });
    broken.on("error", () => undefined).write("x");
    // What comes later is answered, so the beginning of this one has come.
    expect((await called(daemon.port, token, "statistics", {})).status).toBe(200);
    expect(await toHead(daemon.port, token, MIB)).toMatch(/ 429 /);
    broken.destroy();
    const status = async () =>
      (await send(daemon.port, "/v1/events/append", headersOf(token), large)).status;
    await expect.poll(status, { timeout: 120_000 }).toBe(200);
  });

  it("holds back nobody's events for good: each that was acknowledged is there, once", async () => {
    const daemon = await daemonOver(postgres(), database);
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
    const events = await all(store);
    expect(events.map(({ origin }) => origin)).toEqual(events.map((_, at) => `large ${at}`));
    expect(events).toHaveLength(8);
  });
});

/** Its blanks take room, and no work. */
const large = JSON.stringify(drafts(1)) + " ".repeat(7 * MIB);
const CHUNKED = { "transfer-encoding": "chunked" };
const WAITING =
  "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%append_events%'";

describe("a body", () => {
  it("of a call that takes only a few words has a small limit, and says so", async () => {
    const daemon = await daemonOver(postgres(), await migratedDatabase(postgres()));
    const token = await daemon.token();
    const large = { text: "x".repeat(300_000) };
    for (const name of ["brief", "search", "caller", "read", "find", "purge"])
      expect(await called(daemon.port, token, name, large), name).toMatchObject({
        status: 413,
        body: { error: { code: "too_large", message: "The body has more than 262,144 bytes." } },
      });
    const [draft] = drafts(1).drafts;
    const values = {
      drafts: [message("", 1, { content: { values: Array.from({ length: 100_000 }, () => 1) } })],
    };
    const many = { drafts: Array.from({ length: 10_001 }, () => ({})) };
    for (const [name, body, why] of [
      ["append", many, "The field drafts cannot be used: expected 10,000 drafts at most."],
      ["append", values, "The body has more than 100,000 values."],
      [
        "append",
        { drafts: [{ ...draft, origin: 7 }] },
        "The field origin cannot be used: expected string, received number.",
      ],
    ] as const)
      expect(await called(daemon.port, token, name, body)).toMatchObject({
        status: 400,
        body: { error: { code: "bad_argument", message: why } },
      });
  });

  it("of a capture never has more values than a daemon takes", async () => {
    const daemon = await daemonOver(postgres(), await migratedDatabase(postgres()));
    const store = remoteEventStore({
      url: daemon.url,
      token: await daemon.token(),
      redactor: eventRedactor(),
    });
    const values = Array.from({ length: 4_900 }, () => 1);
    const many = Array.from({ length: 40 }, (_, at) =>
      message("", at, { kind: "tool_call", content: { values } }),
    );
    expect(await store.append(many)).toHaveLength(40);
    expect(await all(store)).toHaveLength(40);
  });
});
