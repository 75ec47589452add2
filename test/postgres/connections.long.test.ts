/** What one reader's transaction leaves on a connection for the next caller: nothing, however it ended. */
import type pg from "pg";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Database, type Query } from "../../src/daemon/postgres/database.ts";
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { message, NOON } from "../contracts/event-store.ts";
import { recordTablesOf } from "../support/catalogue.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";
import { until } from "../support/wait.ts";

const postgres = postgresOfFile();
const ANN = { tenant: "acme", owner: "ann", channel: "private" } as const;
const LONG = "a line of the output\n".repeat(1_000);
let database = "";
let tables: string[] = [];
beforeAll(async () => {
  database = await migratedDatabase(postgres());
});

/** The one connection, which every test begins with rows that ann can read, in every table. */
let pool: pg.Pool;
beforeEach(async () => {
  pool = testPool(postgres(), "daemon", database, { max: 1 });
  const store = postgresEventStore({ pool, ...ANN, redactor: UNREDACTED, now: () => NOON });
  await store.append([
    message("the red door", 0, { origin: "1" }),
    message(LONG, 1, { origin: "2" }),
  ]);
  await store.append([message("gone", 2)]);
  await store.purge({ text: "gone" });
  tables = await recordTablesOf(pool);
});

/** The tables of which a statement sees a row. */
async function seenBy(query: Query): Promise<string[]> {
  const seen: string[] = [];
  for (const table of tables) {
    if ((await query(`select from sentinel.${table} limit 1`)).length > 0) {
      seen.push(table);
    }
  }
  return seen;
}

/** What somebody sees who comes next and does not say who it is. */
const seenNext = () => seenBy(async (sql) => (await pool.query(sql)).rows);
const connection = async () =>
  (await pool.query("select pg_backend_pid() as pid")).rows[0].pid as number;

/** Cancels the statement that a connection runs, as an operator does, once it runs. */
async function cancel(pid: number): Promise<void> {
  const admin = testPool(postgres(), "admin", database, { max: 1 });
  const sleeps = "select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'";
  await until(async () => (await admin.query(sleeps, [pid])).rowCount !== 0);
  await admin.query("select pg_cancel_backend($1)", [pid]);
}

/** How a transaction ends. */
const ENDS: Readonly<Record<string, (query: Query, pid: number) => Promise<unknown>>> = {
  "as it should": async () => "done",
  "by an error of the database": (query) => query("select 1 / 0"),
  "by an error of ours": () => Promise.reject(new Error("ours")),
  "by a statement that was cancelled": (query, pid) =>
    Promise.all([query("select pg_sleep(600)"), cancel(pid)]),
  "by a statement that took too long": async (query) => {
    await query("set local statement_timeout = 50");
    await query("select pg_sleep(600)");
  },
};

describe.each(["reading", "writing"] as const)("a connection that was used for %s", (how) => {
  it.each(Object.entries(ENDS))(
    "whose transaction ended %s shows no row to who comes next",
    async (end, act) => {
      const ann = new Database(pool, ANN);
      const pid = await connection();
      let seen: string[] = [];
      const [ended] = await Promise.allSettled([
        ann[how](async (query) => {
          seen = await seenBy(query);
          return act(query, pid);
        }),
      ]);
      expect(ended.status).toBe(end === "as it should" ? "fulfilled" : "rejected");
      expect(seen).toEqual(tables);
      expect(await seenNext()).toEqual([]);
      expect(await connection()).toBe(pid);
      const left = await pool.query(
        "select name, setting from unnest($1::text[]) as name, coalesce(current_setting('sentinel.' || name, true), '') as setting",
        [Object.keys(ANN)],
      );
      expect(left.rows).toEqual(Object.keys(ANN).map((name) => ({ name, setting: "" })));
      // The tenant alone is not enough.
      await pool.query("select set_config('sentinel.tenant', $1, false)", [ANN.tenant]);
      expect(await seenNext()).toEqual([]);
    },
  );
});
