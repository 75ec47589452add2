/** The store over a daemon on PostgreSQL does what every store of events does. Each session log of a test is a tenant of one database. */
import { randomUUID } from "node:crypto";
import { beforeAll } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { describeEventStore, NOON } from "../contracts/event-store.ts";
import { daemonOver } from "../support/daemon.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";

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
