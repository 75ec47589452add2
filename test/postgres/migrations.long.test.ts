/** Bringing a database up to date: an empty one, one with events, by two at once, and one of a later version. */
import { describe, expect, it } from "vitest";
import { checkRole } from "../../src/daemon/postgres/check-role.ts";
import { PostgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { migrate, OUR_MIGRATIONS } from "../../src/daemon/postgres/migrate.ts";
import { all, message, NOON, texts } from "../contracts/event-store.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asAdmin, emptyDatabase, migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const postgres = postgresOfFile();
const names = OUR_MIGRATIONS.map(({ name }) => name);
const number = (OUR_MIGRATIONS.at(-1)?.number ?? 0) + 1;
const next = {
  number,
  name: "008-later",
  needs: 0,
  sql: "alter table sentinel.events add column later int",
};

describe("a migration", () => {
  it("makes an empty database whole, and another one finds nothing to do", async () => {
    const owner = testPool(postgres(), "owner", await emptyDatabase(postgres()));
    const numbers = OUR_MIGRATIONS.map((one) => one.number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(await migrate(owner, "plan")).toEqual(names);
    expect((await owner.query("select to_regnamespace('sentinel') as schema")).rows).toEqual([
      { schema: null },
    ]);
    expect(await migrate(owner)).toEqual(names);
    expect(await migrate(owner, "plan", [...OUR_MIGRATIONS, next])).toEqual([next.name]);
    expect(await migrate(owner)).toEqual([]);
  });

  it("keeps the events that are there", async () => {
    const database = await migratedDatabase(postgres());
    const [owner, pool] = [
      testPool(postgres(), "owner", database),
      testPool(postgres(), "daemon", database),
    ];
    const identity = { tenant: "t", owner: "jo", channel: "private" } as const;
    const store = new PostgresEventStore({
      pool,
      ...identity,
      redactor: UNREDACTED,
      now: () => NOON,
    });
    await store.append([message("before", 0, { origin: "1" })]);
    const before = await all(store);
    expect(await migrate(owner, "do it", [...OUR_MIGRATIONS, next])).toEqual([next.name]);
    expect(await all(store)).toEqual(before);
    await store.append([message("after", 1), message("before", 0, { origin: "1" })]);
    expect(await texts(store)).toEqual(["before", "after"]);
    expect((await store.search({ text: "before", withNeighbours: true })).hits[0]).toMatchObject({
      event: before[0],
      after: { text: "after" },
    });
  });

  it("is made once when several begin at once", async () => {
    const database = await emptyDatabase(postgres());
    const pools = [1, 2, 3].map(() => testPool(postgres(), "owner", database));
    const applied = await Promise.all(pools.map((pool) => migrate(pool)));
    expect(applied.flat()).toEqual(names);
  });

  it("leaves nothing of itself where it fails", async () => {
    const owner = testPool(postgres(), "owner", await emptyDatabase(postgres()));
    const broken = { ...next, sql: "create table sentinel.half (); select nothing" };
    await expect(migrate(owner, "do it", [...OUR_MIGRATIONS, broken])).rejects.toMatchObject({
      code: "schema_outdated",
    });
    const { rows } = await owner.query("select to_regnamespace('sentinel') as schema");
    expect(rows).toEqual([{ schema: null }]);
    expect(await migrate(owner)).toEqual(names);
  });

  it("refuses by name the schema of a later version that takes away what this one uses, and so does a process that would work with it", async () => {
    const database = await migratedDatabase(postgres());
    const [owner, daemon] = [
      testPool(postgres(), "owner", database),
      testPool(postgres(), "daemon", database),
    ];
    await checkRole(daemon);
    // What only adds leaves those that run alone, and nothing has to be taken back to go back.
    await migrate(owner, "do it", [...OUR_MIGRATIONS, next]);
    expect(await migrate(owner)).toEqual([]);
    await checkRole(daemon);
    const contract = {
      number: number + 1,
      name: "009-without-later",
      needs: number,
      sql: "select 1",
    };
    await migrate(owner, "do it", [...OUR_MIGRATIONS, next, contract]);
    const refused = {
      code: "newer_format",
      message: expect.stringContaining("(009-without-later)"),
    };
    await expect(migrate(owner)).rejects.toMatchObject(refused);
    await expect(checkRole(daemon)).rejects.toMatchObject(refused);
  });

  it("that was not made is named", async () => {
    const database = await emptyDatabase(postgres());
    const pool = testPool(postgres(), "daemon", database);
    await expect(checkRole(pool)).rejects.toMatchObject({ code: "schema_outdated" });
    await migrate(
      testPool(postgres(), "owner", database),
      "do it",
      OUR_MIGRATIONS.slice(0, -1),
    ).catch(() => undefined);
    await expect(checkRole(pool)).rejects.toMatchObject({
      code: expect.stringMatching(/schema_outdated|role_refused/),
    });
  });
});

describe("a role", () => {
  it("is refused that no policy holds for: a superuser, one with BYPASSRLS, the owner, its members and those of the functions", async () => {
    const database = await migratedDatabase(postgres());
    await asAdmin(
      postgres(),
      "create role sees_all login bypassrls in role sentinel_app",
      "create role of_owner login in role sentinel_app, owner",
      "create role of_functions login in role sentinel_app, sentinel_functions",
      "create role of_admin login in role sentinel_app, admin",
      "create role nobody_s login",
    );
    for (const name of [
      "admin",
      "sees_all",
      "owner",
      "of_owner",
      "of_functions",
      "of_admin",
      "nobody_s",
    ])
      await expect(checkRole(testPool(postgres(), name, database)), name).rejects.toMatchObject({
        code: "role_refused",
        fix: expect.stringMatching(/sentinel_app/),
      });
    expect(await checkRole(testPool(postgres(), "daemon", database))).toBeUndefined();
  });
});

describe("a database that is not there", () => {
  it("is said to be unreachable", async () => {
    const pool = testPool(postgres(), "daemon", "none");
    await expect(migrate(pool)).rejects.toMatchObject({ code: "database_unreachable" });
    const nowhere = testPool({ ...postgres(), port: 1 }, "daemon", "none");
    await expect(checkRole(nowhere)).rejects.toMatchObject({ code: "database_unreachable" });
  });
});
