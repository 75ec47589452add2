/**
 * A database that is gone for a while, full, read-only, or without a connection left, as callers of a daemon see it: a clear error with its
 * fix, the daemon goes on by itself, nothing acknowledged is lost and nothing is there twice.
 */
import { execFileSync } from "node:child_process";
import { chownSync, cpSync, mkdirSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { all, message } from "../contracts/event-store.ts";
import { send } from "../support/daemon.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asAdmin, type Postgres, startAgain, withoutPostgres } from "../support/postgres-server.ts";
import { letters, seeded } from "../support/secret-samples.ts";
import { CANNOT_MOUNT, fillDisk, mountSmallDisk } from "../support/small-disk.ts";
import { holdsFor, until } from "../support/wait.ts";

const postgres = postgresOfFile();
const MIB = 1024 * 1024;
const random = seeded("faults");
/** What to do about a database that is away; it may be met while it stops, or while it starts again. */
const GONE = /start the database|call again when it has started/i;

interface Served {
  readonly store: EventStore;
  readonly database: string;
  /** Calls without the tries of our own client. */
  call(name: string, body: unknown, as?: string): Promise<{ status: number; body: unknown }>;
  tokenOf(person: string): Promise<string>;
  mcp(tool: string, args: object): Promise<string>;
  health(): Promise<number>;
  /** Ends the test as a failure where the daemon did not live through it. */
  isAlive(): boolean;
}

/** A daemon in a process of its own. @param before done with its database while nobody is connected. */
async function served(over: Postgres, before = async (_: string) => {}): Promise<Served> {
  const operator = await operatorOf(over, "acme");
  const tokenOf = (person: string) => operator.token(person);
  const token = await tokenOf("ann");
  const database = new URL(operator.databaseUrl("owner")).pathname.slice(1);
  await before(database);
  const { url, child } = await operator.serve();
  const port = Number(new URL(url).port);
  const accept = "application/json, text/event-stream";
  const headersOf = (as: string) => ({
    authorization: `Bearer ${as}`,
    accept,
    "content-type": "application/json",
  });
  return {
    store: remoteEventStore({ url, token, redactor: eventRedactor() }),
    database,
    call: (name, body, as = token) =>
      send(port, `/v1/events/${name}`, headersOf(as), JSON.stringify(body)),
    tokenOf,
    async mcp(tool, args) {
      const params = { name: tool, arguments: args };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      return JSON.stringify((await send(port, "/mcp", headersOf(token), body)).body);
    },
    health: async () => (await send(port, "/health", {}, undefined, "GET")).status,
    isAlive: () => child.exitCode === null && child.signalCode === null,
  };
}

const textsOf = async (store: EventStore) =>
  (await all(store)).map(({ content }) => String(content.text));

function refused(code: string, fix: RegExp) {
  return { error: { code, message: expect.any(String), fix: expect.stringMatching(fix) } };
}

/** Texts that no compression makes shorter. */
function drafts(name: string, count = 40): EventDraft[] {
  return Array.from({ length: count }, (_, at) =>
    message(`${name} ${at} ${letters(random, "b", 8_000)}`, at, {
      origin: `${name} ${at}`,
    }),
  );
}

it("gone for ten seconds under load: every answer says so, and what was acknowledged is there once", async () => {
  const daemon = await served(postgres());
  const { store } = daemon;
  const acknowledged: string[] = [];
  const answers = new Set<string>();
  let isOver = false;
  const writer = async (name: number) => {
    for (let at = 0; !isOver; at++) {
      const text = `${name} ${at}`;
      // What was stored and not answered has to be asked for until it is, also at the end.
      for (;;) {
        const { status, body } = await daemon.call("append", {
          drafts: [message(text, at, { origin: text })],
        });
        if (status === 200) break;
        expect(body).toEqual(refused("database_unreachable", GONE));
        answers.add(`${status}`);
        await holdsFor(20, () => !isOver);
      }
      acknowledged.push(text);
    }
  };
  const writing = Promise.all([1, 2, 3, 4].map(writer));
  await until(() => acknowledged.length >= 40);
  await withoutPostgres(postgres(), async () => {
    expect(await daemon.health()).toBe(503);
    expect(await daemon.mcp("build_acb", { query: "x" })).toMatch(
      /database_unreachable.*Start the database/,
    );
    await expect(store.search({ text: "x" })).rejects.toMatchObject({
      code: "database_unreachable",
    });
    await holdsFor(10_000, daemon.isAlive);
  });
  const before = acknowledged.length;
  await until(() => acknowledged.length >= before + 40);
  isOver = true;
  await writing;
  expect(answers).toEqual(new Set(["503"]));
  expect((await textsOf(store)).sort()).toEqual(acknowledged.sort());
  expect([await daemon.health(), daemon.isAlive()]).toEqual([200, true]);
});

it("full: an error that says so, nothing of the batch is there, and it goes on once there is room", async ({
  skip,
}) => {
  const folder = join(postgres().folder, "small");
  mkdirSync(folder);
  if (!mountSmallDisk(folder, 64 * MIB)) return skip(CANNOT_MOUNT);
  ownAs(folder, postgres());
  const daemon = await served(postgres(), async (database) => {
    await asAdmin(postgres(), `create tablespace small location '${folder}'`);
    await asAdmin(postgres(), `alter database ${database} set tablespace small`);
    onTestFinished(() =>
      asAdmin(postgres(), `drop database ${database} with (force)`, "drop tablespace small"),
    );
  });
  const { store } = daemon;
  const first = drafts("first");
  await store.append(first);
  const disk = await fillDisk({ folder }, 2 * MIB);
  const acknowledged = [...first];
  const full = async (round: number): Promise<EventDraft[]> => {
    const batch = drafts(`round ${round}`);
    const { status, body } = await daemon.call("append", { drafts: batch });
    if (status === 200) {
      acknowledged.push(...batch);
      return full(round + 1);
    }
    expect([status, body]).toEqual([507, refused("disk_full", /free some space/i)]);
    return batch;
  };
  const late = await full(0);
  const said = await daemon.mcp("record_event", {
    kind: "message",
    content: { text: letters(random, "b", 60_000) },
  });
  expect(said).toMatch(/error disk_full.*fix: Free some space/s);
  expect(await originsOf(store)).toEqual(originsIn(acknowledged));
  expect((await store.search({ text: "first 7" })).hits.length).toBeGreaterThan(0);
  await disk.release();
  await store.append(late);
  await store.append(late);
  expect(await originsOf(store)).toEqual(originsIn([...acknowledged, ...late]));
  expect([await daemon.health(), daemon.isAlive()]).toEqual([200, true]);
});

it("without room for its write-ahead log it refuses or crashes: the daemon says which and goes on once there is room", async ({
  skip,
}) => {
  const folder = join(postgres().folder, "log of writes");
  mkdirSync(folder);
  if (!mountSmallDisk(folder, 128 * MIB)) return skip(CANNOT_MOUNT);
  const daemon = await served(postgres());
  const { store } = daemon;
  const segments = join(postgres().folder, "data", "pg_wal");
  await withoutPostgres(postgres(), () => {
    cpSync(segments, join(folder, "pg_wal"), { recursive: true });
    ownAs(folder, postgres());
    renameSync(segments, `${segments}.old`);
    symlinkSync(join(folder, "pg_wal"), segments);
  });
  onTestFinished(() =>
    withoutPostgres(postgres(), () => {
      execFileSync("rm", [segments]);
      cpSync(join(folder, "pg_wal"), segments, { recursive: true });
      ownAs(segments, postgres());
    }),
  );
  const disk = await fillDisk({ folder }, MIB);
  // It crashes where it cannot undo what it began, and refuses where it can.
  const refusedAsFull = [507, refused("disk_full", /free some space/i)];
  const refusedAsGone = [503, refused("database_unreachable", GONE)];
  const acknowledged: EventDraft[] = [];
  let late: EventDraft[] = [];
  for (let round = 0; late.length === 0; round++) {
    const batch = drafts(`round ${round}`);
    const { status, body } = await daemon.call("append", { drafts: batch });
    if (status === 200) acknowledged.push(...batch);
    else {
      expect([refusedAsFull, refusedAsGone]).toContainEqual([status, body]);
      late = batch;
    }
    // Each takes the rest of a file of 16 MiB.
    await asAdmin(postgres(), "select pg_switch_wal()").catch(() => undefined);
  }
  expect(acknowledged.length).toBeGreaterThan(0);
  await disk.release();
  // What runs now may be about to end, for want of the room that it had not.
  const healthOnceStarted = () => {
    if (!isRunning(postgres())) startAgain(postgres());
    return daemon.health();
  };
  await expect.poll(healthOnceStarted, { timeout: 60_000 }).toBe(200);
  await store.append(late);
  expect(await originsOf(store)).toEqual(originsIn([...acknowledged, ...late]));
  expect([await daemon.health(), daemon.isAlive()]).toEqual([200, true]);
});

it("read-only: it can be read, says so, and is written again when it may be", async () => {
  const daemon = await served(postgres());
  const { store } = daemon;
  await store.append([message("before", 0, { origin: "before" })]);
  await asAdmin(
    postgres(),
    "alter system set default_transaction_read_only = on",
    "select pg_reload_conf()",
  );
  const writable = async () => {
    await asAdmin(
      postgres(),
      "alter system reset default_transaction_read_only",
      "select pg_reload_conf()",
    );
  };
  onTestFinished(writable);
  const after = message("after", 1, { origin: "after" });
  const lost = message("lost", 2, { origin: "lost" });
  // The server's processes hear of it one by one.
  await expect
    .poll(() => daemon.call("append", { drafts: [lost] }), { timeout: 20_000 })
    .toMatchObject({ status: 503 });
  await expect.poll(() => daemon.health(), { timeout: 20_000 }).toBe(503);
  const stored = await textsOf(store);
  const answer = await daemon.call("append", { drafts: [after] });
  expect(answer).toEqual({ status: 503, body: refused("read_only", /primary/) });
  const said = await daemon.mcp("record_event", { kind: "message", content: { text: "x" } });
  expect(said).toMatch(/error read_only.*fix: Use the primary/s);
  await expect(store.purge({ text: "before" })).rejects.toMatchObject({ code: "read_only" });
  expect(await textsOf(store)).toEqual(stored);
  expect(await daemon.mcp("build_acb", { query: "before" })).toContain("before");
  await writable();
  await expect
    .poll(() => daemon.call("append", { drafts: [after] }), { timeout: 20_000 })
    .toMatchObject({ status: 200 });
  expect(await textsOf(store)).toContain("after");
  await expect.poll(() => daemon.health(), { timeout: 20_000 }).toBe(200);
  expect(daemon.isAlive()).toBe(true);
});

it("out of connections: callers are told, and served as soon as there is one", async () => {
  const daemon = await served(postgres());
  await daemon.store.append([message("before", 0, { origin: "before" })]);
  const others = testPool(postgres(), "owner", daemon.database, { max: 100 });
  const taken: { release(isBroken: boolean): void }[] = [];
  const takeAll = async () => {
    for (;;) taken.push(await others.connect());
  };
  const giveBack = () => {
    for (const connection of taken.splice(0)) connection.release(true);
  };
  onTestFinished(giveBack);
  const after = [message("after", 1, { origin: "after" })];
  const told = { status: 503, body: refused("database_unreachable", /no connection left/) };
  // A backend that ends gives its place back a moment later, and the daemon may be the first to take it.
  const withoutPlace = async (): Promise<unknown> => {
    await asAdmin(
      postgres(),
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'daemon'",
    );
    await expect(takeAll()).rejects.toMatchObject({ code: "53300" });
    return [await daemon.call("append", { drafts: after }), await daemon.health()];
  };
  await expect(takeAll()).rejects.toMatchObject({ code: "53300" });
  await expect.poll(withoutPlace, { timeout: 20_000 }).toEqual([told, 503]);
  giveBack();
  await daemon.store.append(after);
  expect(await textsOf(daemon.store)).toEqual(["before", "after"]);
  expect([await daemon.health(), daemon.isAlive()]).toEqual([200, true]);
});

it("busy with more calls than there are connections for: the last are told, and none that was acknowledged is lost", async () => {
  const daemon = await served(postgres());
  // One token has only some of the connections at a time. To add a person needs the table, too.
  const tokens = await Promise.all(["ann", "bob", "cleo", "dan", "eve"].map(daemon.tokenOf));
  const owner = testPool(postgres(), "owner", daemon.database, { max: 1 });
  const holder = await owner.connect();
  await holder.query("begin");
  await holder.query("lock table sentinel.purged in access exclusive mode");
  const calls = Array.from({ length: 40 }, (_, at) => {
    // A session is one person's.
    const session = `session ${at % tokens.length}`;
    const draft = message(`call ${at}`, at, { origin: `call ${at}`, channel: "team", session });
    return daemon.call("append", { drafts: [draft] }, tokens[at % tokens.length]);
  });
  await Promise.race(calls);
  await holder.query("commit");
  holder.release();
  const answers = await Promise.all(calls);
  const stored = answers.flatMap(({ status }, at) => (status === 200 ? [`call ${at}`] : []));
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.length).toBeLessThan(40);
  for (const { status, body } of answers)
    if (status !== 200)
      expect(body).toEqual(refused("database_unreachable", /call again with less at once/));
  expect((await textsOf(daemon.store)).sort()).toEqual(stored.sort());
  expect(await daemon.health()).toBe(200);
});

async function originsOf(store: EventStore): Promise<string[]> {
  return (await all(store)).map(({ origin }) => origin ?? "").sort();
}

function originsIn(some: readonly EventDraft[]): string[] {
  return some.map(({ origin }) => origin ?? "").sort();
}

/** PostgreSQL may not run as root. */
function ownAs(folder: string, { folder: cluster }: Postgres): void {
  const { uid, gid } = statSync(join(cluster, "data"));
  if (uid === process.getuid?.()) chownSync(folder, uid, gid);
  else execFileSync("chown", ["-R", `${uid}:${gid}`, folder]);
}

function isRunning({ folder, run }: Postgres): boolean {
  try {
    return run("pg_ctl", "status", "-D", join(folder, "data")) !== "";
  } catch {
    return false;
  }
}
