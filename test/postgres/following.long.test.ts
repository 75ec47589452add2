/** Windows on a log into which many write at once, and what writers and purges do to each other. */
import type pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { all, message, NOON } from "../contracts/event-store.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asAdmin, migratedDatabase } from "../support/postgres-server.ts";
import { seeded } from "../support/random.ts";
import { UNREDACTED } from "../support/unredacted.ts";
import { holdsFor } from "../support/wait.ts";

const postgres = postgresOfFile();
let database = "";
beforeAll(async () => {
  database = await migratedDatabase(postgres());
});

const DAY_MS = 24 * 60 * 60_000;
const WRITERS = 8;
const CALLS = 125;

function open(tenant: string, owner: string, pool: pg.Pool): EventStore {
  return postgresEventStore({
    pool,
    tenant,
    owner,
    channel: "private",
    redactor: UNREDACTED,
    now: () => NOON + DAY_MS,
  });
}

/** A pool whose transactions end some time after their statement. */
function slowPool(pool: pg.Pool, random: () => number): pg.Pool {
  const query = async (sql: string, values: unknown[]) => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      const result = await client.query(sql, values);
      await holdsFor(random() * 10, () => true);
      await client.query("commit");
      return result;
    } finally {
      client.release();
    }
  };
  return { query, connect: () => pool.connect() } as pg.Pool;
}

describe("a window that is read while others write", () => {
  it(`has each of ${WRITERS * CALLS + 1} sessions in the end, also of who wrote first and ended last`, async () => {
    const random = seeded("following");
    const pool = testPool(postgres(), "daemon", database, { max: WRITERS + 3 });
    // Numbered first and stored after others were read.
    const held = await pool.connect();
    await held.query("begin");
    const late = {
      query: held.query.bind(held),
      connect: () => pool.connect(),
    } as unknown as pg.Pool;
    await open("many", "late", late).append([message("late", 0, { channel: "team" })]);
    const write = async (writer: number) => {
      const store = open("many", `writer ${writer}`, slowPool(pool, random));
      for (let call = 0; call < CALLS; call++)
        await store.append([
          message("hello", call, {
            origin: `${writer} ${call}`,
            channel: "team",
            session: `s${writer} ${call}`,
          }),
        ]);
    };
    let isWriting = true;
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, at) => write(at))).finally(
      () => {
        isWriting = false;
      },
    );
    const reader = open("many", "reader", pool);
    const lengths: number[] = [];
    while (isWriting) lengths.push((await reader.brief("recent")).length);
    await writing;
    expect((await reader.brief("recent")).length).toBe(WRITERS * CALLS);
    await held.query("commit");
    held.release();
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    const told = await reader.brief("recent");
    expect(new Set(told.map(({ id }) => id)).size).toBe(WRITERS * CALLS + 1);
    expect(told).toEqual(await open("many", "reader", pool).brief("recent"));
  });
});

describe("at once", () => {
  it("the same origins from many connections are one event each", async () => {
    const pool = testPool(postgres(), "daemon", database, { max: WRITERS });
    const drafts = Array.from({ length: 100 }, (_, at) =>
      message(`event ${at}`, at, { origin: `line ${at}` }),
    );
    const stores = Array.from({ length: WRITERS }, () => open("same", "ann", pool));
    await Promise.all(
      stores.map((store, at) => store.append(at % 2 === 0 ? drafts : drafts.toReversed())),
    );
    const store = open("same", "ann", pool);
    expect(await all(store)).toHaveLength(100);
    expect((await store.statistics()).indexed).toEqual({ chunks: 100, missingBytes: 0 });
  });

  it("a purge of a session and appends to it leave nothing of it, in any order", async () => {
    const pool = testPool(postgres(), "daemon", database, { max: WRITERS });
    for (let round = 0; round < 20; round++) {
      const [store, writer] = [
        open("purged", `ann ${round}`, pool),
        open("purged", `ann ${round}`, pool),
      ];
      await store.append([message("first", 0, { origin: "0" })]);
      const later = Array.from({ length: 6 }, (_, at) =>
        writer.append([message(`later ${at}`, at + 1, { origin: `${at + 1}` })]),
      );
      const [purged] = await Promise.all([store.purge({ session: "s1" }), ...later]);
      expect(purged.events).toBeGreaterThan(0);
      expect(await all(store)).toEqual([]);
      expect((await store.statistics()).indexed.chunks).toBe(0);
    }
  });

  it("events that move to an earlier day are counted once, and a window has them there", async () => {
    const store = open("earlier", "ann", testPool(postgres(), "daemon", database));
    await store.append([message("late", 24 * 60, { origin: "1" }), message("stays", 24 * 60 + 1)]);
    const told = async () =>
      (await store.brief("recent")).map(({ ts, content }) => [ts.slice(0, 10), content.text]);
    expect(await told()).toHaveLength(2);
    await store.append([message("late", 0, { origin: "1" })]);
    expect(await told()).toEqual([
      ["2026-11-21", "late"],
      ["2026-11-22", "stays"],
    ]);
    expect(await store.statistics()).toMatchObject({ events: 2, indexed: { chunks: 2 } });
  });
});

