/** Every key and every index begins with the tenant, so that a distributed PostgreSQL can put whole tenants on a server each. */
import { expect, it } from "vitest";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";

const postgres = postgresOfFile();

const INDEXES = `select t.relname as table, i.relname as index, x.indisprimary as "isPrimary", m.amname as method,
    coalesce(a.attname, '') as first
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid join pg_am m on m.oid = i.relam
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
  where t.relnamespace = 'sentinel'::regnamespace order by 1, 2`;

/** Those that need not, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  tenants_pkey: "the name of a tenant is its first and only column",
  tokens_pkey:
    "a token is looked up before anybody knows whose it is: a small table, the same on each server",
  chunks_terms_idx: "a term is a hash made with its tenant, so none is of two",
  events_artifacts_idx:
    "a list cannot share its index with another column; who reads it names the tenant beside it",
};

interface Index {
  readonly table: string;
  readonly index: string;
  readonly isPrimary: boolean;
  readonly method: string;
  readonly first: string;
}

it("the tenant comes first in every key and every index, but for those that are named with a reason", async () => {
  const owner = testPool(postgres(), "owner", await migratedDatabase(postgres()));
  const { rows } = await owner.query<Index>(INDEXES);
  const others = rows.filter(({ first }) => first !== "tenant");
  expect(others.map(({ index }) => index).sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  const withKey = rows
    .filter(({ isPrimary, first }) => isPrimary && first === "tenant")
    .map(({ table }) => table);
  expect(withKey).toEqual(["artifacts", "chunk_totals", "chunks", "events", "purged"]);

  // It would be found.
  await owner.query("create index late on sentinel.events (ts)");
  const { rows: later } = await owner.query<Index>(INDEXES);
  expect(later.filter(({ first }) => first !== "tenant").map(({ index }) => index)).toContain(
    "late",
  );
});
