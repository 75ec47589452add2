/** Single events of several persons that come at the same moment go in one transaction; what one of them meets is no other's matter. */
import { beforeEach, expect, it } from "vitest";
import { appendTogether } from "../../src/daemon/postgres/append-together.ts";
import { PostgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { addPerson, removePerson } from "../../src/daemon/postgres/persons.ts";
import { createTenant } from "../../src/daemon/postgres/tenants.ts";
import type { Event, EventDraft } from "../../src/sessions/kinds/event.ts";
import { all, message, NOON } from "../contracts/event-store.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";
import { holdsFor } from "../support/wait.ts";

const postgres = postgresOfFile();
const PERSONS = Array.from({ length: 20 }, (_, at) => `person ${at}`);
const TRANSACTIONS =
  "select count(distinct tx)::int as transactions, count(*)::int as events from sentinel.events";

let database = "";
let stores: readonly PostgresEventStore[] = [];

/** Everybody has said something in a session of their own. */
beforeEach(async () => {
  database = await migratedDatabase(postgres());
  const owner = testPool(postgres(), "owner", database);
  await createTenant(owner, "t");
  for (const person of PERSONS) await addPerson(owner, "t", person);
  const pool = testPool(postgres(), "daemon", database);
  const append = appendTogether(pool);
  stores = PERSONS.map((person) => {
    const identity = { tenant: "t", owner: person, channel: "private" } as const;
    return new PostgresEventStore({
      pool,
      append,
      ...identity,
      redactor: UNREDACTED,
      now: () => NOON,
    });
  });
  for (const [at, store] of stores.entries()) await store.append([said(at, "first")]);
});

const said = (person: number, text: string, more: Partial<EventDraft> = {}): EventDraft =>
  message(`${text} of ${person}`, 1, {
    session: `session of ${person}`,
    channel: "team",
    origin: text,
    ...more,
  });

const appendAll = (drafts: readonly EventDraft[]) =>
  Promise.allSettled(drafts.map((draft, at) => (stores[at] as PostgresEventStore).append([draft])));

async function counted() {
  const { rows } = await testPool(postgres(), "admin", database).query(TRANSACTIONS);
  return rows[0] as { transactions: number; events: number };
}

const textsOf = (events: readonly (Event | undefined)[]) =>
  events.map((event) => event?.content.text);

const ownTexts = async (at: number) =>
  textsOf(
    (await all(stores[at] as PostgresEventStore)).filter(({ person }) => person === undefined),
  );

it("stores events of several persons in few transactions, each as its person's own, and finds them by their words", async () => {
  const before = await counted();
  const answers = await appendAll(PERSONS.map((_, at) => said(at, "zebra")));
  expect(answers.map(({ status }) => status)).toEqual(PERSONS.map(() => "fulfilled"));
  const after = await counted();
  expect(after.events - before.events).toBe(PERSONS.length);
  expect(after.transactions - before.transactions).toBeLessThan(PERSONS.length / 2);
  expect(await ownTexts(7)).toEqual(["first of 7", "zebra of 7"]);
  expect((await stores[7]?.search({ text: "zebra" }))?.hits).not.toEqual([]);
});

it("refuses a person who was removed and a session of somebody else, and stores what the others say", async () => {
  await removePerson(testPool(postgres(), "owner", database), {
    group: "t",
    name: "person 3",
    to: "person 0",
  });
  const drafts = PERSONS.map((_, at) =>
    said(at, "second", at === 5 ? { session: "session of 6" } : {}),
  );
  const answers = await appendAll(drafts);
  const refused = answers.flatMap(({ status }, at) => (status === "rejected" ? [at] : []));
  expect(refused).toEqual([3, 5]);
  expect(answers[3]).toMatchObject({ reason: { code: "unauthorised" } });
  expect(answers[5]).toMatchObject({ reason: { code: "not_allowed" } });
  expect(await ownTexts(4)).toEqual(["first of 4", "second of 4"]);
});

it("answers a key that is known as it is stored, and stores a key that comes twice at once a single time", async () => {
  const store = stores[2] as PostgresEventStore;
  const drafts = [
    said(2, "first", { content: { text: "another" } }),
    said(2, "twice"),
    said(2, "twice"),
    said(2, "new"),
  ];
  const answers = await Promise.all(drafts.map((draft) => store.append([draft])));
  expect(textsOf(answers.flat())).toEqual(["first of 2", "twice of 2", "twice of 2", "new of 2"]);
  expect((await ownTexts(2)).sort()).toEqual(["first of 2", "new of 2", "twice of 2"]);
});

it("takes nothing again that was purged", async () => {
  await stores[4]?.purge({ session: "session of 4" });
  const answers = await appendAll(PERSONS.map((_, at) => said(at, "late")));
  expect(answers[4]).toEqual({ status: "fulfilled", value: [undefined] });
  expect(await ownTexts(5)).toEqual(["first of 5", "late of 5"]);
});

it("lets nobody wait for the purge of one person but this person", async () => {
  const admin = await testPool(postgres(), "admin", database).connect();
  await admin.query("begin; select pg_advisory_xact_lock(sentinel.write_lock('t', 'person 8'))");
  const answers = stores.map((store, at) => store.append([said(at, "meanwhile")]));
  await Promise.all(answers.filter((_, at) => at !== 8));
  let isAnswered = false;
  answers[8]?.then(() => {
    isAnswered = true;
  });
  expect(await holdsFor(20, () => !isAnswered)).toBe(true);
  await admin.query("commit");
  admin.release();
  expect(textsOf((await answers[8]) ?? [])).toEqual(["meanwhile of 8"]);
});
