/** Searches of one session log on PostgreSQL and in files: the same hits in the same order, as far down as anybody asks. */
import { expect, it } from "vitest";
import { PostgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { DAY_MS } from "../../src/ground/core/time.ts";
import { JsonlEventStore } from "../../src/sessions/files/store.ts";
import { NOON } from "../contracts/event-store.ts";
import { testFolder } from "../support/in-test.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { seeded } from "../support/random.ts";
import { randomEvent, randomQuery } from "../support/talk.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const postgres = postgresOfFile();
const EVENTS = 1_500;
const QUERIES = 80;
const HITS = 200;
const DAYS = 20;

it("many queries of long talk in three languages have the same hits, scores and neighbours", async () => {
  const random = seeded("as in files");
  const drafts = Array.from({ length: EVENTS }, (_, at) =>
    randomEvent(random, at, { from: NOON, days: DAYS }),
  );
  // After all of them: a daemon believes no time that is more than a day ahead.
  const parts = { redactor: UNREDACTED, now: () => NOON + DAYS * DAY_MS };
  const pool = testPool(postgres(), "daemon", await migratedDatabase(postgres()));
  const onPostgres = new PostgresEventStore({
    pool,
    tenant: "acme",
    owner: "ann",
    channel: "private",
    ...parts,
  });
  const inFiles = new JsonlEventStore({ folder: testFolder(), ...parts });
  for (const store of [onPostgres, inFiles]) {
    await store.append(drafts);
    while (await store.prepareSearch());
  }
  let hits = 0;
  for (let asked = 0; asked < QUERIES; asked++) {
    const query = { text: randomQuery(random), limit: HITS, withNeighbours: true };
    const [one, other] = [await onPostgres.search(query), await inFiles.search(query)];
    // No word is in more chunks than are read of one at most, so each search is of the whole record.
    expect(one.isCut, query.text).toBe(false);
    expect(one.hits, query.text).toEqual(other.hits);
    hits += one.hits.length;
  }
  expect(hits).toBeGreaterThan(50 * QUERIES);
});
