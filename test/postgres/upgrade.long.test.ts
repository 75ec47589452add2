/** A session log that an earlier schema took, under the last migration: as if it had been stored with it. */
import { expect, it } from "vitest";
import { PostgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { migrate, OUR_MIGRATIONS } from "../../src/daemon/postgres/migrate.ts";
import { type Event, type EventDraft, shortEventId } from "../../src/sessions/kinds/event.ts";
import { artifactsOf } from "../../src/sessions/storing/mentions.ts";
import { all, message, NOON } from "../contracts/event-store.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asOwnerOf, emptyDatabase } from "../support/postgres-server.ts";
import { seeded } from "../support/random.ts";
import { randomEvent, randomQuery } from "../support/talk.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const postgres = postgresOfFile();
const DAY_MINUTES = 24 * 60;
const LONG = "a line of the output with a needle\n".repeat(1_000);

type Person = "ann" | "bob";

/** Sessions of a person in three languages, with what a purge and a retention take out. */
function drafts(person: Person): EventDraft[] {
  const random = seeded("upgrade");
  const all = [
    ...Array.from({ length: 120 }, (_, at) => randomEvent(random, at, { from: NOON, days: 40 })),
    message(LONG, 3, { origin: "long", session: "kept", channel: "team" }),
    message("use the red door", 4, {
      kind: "decision",
      origin: "decided",
      content: { decision: "the red door" },
    }),
    message("purged by its session", 5, { origin: "gone 1", session: "purged" }),
    message("purged by its bluebird", 6, { origin: "gone 2" }),
    message("over its time", -400 * DAY_MINUTES, { origin: "old" }),
  ];
  return all.map((draft) => ({ ...draft, session: ofPerson(person, draft.session) }));
}

/** A session is of one person. */
const ofPerson = (person: Person, session: string) => `${session} of ${person}`;

interface Record {
  readonly ann: PostgresEventStore;
  readonly bob: PostgresEventStore;
}

/** A database with the first migrations. @param migrations as many as there are then. */
async function databaseWith(migrations: typeof OUR_MIGRATIONS): Promise<string> {
  const database = await emptyDatabase(postgres());
  expect(await migrate(testPool(postgres(), "owner", database), "do it", migrations)).toHaveLength(
    migrations.length,
  );
  await asOwnerOf(postgres(), database, "grant sentinel_app to daemon");
  return database;
}

/** Only by what writes: what reads may need the migration that is missing. */
async function filled(database: string): Promise<Record> {
  const pool = testPool(postgres(), "daemon", database);
  const open = (owner: Person) =>
    new PostgresEventStore({
      pool,
      tenant: "acme",
      owner,
      channel: "private",
      redactor: UNREDACTED,
      now: () => NOON + 40 * DAY_MINUTES * 60_000,
    });
  const [ann, bob] = [open("ann"), open("bob")];
  for (const [person, store] of [
    ["ann", ann],
    ["bob", bob],
  ] as const) {
    await store.append(drafts(person));
    await store.append(drafts(person).slice(0, 20));
    expect(await store.purge({ session: ofPerson(person, "purged") })).toMatchObject({ events: 1 });
    expect(await store.purge({ text: "bluebird" })).toMatchObject({ events: 1 });
    expect(
      await store.retain({ eventsDays: 300, artifactsDays: 90, artifactsBytes: 1e9 }),
    ).toMatchObject({
      events: 1,
    });
  }
  return { ann, bob };
}

/** What a person is told by all that reads. */
async function toldTo(store: PostgresEventStore, person: Person) {
  const random = seeded("upgrade queries");
  const queries = [
    "needle",
    "red door",
    "커넥션 풀",
    ...Array.from({ length: 20 }, () => randomQuery(random)),
  ];
  const searches = [];
  for (const text of queries)
    searches.push(await store.search({ text, limit: 50, withNeighbours: true }));
  const events = await all(store);
  return {
    events,
    backwards: await all(store, { newestFirst: true, session: ofPerson(person, "s1") }),
    searches,
    found: await store.find(events.flatMap(({ id }, at) => [at % 2 === 0 ? id : shortEventId(id)])),
    recent: await store.brief("recent"),
    ledger: await store.brief("ledger"),
    artifacts: await Promise.all(events.flatMap(artifactsOf).map((id) => store.artifact(id))),
    // In which place of the heap a row came to lie is not the same.
    statistics: { ...(await store.statistics()), bytes: 0 },
    plan: await store.toPurge({ text: "needle" }),
  };
}

it("is read, found, purged and gone on with as one that the whole schema took", async () => {
  const [before, last] = [OUR_MIGRATIONS.slice(0, -1), OUR_MIGRATIONS.at(-1)?.name];
  const database = await databaseWith(before);
  const upgraded = await filled(database);
  expect(await migrate(testPool(postgres(), "owner", database))).toEqual([last]);
  const whole = await filled(await databaseWith(OUR_MIGRATIONS));

  for (const person of ["ann", "bob"] as const) {
    const told = await toldTo(upgraded[person], person);
    expect(told).toEqual(await toldTo(whole[person], person));
    expect(told.events.length).toBeGreaterThan(100);
    expect(told.searches.filter(({ hits }) => hits.length > 0).length).toBeGreaterThan(15);
    expect(told.artifacts).toContain(LONG);
    expect(told.plan).toMatchObject({ events: 1 });
  }

  // What is there is not taken again, and what was purged does not come back; what is over its time may.
  const { ann, bob } = upgraded;
  const [ofAnn, ofBob] = [await own(ann), await own(bob)];
  const later = message("said later", 8, { origin: "gone 3", session: ofPerson("ann", "purged") });
  const again = await ann.append([
    ...drafts("ann"),
    message("brand-new", 9, { origin: "new", session: "new" }),
    later,
  ]);
  expect(again.filter((event) => event === undefined)).toHaveLength(3);
  expect((await own(ann)).length).toBe(ofAnn.length + 2);
  expect((await ann.search({ text: "brand-new" })).hits[0]?.event.origin).toBe("new");
  const long = ofAnn.find(({ origin }) => origin === "long")?.id ?? "";
  expect(await ann.purge({ ids: [long] })).toMatchObject({ events: 1, artifacts: 1 });
  expect((await ann.search({ text: "needle" })).hits.map(({ event }) => event.person)).toEqual([
    "bob",
  ]);
  expect(await ann.purge({ session: ofPerson("ann", "s2") })).toEqual(
    await whole.ann.purge({ session: ofPerson("ann", "s2") }),
  );
  expect(await own(bob)).toEqual(ofBob);
});

async function own(store: PostgresEventStore): Promise<Event[]> {
  return (await all(store)).filter(({ person }) => person === undefined);
}
