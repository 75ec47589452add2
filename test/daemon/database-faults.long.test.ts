/**
 * A database that is gone for a while, silent, full, read-only, or without a connection left, as callers of a daemon see it: a clear error with
 * its fix, the daemon goes on by itself, nothing acknowledged is lost and nothing is there twice.
 */
import { execFileSync } from "node:child_process";
import { chownSync, cpSync, mkdirSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { all, message, texts } from "../contracts/event-store.ts";
import { eventCalls, send, storeAt } from "../support/daemon.ts";
import { adminPortOf, operatorOf } from "../support/daemon-process.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import {
  asAdmin,
  type Postgres,
  startAgain,
  whileSilent,
  withoutPostgres,
} from "../support/postgres-server.ts";
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
  /** What the port of its operator answers. */
  askAdmin(path: string): Promise<{ status: number; body: unknown }>;
  stop(): Promise<unknown>;
  /** Ends the test as a failure where the daemon did not live through it. */
  isAlive(): boolean;
}

/** A daemon in a process of its own. @param before done with its database while nobody is connected. */
async function served(over: Postgres, before = async (_: string) => {}): Promise<Served> {
  const operator = await operatorOf(over, "acme");
  const tokenOf = (person: string) => operator.token(person);
  const token = await tokenOf("ann");
  const { database } = operator;
  await before(database);
  const daemon = await operator.serve("--admin-port", "0");
  const { url, child } = daemon;
  const port = Number(new URL(url).port);
  const accept = "application/json, text/event-stream";
  const headersOf = (as: string) => ({
    authorization: `Bearer ${as}`,
    accept,
    "content-type": "application/json",
  });
  return {
    store: storeAt(url, token),
    database,
    call: (name, body, as = token) => eventCalls(url, as)(name, body),
    tokenOf,
    async mcp(tool, args) {
      const params = { name: tool, arguments: args };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      return JSON.stringify((await send(port, "/mcp", headersOf(token), body)).body);
    },
    askAdmin: (path) => send(adminPortOf(daemon), path, {}, undefined, "GET"),
    stop() {
      child.kill("SIGTERM");
      return daemon.exited;
    },
    health: async () => (await send(port, "/health", {}, undefined, "GET")).status,
    isAlive: () => child.exitCode === null && child.signalCode === null,
  };
}

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

it("gone under load: every answer says so, and what was acknowledged is there once", async () => {
  const daemon = await served(postgres());
  const { store } = daemon;
  const acknowledged: string[] = [];
  let refusals = 0;
  let isOver = false;
  const writer = async (name: number) => {
    for (let at = 0; !isOver; at++) {
      const text = `${name} ${at}`;
      // What was stored and not answered has to be asked for until it is, also at the end.
      for (;;) {
        const answer = await daemon.call("append", {
          drafts: [message(text, at, { origin: text })],
        });
        if (answer.status === 200) {
          break;
        }
        expect(answer).toEqual({ status: 503, body: refused("database_unreachable", GONE) });
        refusals++;
        await holdsFor(20, () => !isOver);
      }
      acknowledged.push(text);
    }
  };
  const writing = Promise.all([1, 2, 3, 4].map(writer));
  const whileWriting = (condition: () => boolean) => Promise.race([until(condition), writing]);
  await whileWriting(() => acknowledged.length >= 40);
  await withoutPostgres(postgres(), async () => {
    expect(await daemon.health()).toBe(503);
    expect(await daemon.mcp("build_acb", { query: "x" })).toMatch(
      /database_unreachable.*Start the database/,
    );
    await expect(store.search({ text: "x" })).rejects.toMatchObject({
      code: "database_unreachable",
    });
    const known = refusals;
    await whileWriting(() => refusals >= known + 40);
  });
  const before = acknowledged.length;
  await whileWriting(() => acknowledged.length >= before + 40);
  isOver = true;
  await writing;
  expect((await texts(store)).sort()).toEqual(acknowledged.sort());
  expect([await daemon.health(), daemon.isAlive()]).toEqual([200, true]);
});

const OK = { status: 200, body: { status: "ok" } };
const SILENT = {
  status: 503,
  body: { error: expect.objectContaining({ code: "database_unreachable" }) },
};
/** Only tells what never comes from what takes long, in ms. */
const PATIENCE = { timeout: 20_000 };
const named = (name: string) => message(name, 0, { origin: name });

