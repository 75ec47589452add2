/** A database that is stopping, asks for a password or gives up a statement: what is said of it, and that mistakes of ours are not its. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { message, NOON } from "../contracts/event-store.ts";
import { testProject } from "../support/in-test.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asAdmin, migratedDatabase, startAgain } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const postgres = postgresOfFile();
let database = "";
beforeAll(async () => {
  database = await migratedDatabase(postgres());
});

function open(tenant: string): EventStore {
  const pool = testPool(postgres(), "daemon", database);
  const identity = { tenant, owner: "ann", channel: "private" } as const;
  return postgresEventStore({ pool, ...identity, redactor: UNREDACTED, now: () => NOON });
}

it("that is stopping is said to be, and to be called again", async () => {
  const { folder, run } = postgres();
  const holder = testPool(postgres(), "admin", "postgres", { max: 1 });
  const held = await holder.connect();
  // It takes no new connections, and ends with the last that there is.
  run("pg_ctl", "stop", "--no-wait", "-s", "-m", "smart", "-D", join(folder, "data"));
  const stopping = {
    code: "database_unreachable",
    fix: expect.stringMatching(/starting or stopping: call again/),
  };
  await expect(open("stopping").append([message("lost")])).rejects.toMatchObject(stopping);
  held.release(true);
  await expect
    .poll(() => existsSync(join(folder, "data", "postmaster.pid")), { timeout: 60_000 })
    .toBe(false);
  startAgain(postgres());
  expect(await open("stopping").append([message("after")])).toHaveLength(1);
});

it("that asks for a password, where the address has none, is said to do so, with where it belongs", async () => {
  const { folder, port, run } = postgres();
  const rules = join(folder, "data", "pg_hba.conf");
  await asAdmin(postgres(), "create role guarded login password 'sesame'");
  writeFileSync(
    rules,
    `host all guarded 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, "utf8")}`,
  );
  run("pg_ctl", "reload", "-s", "-D", join(folder, "data"));
  const url = (role: string) => `postgres://${role}@127.0.0.1:${port}/${database}`;
  const project = await testProject();
  const list = (role: string) =>
    project.run("daemon", "tenant", "list", "--database-url", url(role));
  expect((await list("guarded")).stderr).toMatch(
    /^error database_unreachable: .*asks for the role's password, and none was given\.\nfix: .*ROLE:PASSWORD@HOST/,
  );
  expect(
    (await list("guarded:sesame")).stderr,
    "the role may not, and that is another matter",
  ).toContain("role_refused");
});

it("is not blamed for a mistake of ours", async () => {
  const redactor = () => {
    throw new TypeError("a mistake");
  };
  const pool = testPool(postgres(), "daemon", database);
  const identity = { tenant: "ours", owner: "ann", channel: "private" } as const;
  const store = postgresEventStore({ pool, ...identity, redactor, now: () => NOON });
  await expect(store.append([message("x")])).rejects.toThrow(TypeError);
});

it("that gives up a statement says so, and to call again", async () => {
  const holder = await testPool(postgres(), "owner", database, { max: 1 }).connect();
  await holder.query("begin; lock table sentinel.purged in access exclusive mode");
  const pool = testPool(postgres(), "daemon", database, { lock_timeout: 100 });
  const identity = { tenant: "locked", owner: "ann", channel: "private" } as const;
  const store = postgresEventStore({
    pool,
    ...identity,
    redactor: UNREDACTED,
    now: () => NOON,
  });
  await expect(store.append([message("x")])).rejects.toMatchObject({
    code: "cancelled",
    fix: "Call again.",
  });
  await holder.query("rollback");
  holder.release();
  expect(await store.append([message("x")])).toHaveLength(1);
});
