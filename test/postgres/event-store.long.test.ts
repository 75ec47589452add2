/**
 * The store on PostgreSQL fulfils the contract of event stores: on PostgreSQL 18, and behind a daemon on the installed version. Each test's
 * session log is a tenant of one database.
 */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { all, describeEventStore, message, NOON } from "../contracts/event-store.ts";
import { daemonOver } from "../support/daemon.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { onPostgres18 } from "../support/postgres-18.ts";
import { asAdmin, migratedDatabase } from "../support/postgres-server.ts";

const DAY_MS = 24 * 60 * 60_000;
const MONTH_LATER = NOON + 30 * DAY_MS;

const CALLS =
  "select coalesce(sum(calls), 0)::int as calls from pg_stat_user_functions where funcname = any ($1)";

/** The session log of a new tenant. */
function storeIn(pool: pg.Pool, now = NOON): EventStore {
  const identity = { tenant: randomUUID(), owner: "jo", channel: "private" } as const;
  const redactor = eventRedactor();
  return postgresEventStore({ pool, redactor, now: () => now, ...identity });
}

describe("over a daemon", () => {
  const postgres = postgresOfFile();
  let database = "";
  beforeAll(async () => {
    database = await migratedDatabase(postgres());
  });

  describeEventStore("the store over a daemon", async (redactor = eventRedactor()) => {
    let clock = NOON;
    const daemon = await daemonOver(postgres(), database, { now: () => clock, redactor });
    const token = await daemon.token({ tenant: randomUUID() });
    const open = () => remoteEventStore({ url: daemon.url, token, redactor });
    return {
      store: open(),
      again: open,
      setClock: (now) => {
        clock = now;
      },
    };
  });
});