describe("a window", () => {
  it("is that of the database which is there now, also where another one takes its place", async () => {
    const [first, second] = [
      await migratedDatabase(postgres()),
      await migratedDatabase(postgres()),
    ];
    const store = open("moved", "jo", testPool(postgres(), "daemon", first));
    const decided = (decision: string) =>
      message(decision, 0, { kind: "decision", content: { decision } });
    await store.append([decided("before")]);
    expect(await store.brief("recent")).toHaveLength(1);
    // Both count transactions from the same number on, and the second one has gone further.
    await open("moved", "jo", testPool(postgres(), "daemon", second)).append([decided("after")]);
    await asAdmin(
      postgres(),
      `select pg_terminate_backend(pid) from pg_stat_activity where datname in ('${first}', '${second}')`,
      `alter database "${first}" rename to "${first}_old"`,
      `alter database "${second}" rename to "${first}"`,
    );
    const decisions = async () =>
      (await store.brief("recent")).map(({ content }) => content.decision);
    await expect.poll(decisions, { timeout: 20_000 }).toEqual(["after"]);
  });

  it("has the reader's own events, however many others record for the team", async () => {
    const pool = testPool(postgres(), "daemon", database);
    const [reader, writer] = [open("crowd", "reader", pool), open("crowd", "writer", pool)];
    await reader.append([
      message("mine", -60, { session: "mine" }),
      message("mine", -60, { session: "decided", kind: "decision", content: { decision: "mine" } }),
    ]);
    for (let batch = 0; batch < 5; batch++)
      await writer.append(
        Array.from({ length: 500 }, (_, at) =>
          message("hello", at, {
            origin: `${batch} ${at}`,
            channel: "team",
            session: `s${batch}`,
            kind: "decision",
            content: { decision: `${batch} ${at}` },
          }),
        ),
      );
    for (const window of ["recent", "ledger"] as const) {
      const told = await reader.brief(window);
      const sessions = new Set(told.map(({ session }) => session));
      expect(sessions, window).toContain("decided");
      expect(sessions.size, window).toBeGreaterThan(1);
      expect(told.length, window).toBeLessThan(2_100);
    }
  });

  it("shows an append, a purge and a removal in the next call at every daemon", async () => {
    const [one, two] = [
      testPool(postgres(), "daemon", database),
      testPool(postgres(), "daemon", database),
    ];
    const [here, there] = [open("daemons", "ann", one), open("daemons", "bob", two)];
    const told = async (store: EventStore) =>
      (await store.brief("recent")).map(({ content }) => content.decision);
    const decided = (decision: string, minutes: number) =>
      message(decision, minutes, { channel: "team", kind: "decision", content: { decision } });
    for (let round = 0; round < 20; round++) {
      const [event] = await here.append([decided(`round ${round}`, round)]);
      expect(await told(there)).toEqual([`round ${round}`]);
      await here.purge({ ids: [event?.id ?? ""] });
      expect(await told(there)).toEqual([]);
    }
    const owner = testPool(postgres(), "owner", database);
    await here.append([message("kept to herself", 30, { session: "hers" })]);
    expect(await here.brief("recent")).toHaveLength(1);
    await owner.query("select sentinel.remove_person('daemons', 'ann')");
    expect(await here.brief("recent")).toEqual([]);
  });

  it("is what another one reads anew, after events that come late, move, go, and grow old", async () => {
    const pool = testPool(postgres(), "daemon", database);
    let clock = NOON;
    const openAt = () =>
      postgresEventStore({
        pool,
        tenant: "brief",
        owner: "ann",
        channel: "private",
        redactor: UNREDACTED,
        now: () => clock,
      });
    const writer = openAt();
    const following = openAt();
    const expectSame = async (step: string, count: number) => {
      for (const window of ["recent", "ledger"] as const) {
        const anew = await openAt().brief(window);
        expect(await following.brief(window), `${step}, ${window}`).toEqual(anew);
        if (window === "recent") expect(anew.length, step).toBe(count);
      }
    };
    const said = (name: string, minutes = 0) =>
      message(name, minutes, {
        origin: name,
        session: name,
        kind: "decision",
        content: { decision: name },
      });
    await expectSame("nothing", 0);
    await writer.append([said("a"), said("b", 1)]);
    await expectSame("the first", 2);

    // Begun first and ended last: what is stored in between is read before it.
    const client = await pool.connect();
    const late = postgresEventStore({
      pool: {
        query: client.query.bind(client),
        connect: () => pool.connect(),
      } as unknown as pg.Pool,
      tenant: "brief",
      owner: "ann",
      channel: "private",
      redactor: UNREDACTED,
      now: () => clock,
    });
    await client.query("begin");
    await late.append([said("late")]);
    await writer.append([said("in between", 2)]);
    await expectSame("one transaction is open", 3);
    await expectSame("and still is", 3);
    await client.query("commit");
    client.release();
    await expectSame("it has ended", 4);

    await writer.append([said("a", -24 * 60)]);
    await expectSame("one moved to the day before", 4);
    await writer.purge({ session: "b" });
    await expectSame("one was purged", 3);
    await writer.append([said("another", 3)]);
    await expectSame("one after a purge", 4);
    clock = NOON + 13 * 24 * 60 * 60_000;
    await expectSame("thirteen days later", 3);
    clock += 24 * 60 * 60_000;
    await expectSame("fourteen days later", 0);
  });
});
