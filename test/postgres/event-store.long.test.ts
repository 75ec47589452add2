/** The store on PostgreSQL does what every store of events does. Each record of a test is a tenant of one database. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { eventRedactor } from "../../src/events/redactor.ts";
import { PostgresEventStore } from "../../src/postgres/event-store.ts";
import { describeEventStore, NOON } from "../contracts/event-store.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { postgres18 } from "../support/postgres-18.ts";
import { migratedDatabase, type Postgres } from "../support/postgres-server.ts";

describe("the PostgreSQL that is installed", () => {
  describeStoreOn(postgresOfFile());
});

describe("PostgreSQL 18", () => {
  const postgres = postgres18();
  it("is the version that runs", async () => {
    const { rows } = await testPool(postgres(), "admin", "postgres").query("show server_version");
    expect(rows).toEqual([{ server_version: expect.stringMatching(/^18\b/) }]);
  });
  describeStoreOn(postgres);
});

function describeStoreOn(postgres: () => Postgres): void {
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
}
