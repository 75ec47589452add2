/** Writers, purges and readers that use one session log at the same time. */
import type pg from "pg";
import { beforeAll, expect, it } from "vitest";
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { all, message, NOON } from "../contracts/event-store.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const postgres = postgresOfFile();
let database = "";
beforeAll(async () => {
  database = await migratedDatabase(postgres());
});

const DAY_MS = 24 * 60 * 60_000;
const WRITERS = 8;

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

it("an origin that many connections append at once is stored once", async () => {
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

it("a session that is purged while others append to it is left empty, in any order", async () => {
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

it("a window contains the reader's own events, however many others record for the team", async () => {
  const pool = testPool(postgres(), "daemon", database);
  const [reader, writer] = [open("crowd", "reader", pool), open("crowd", "writer", pool)];
  await reader.append([
    message("mine", -60, { session: "mine" }),
    message("mine", -60, { session: "decided", kind: "decision", content: { decision: "mine" } }),
  ]);
  for (let batch = 0; batch < 5; batch++) {
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
  }
  for (const window of ["recent", "ledger"] as const) {
    const told = await reader.brief(window);
    const sessions = new Set(told.map(({ session }) => session));
    expect(sessions, window).toContain("decided");
    expect(sessions.size, window).toBeGreaterThan(1);
    expect(told.length, window).toBeLessThan(2_100);
  }
});
