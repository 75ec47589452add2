/** A batch asks the database once for what all of its events have in common. */
import { expect, it } from "vitest";
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { message, NOON } from "../contracts/event-store.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asAdmin, migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const postgres = postgresOfFile();
const CALLS =
  "select coalesce(sum(calls), 0)::int as calls from pg_stat_user_functions where funcname = any ($1)";

it("asks whose a session is once for each session of a batch, and plans each lock once", async () => {
  await asAdmin(postgres(), "alter role daemon set track_functions = 'all'");
  const database = await migratedDatabase(postgres());
  const pool = testPool(postgres(), "daemon", database, { max: 1 });
  const identity = { tenant: "t", owner: "jo", channel: "private" } as const;
  const store = postgresEventStore({
    pool,
    ...identity,
    redactor: UNREDACTED,
    now: () => NOON,
  });
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