it("silent: calls and the question whether it is ready hear that, it goes on by itself, and what was acknowledged is there once", async () => {
  const daemon = await served(postgres());
  await daemon.store.append([named("before")]);
  const acknowledged: string[] = [];
  const failed: string[] = [];
  let isOver = false;
  const writing = [1, 2, 3, 4].map(async (writer) => {
    for (let at = 0; !isOver; at++) {
      const name = `${writer} ${at}`;
      const answer = await daemon.call("append", { drafts: [named(name)] });
      if (answer.status !== 200) {
        expect(answer).toEqual(SILENT);
      }
      (answer.status === 200 ? acknowledged : failed).push(name);
    }
  });
  await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThan(40);
  await whileSilent(postgres(), async () => {
    expect(await daemon.askAdmin("/ready")).toEqual(SILENT);
    expect(await daemon.askAdmin("/live")).toEqual(OK);
    expect((await daemon.askAdmin("/metrics")).status).toBe(200);
    const asked = await daemon.call("search", { text: "before" });
    expect(asked).toEqual(SILENT);
    expect(asked.body).toMatchObject({
      error: {
        message: expect.stringContaining("the database does not answer"),
        fix: expect.stringMatching(/^See /),
      },
    });
    isOver = true;
    await Promise.all(writing);
  });
  await expect.poll(() => daemon.askAdmin("/ready"), PATIENCE).toEqual(OK);
  await daemon.store.append(failed.map(named));
  expect((await texts(daemon.store)).sort()).toEqual(["before", ...acknowledged, ...failed].sort());
});

it("silent: a daemon that is told to stop meanwhile does, though calls wait", async () => {
  const daemon = await served(postgres());
  await daemon.store.append([named("before")]);
  await whileSilent(postgres(), async () => {
    const calls = [1, 2, 3].map((at) => daemon.call("append", { drafts: [named(`${at}`)] }));
    const answers = Promise.allSettled(calls);
    await daemon.askAdmin("/ready");
    expect(await daemon.stop()).toBe(0);
    await answers;
  });
});

it("full: an error that says so, nothing of the batch is there, and it goes on once there is room", async ({
  skip,
}) => {
  const folder = join(postgres().folder, "small");
  mkdirSync(folder);
  if (!mountSmallDisk(folder, 64 * MIB)) {
    return skip(CANNOT_MOUNT);
  }
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
  if (!mountSmallDisk(folder, 128 * MIB)) {
    return skip(CANNOT_MOUNT);
  }
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
    if (status === 200) {
      acknowledged.push(...batch);
    } else {
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
    if (!isRunning(postgres())) {
      startAgain(postgres());
    }
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
    .poll(() => daemon.call("append", { drafts: [lost] }), PATIENCE)
    .toMatchObject({ status: 503 });
  await expect.poll(() => daemon.health(), PATIENCE).toBe(503);
  const stored = await texts(store);
  const answer = await daemon.call("append", { drafts: [after] });
  expect(answer).toEqual({ status: 503, body: refused("read_only", /primary/) });
  const said = await daemon.mcp("record_event", { kind: "message", content: { text: "x" } });
  expect(said).toMatch(/error read_only.*fix: Use the primary/s);
  await expect(store.purge({ text: "before" })).rejects.toMatchObject({ code: "read_only" });
  expect(await texts(store)).toEqual(stored);
  expect(await daemon.mcp("build_acb", { query: "before" })).toContain("before");
  await writable();
  await expect
    .poll(() => daemon.call("append", { drafts: [after] }), PATIENCE)
    .toMatchObject({ status: 200 });
  expect(await texts(store)).toContain("after");
  await expect.poll(() => daemon.health(), PATIENCE).toBe(200);
  expect(daemon.isAlive()).toBe(true);
});

it("out of connections: callers are told, and served as soon as there is one", async () => {
  const daemon = await served(postgres());
  await daemon.store.append([message("before", 0, { origin: "before" })]);
  const others = testPool(postgres(), "owner", daemon.database, { max: 100 });
  const taken: { release(isBroken: boolean): void }[] = [];
  const takeAll = async () => {
    for (;;) {
      taken.push(await others.connect());
    }
  };
  const giveBack = () => {
    for (const connection of taken.splice(0)) {
      connection.release(true);
    }
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
  await expect.poll(withoutPlace, PATIENCE).toEqual([told, 503]);
  giveBack();
  await daemon.store.append(after);
  expect(await texts(daemon.store)).toEqual(["before", "after"]);
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
  for (const { status, body } of answers) {
    if (status !== 200) {
      expect(body).toEqual(refused("database_unreachable", /call again with less at once/));
    }
  }
  expect((await texts(daemon.store)).sort()).toEqual(stored.sort());
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
  if (uid === process.getuid?.()) {
    chownSync(folder, uid, gid);
  } else {
    execFileSync("chown", ["-R", `${uid}:${gid}`, folder]);
  }
}

function isRunning({ folder, run }: Postgres): boolean {
  try {
    return run("pg_ctl", "status", "-D", join(folder, "data")) !== "";
  } catch {
    return false;
  }
}
