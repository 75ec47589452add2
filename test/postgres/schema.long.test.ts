/** Creating the schema: in an empty database, by two at once, over an earlier or a later one, and which roles may work with it. */
import { describe, expect, it } from "vitest";
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { checkRole, migrate } from "../../src/daemon/postgres/migrate.ts";
import { all, message, NOON } from "../contracts/event-store.ts";
import { testProject } from "../support/in-test.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asAdmin, asOwnerOf, emptyDatabase, migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const postgres = postgresOfFile();
/** What makes a database look like one of a version. */
const ofVersion = (version: number) => ({
  table: "schema_version",
  statements: [
    "create table sentinel.schema_version (version int not null)",
    `insert into sentinel.schema_version values (${version})`,
    "grant usage on schema sentinel to daemon",
    "grant select on sentinel.schema_version to daemon",
  ],
});
const TABLES = "select tablename from pg_tables where schemaname = 'sentinel' order by 1";

describe("daemon migrate", () => {
  it("creates the schema of an empty database once; a plan changes nothing", async () => {
    const owner = testPool(postgres(), "owner", await emptyDatabase(postgres()));
    expect(await migrate(owner, "plan")).toBe(true);
    expect((await owner.query("select to_regnamespace('sentinel') as schema")).rows).toEqual([
      { schema: null },
    ]);
    expect(await migrate(owner)).toBe(true);
    expect(await migrate(owner, "plan")).toBe(false);
    expect(await migrate(owner)).toBe(false);
  });

  it("leaves the events of a current database alone", async () => {
    const database = await migratedDatabase(postgres());
    const pool = testPool(postgres(), "daemon", database);
    const identity = { tenant: "t", owner: "jo", channel: "private" } as const;
    const store = postgresEventStore({
      pool,
      ...identity,
      redactor: UNREDACTED,
      now: () => NOON,
    });
    await store.append([message("before", 0, { origin: "1" })]);
    const before = await all(store);
    expect(await migrate(testPool(postgres(), "owner", database))).toBe(false);
    expect(await all(store)).toEqual(before);
  });

  it("creates it once if several begin at once", async () => {
    const database = await emptyDatabase(postgres());
    const pools = [1, 2, 3].map(() => testPool(postgres(), "owner", database));
    const created = await Promise.all(pools.map((pool) => migrate(pool)));
    expect(created.filter(Boolean)).toHaveLength(1);
  });

  it("leaves nothing behind if it fails", async () => {
    const database = await emptyDatabase(postgres());
    // The schema has a table of this name.
    await asOwnerOf(
      postgres(),
      database,
      "create schema sentinel",
      "create table sentinel.purged ()",
    );
    const owner = testPool(postgres(), "owner", database);
    await expect(migrate(owner)).rejects.toMatchObject({ code: "write_failed" });
    expect((await owner.query(TABLES)).rows).toEqual([{ tablename: "purged" }]);
    await asOwnerOf(postgres(), database, "drop table sentinel.purged");
    expect(await migrate(owner)).toBe(true);
  });

  it.each([
    {
      build: "without a version",
      commit: "ce84a9fd",
      table: "migrations",
      statements: [
        "create table sentinel.migrations (number int primary key)",
        "insert into sentinel.migrations values (15)",
      ],
    },
    { build: "of version 1", commit: "577b88a4", ...ofVersion(1) },
    { build: "of version 2", commit: "32e33913", ...ofVersion(2) },
  ])(
    "refuses a database $build, names the last build that can export it, and changes nothing; so do a daemon and its operator's commands",
    async ({ commit, table, statements }) => {
      const database = await emptyDatabase(postgres());
      await asOwnerOf(
        postgres(),
        database,
        "create schema sentinel",
        "create table sentinel.events (content text)",
        ...statements,
      );
      const owner = testPool(postgres(), "owner", database);
      const refused = {
        code: "old_format",
        fix: expect.stringMatching(
          `^With the build of commit ${commit}, .*sessions export FILE.*daemon migrate on an empty database.*sessions import FILE\\.$`,
        ),
      };
      await expect(migrate(owner)).rejects.toMatchObject(refused);
      await expect(migrate(owner, "plan")).rejects.toMatchObject(refused);
      await expect(checkRole(testPool(postgres(), "daemon", database))).rejects.toMatchObject(
        refused,
      );
      const url = `postgres://owner@127.0.0.1:${postgres().port}/${database}`;
      const project = await testProject();
      // The other commands look at the version as `migrate` does.
      const others = table === "migrations" ? ["tenant create app", "token list"] : [];
      for (const command of ["migrate", ...others]) {
        const { stderr } = await project.run(
          "daemon",
          ...command.split(" "),
          "--database-url",
          url,
        );
        expect(stderr).toMatch(
          new RegExp(`^error old_format: .*\\nfix: With the build of commit ${commit}, `),
        );
      }
      expect((await owner.query(TABLES)).rows).toEqual(
        ["events", table].map((tablename) => ({ tablename })),
      );
    },
  );

  it("refuses the schema of a later version, and so does a daemon", async () => {
    const database = await migratedDatabase(postgres());
    const owner = testPool(postgres(), "owner", database);
    const daemon = testPool(postgres(), "daemon", database);
    await checkRole(daemon);
    await owner.query("update sentinel.schema_version set version = version + 1");
    const refused = { code: "newer_format", message: expect.stringContaining("has version 4") };
    await expect(migrate(owner)).rejects.toMatchObject(refused);
    await expect(checkRole(daemon)).rejects.toMatchObject(refused);
    await owner.query("update sentinel.schema_version set version = 0");
    await expect(checkRole(daemon)).rejects.toMatchObject({ code: "old_format" });
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
    ]) {
      await expect(checkRole(testPool(postgres(), name, database)), name).rejects.toMatchObject({
        code: "role_refused",
        fix: expect.stringMatching(/sentinel_app/),
      });
    }
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
