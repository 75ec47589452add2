/** The store on PostgreSQL does what every store of events does. Each record of a test is a tenant of one database. */
import { randomUUID } from "node:crypto";
import { beforeAll } from "vitest";
import { eventRedactor } from "../../src/events/redactor.ts";
import { PostgresEventStore } from "../../src/postgres/event-store.ts";
import { describeEventStore, NOON } from "../contracts/event-store.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";

const postgres = postgresOfFile();
let database = "";
beforeAll(async () => {
  database = await migratedDatabase(postgres());
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