onPostgres18((postgres) => {
  let database = "";
  beforeAll(async () => {
    database = await migratedDatabase(postgres());
  });

  it("answers a known key with what is stored, and with nothing where that is hidden from its token; what is from far ahead is from now", async () => {
    const pool = testPool(postgres(), "daemon", database);
    const whole = {
      tenant: randomUUID(),
      owner: "jo",
      redactor: eventRedactor(),
      now: () => NOON,
    } as const;
    const store = postgresEventStore({ pool, ...whole, channel: "private" });
    const said = (text: string, minutes: number, more: object) =>
      message(text, minutes, { origin: "1", ...more });
    const [first] = await store.append([said("first", 0, {})]);
    const later = [
      said("second", 1, { channel: "team" }),
      message("other", 2),
      said("third", 3, {}),
    ];
    expect(await store.append(later)).toEqual([
      first,
      expect.objectContaining({ content: { text: "other" } }),
      first,
    ]);
    const ofTeam = postgresEventStore({ pool, ...whole, channel: "team" });
    expect(await ofTeam.append([said("second", 1, { channel: "team" })])).toEqual([undefined]);
    const [moved] = await store.append([said("earlier", -1, {})]);
    expect(await store.find([first?.id ?? ""])).toEqual([moved]);
    const ahead = message("ahead", 24 * 60 + 1);
    const times = (await store.append([message("in time", 24 * 60), ahead])).map(
      (event) => event?.ts,
    );
    expect(times).toEqual([NOON + DAY_MS, NOON].map((ms) => new Date(ms).toISOString()));
  });

  it("removes thousands of expired events, also before the database has counted them", async () => {
    const pool = testPool(postgres(), "daemon", await migratedDatabase(postgres()));
    const store = storeIn(pool);
    const ts = new Date(NOON - 60 * DAY_MS).toISOString();
    for (let from = 0; from < 12_000; from += 500) {
      const drafts = Array.from({ length: 500 }, (_, at) => message(`old ${from + at}`, 0, { ts }));
      await store.append(drafts);
    }
    await store.append([message("new")]);
    const limits = { eventsDays: 30, artifactsDays: 30, artifactsBytes: 1e9 };
    expect(await store.retain(limits)).toMatchObject({ events: 12_000 });
    expect((await all(store)).map(({ content }) => content.text)).toEqual(["new"]);
  });

  it("keeps events of any time in their order, and finds each", async () => {
    const pool = testPool(postgres(), "daemon", database);
    const store = storeIn(pool, Date.parse("9999-12-31T23:59:59Z"));
    const times = [
      "1970-01-01T00:00:00.000Z",
      "2026-11-30T23:59:59.999Z",
      "9999-12-31T23:59:59.999Z",
    ];
    await store.append(times.map((ts) => message(ts, 0, { ts })));
    const events = await all(store);
    expect(events.map(({ ts }) => ts)).toEqual(times);
    expect(await store.find(events.map(({ id }) => id))).toEqual(events);
    expect(await all(store, { newestFirst: true })).toEqual(events.toReversed());
  });

  it("leaves the most common words out of a long query, and finds each of them alone", async () => {
    const pool = testPool(postgres(), "daemon", database);
    const store = storeIn(pool, MONTH_LATER);
    const said = (at: number) =>
      `alpha beta gamma ${at % 2 === 0 ? "delta epsilon" : "the quick door"}${at === 7 ? " zebra" : ""}`;
    await store.append(Array.from({ length: 3_200 }, (_, at) => message(said(at), at)));
    const first = await store.search({ text: "alpha beta gamma delta zebra", limit: 20 });
    expect([first.hits[0]?.event.content.text, first.isCut]).toEqual([said(7), true]);
    const gamma = await store.search({ text: "gamma", limit: 20 });
    expect([gamma.hits.length, gamma.isCut]).toEqual([20, false]);
  });

  it("finds the newest chunks where too many hold a word", async () => {
    const pool = testPool(postgres(), "daemon", database);
    const store = storeIn(pool, MONTH_LATER);
    const drafts = Array.from({ length: 10_200 }, (_, at) => message("ubiquitous", at));
    // The oldest are stored last, as a past is that somebody imports.
    await store.append(drafts.toReversed());
    const first = await store.search({ text: "ubiquitous", limit: 5 });
    // What stands beside these counts, too: the last two have less of it.
    const newest = new Set(drafts.slice(-12).map(({ ts }) => ts));
    const older = first.hits.filter(({ event }) => !newest.has(event.ts));
    expect([first.hits.length, older, first.isCut]).toEqual([5, [], true]);
  });

  it("asks the database once for what all events of a batch have in common", async () => {
    await asAdmin(postgres(), "alter role daemon set track_functions = 'all'");
    onTestFinished(() => asAdmin(postgres(), "alter role daemon reset track_functions"));
    const database = await migratedDatabase(postgres());
    const pool = testPool(postgres(), "daemon", database, { max: 1 });
    const store = storeIn(pool);
    const calls = async (...names: readonly string[]) => {
      await pool.query("select pg_stat_force_next_flush()");
      const { rows } = await pool.query<{ calls: number }>(CALLS, [names]);
      return rows[0]?.calls;
    };
    await store.append(
      Array.from({ length: 50 }, (_, at) => message(`event ${at}`, at, { session: `s${at % 2}` })),
    );
    expect(await calls("is_foreign")).toBe(2);
    // PostgreSQL counts a call of SQL only where it could not put the function's text in its place.
    expect(await calls("write_lock", "session_hash")).toBe(0);
  });

  describeEventStore("the store on PostgreSQL", async (redactor = eventRedactor()) => {
    const pool = testPool(postgres(), "daemon", database);
    const tenant = randomUUID();
    let clock = NOON;
    const open = () =>
      postgresEventStore({
        pool,
        tenant,
        owner: "jo",
        channel: "private",
        redactor,
        now: () => clock,
      });
    return {
      store: open(),
      again: open,
      setClock: (now) => {
        clock = now;
      },
    };
  });
});
