/** The store on PostgreSQL does what every store of events does. Each session log of a test is a tenant of one database. */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { PostgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { describeEventStore, message, NOON } from "../contracts/event-store.ts";
import { testPool } from "../support/postgres.ts";
import { onEachPostgres } from "../support/postgres-18.ts";
import { migratedDatabase, type Postgres } from "../support/postgres-server.ts";

onEachPostgres(describeStoreOn);

function describeStoreOn(postgres: () => Postgres): void {
  let database = "";
  beforeAll(async () => {
    database = await migratedDatabase(postgres());
  });

  it("leaves the most common words out of a long query, and finds each of them alone", async () => {
    const pool = testPool(postgres(), "daemon", database);
    const whole = { tenant: randomUUID(), owner: "jo", channel: "private", redactor: eventRedactor() } as const;
    const store = new PostgresEventStore({ pool, ...whole, now: () => NOON });
    const said = (at: number) =>
      `alpha beta gamma ${at % 2 === 0 ? "delta epsilon" : "the quick door"}${at === 7 ? " zebra" : ""}`;
    await store.append(Array.from({ length: 3_200 }, (_, at) => message(said(at), at)));
    const first = await store.search({ text: "alpha beta gamma delta zebra", limit: 20 });
    expect([first.hits[0]?.event.content.text, first.limits]).toEqual([said(7), ["terms"]]);
    // What it learned of them changes no answer.
    expect(await store.search({ text: "alpha beta gamma delta zebra", limit: 20 })).toEqual(first);
    const gamma = await store.search({ text: "gamma", limit: 20 });
    expect([gamma.hits.length, gamma.limits]).toEqual([20, []]);
  });

  it("finds the newest chunks where too many hold a word", async () => {
    const pool = testPool(postgres(), "daemon", database);
    const whole = { tenant: randomUUID(), owner: "jo", channel: "private", redactor: eventRedactor() } as const;
    const store = new PostgresEventStore({ pool, ...whole, now: () => NOON });
    const drafts = Array.from({ length: 10_200 }, (_, at) => message("ubiquitous", at));
    // The oldest are stored last, as a past is that somebody imports.
    await store.append(drafts.toReversed());
    const first = await store.search({ text: "ubiquitous", limit: 5 });
    // What stands beside these counts, too: the last two have less of it.
    const newest = new Set(drafts.slice(-12).map(({ ts }) => ts));
    const older = first.hits.filter(({ event }) => !newest.has(event.ts));
    expect([first.hits.length, older, first.limits]).toEqual([5, [], ["terms"]]);
    // What it learned of the word changes no answer.
    for (let again = 0; again < 2; again++) expect(await store.search({ text: "ubiquitous", limit: 5 })).toEqual(first);
  });

  it("knows when a word that was common has become rare, and one that it knew more common than it was", async () => {
    const pool = testPool(postgres(), "daemon", database);
    const whole = { tenant: randomUUID(), owner: "jo", channel: "private", redactor: eventRedactor() } as const;
    const open = () => new PostgresEventStore({ pool, ...whole, now: () => NOON });
    const [store, other] = [open(), open()];
    const said = (at: number) => `${at % 5 === 0 ? "alpha" : "beta"} gamma${at === 7 ? " zebra" : ""}`;
    const drafts = (from: number, to: number, more: object = {}) =>
      Array.from({ length: to - from }, (_, at) => message(said(from + at), from + at, more));
    const query = { text: "alpha gamma zebra", limit: 20 };
    const isAsForOneThatKnowsNothing = async () =>
      expect(await store.search(query)).toEqual(await open().search(query));
    await other.append(drafts(0, 5_000));
    await isAsForOneThatKnowsNothing();
    await other.append(drafts(5_000, 10_200, { session: "going" }));
    await isAsForOneThatKnowsNothing();
    expect((await store.search(query)).limits).toEqual(["terms"]);
    await other.purge({ session: "going" });
    await isAsForOneThatKnowsNothing();
    expect((await store.search(query)).limits).toEqual([]);
  });

  describeEventStore("the store on PostgreSQL", async (redactor = eventRedactor()) => {
    const pool = testPool(postgres(), "daemon", database);
    const tenant = randomUUID();
    let clock = NOON;
    const open = () =>
      new PostgresEventStore({ pool, tenant, owner: "jo", channel: "private", redactor, now: () => clock });
    return {
      store: open(),
      again: open,
      setClock: (now) => {
        clock = now;
      },
    };
  });
}
