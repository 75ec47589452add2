/** Partitions by month: which there are, what is in which, and who makes those that are missing. */
import type pg from "pg";
import { describe, expect, it } from "vitest";
import { PostgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { makeMonths, migrate } from "../../src/daemon/postgres/migrate.ts";
import { all, message, texts } from "../contracts/event-store.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { emptyDatabase, migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const postgres = postgresOfFile();
const DEFAULT = "events_default";
const IDENTITY = { tenant: "t", owner: "jo", channel: "private" } as const;

/** The first moment of a month, so many after this one. */
function monthAfter(months: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
}

function partitionOf(month: Date): string {
  return `events_${month.toISOString().slice(0, 7).replace("-", "_")}`;
}

/** The default one, a year back and three months ahead. */
function expectedNow(): string[] {
  return [...Array.from({ length: 16 }, (_, at) => partitionOf(monthAfter(at - 12))), DEFAULT];
}

/** Their names in order, with the range of each. */
async function partitions(pool: pg.Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ name: string; range: string }>(
    `select relname as name, pg_get_expr(relpartbound, c.oid) as range from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = 'sentinel.events'::regclass order by 1`,
  );
  return new Map(rows.map(({ name, range }) => [name, range]));
}

async function dropMonths(owner: pg.Pool, ...months: readonly number[]): Promise<void> {
  for (const month of months)
    await owner.query(`drop table sentinel.${partitionOf(monthAfter(month))}`);
}

const END_OF_TIME = Date.parse("9999-12-31T23:59:59.999Z");

describe("the months of a new schema", () => {
  it("are those of a year back and three ahead, each from its first moment in UTC to the next one's, wherever its maker is", async () => {
    const database = await emptyDatabase(postgres());
    // Midnight of a month's end may come between.
    const before = expectedNow();
    await migrate(
      testPool(postgres(), "owner", database, { options: "-c timezone=Pacific/Kiritimati" }),
    );
    const made = await partitions(
      testPool(postgres(), "owner", database, { options: "-c timezone=UTC" }),
    );
    expect([before, expectedNow()]).toContainEqual([...made.keys()]);
    const next = partitionOf(monthAfter(1));
    const [from, to] = [monthAfter(1), monthAfter(2)].map(
      (time) => `${time.toISOString().slice(0, 10)} 00:00:00+00`,
    );
    expect(made.get(next)).toBe(`FOR VALUES FROM ('${from}') TO ('${to}')`);
    expect(made.get(DEFAULT)).toBe("DEFAULT");
  });

  it("have each event in its month, and those of all other times in the default one", async () => {
    const database = await migratedDatabase(postgres());
    const [owner, pool] = [
      testPool(postgres(), "owner", database),
      testPool(postgres(), "daemon", database),
    ];
    const store = new PostgresEventStore({
      pool,
      ...IDENTITY,
      redactor: UNREDACTED,
      now: () => END_OF_TIME,
    });
    const [month, next, after] = [0, 1, 2].map(monthAfter) as [Date, Date, Date];
    const placed: readonly (readonly [ts: string, partition: string])[] = [
      ["1970-01-01T00:00:00.000Z", DEFAULT],
      [month.toISOString(), partitionOf(month)],
      [new Date(next.getTime() - 1).toISOString(), partitionOf(month)],
      [next.toISOString(), partitionOf(next)],
      [after.toISOString(), partitionOf(after)],
      [new Date(END_OF_TIME).toISOString(), DEFAULT],
    ];
    const times = placed.map(([ts]) => ts);
    await store.append(times.map((ts) => message(ts, 0, { ts })));
    const inPlaces = async () =>
      (
        await testPool(postgres(), "admin", database).query(
          "select content ->> 'text' as ts, tableoid::regclass::text as name from sentinel.events order by ts",
        )
      ).rows.map(({ ts, name }) => [ts, name.replace("sentinel.", "")]);
    expect(await inPlaces()).toEqual(placed);
    expect(await texts(store)).toEqual(times);
    expect((await store.find((await all(store)).map(({ id }) => id))).length).toBe(times.length);
    // A month of which the default partition holds events stays there; the others around it are made.
    const before = new Set((await partitions(owner)).keys());
    await pool.query("select sentinel.make_months('9999-11-20')");
    const added = [...(await partitions(owner)).keys()].filter((name) => !before.has(name));
    const others = Array.from({ length: 13 }, (_, at) =>
      partitionOf(new Date(Date.UTC(9998, 10 + at))),
    );
    expect(added).toEqual([...others, "events_10000_01", "events_10000_02"].sort());
    expect(await inPlaces()).toEqual(placed);
    expect(await texts(store)).toEqual(times);
  });
});

describe("months that are missing", () => {
  it("are made under the role of a daemon, and what came before them stays where it is", async () => {
    const database = await migratedDatabase(postgres());
    const [owner, pool] = [
      testPool(postgres(), "owner", database),
      testPool(postgres(), "daemon", database),
    ];
    const before = await partitions(owner);
    await dropMonths(owner, 1, 2, 3);
    expect((await partitions(owner)).size).toBe(before.size - 3);
    await makeMonths(pool);
    expect(await partitions(owner)).toEqual(before);
    await makeMonths(pool);
    expect(await partitions(owner)).toEqual(before);
  });

  it("are made when a daemon starts", async () => {
    const operator = await operatorOf(postgres(), "acme");
    const owner = testPool(
      postgres(),
      "owner",
      new URL(operator.databaseUrl("owner")).pathname.slice(1),
    );
    const before = await partitions(owner);
    await dropMonths(owner, 0, 1, 3);
    const { url } = await operator.serve();
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await partitions(owner)).toEqual(before);
  });
});
