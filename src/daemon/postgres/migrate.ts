/** Brings the schema up to date: numbered files, each applied once (docs/design/daemon.md, "The session log on PostgreSQL"). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import { ownersFailure } from "./database-error.ts";
import type { Pool, PoolClient } from "./open-pool.ts";
import { changing, WITHOUT_HASTE } from "./transaction.ts";

export interface Migration {
  readonly number: number;
  readonly sql: string;
}

const FOLDER = join(import.meta.dirname, "migrations");
const NAME = /^(\d{3})-[a-z-]+\.sql$/;

let known: readonly Migration[] | undefined;

/** The migrations of this version, in their order. */
export function ourMigrations(): readonly Migration[] {
  known ??= readdirSync(FOLDER)
    .sort()
    .map((name) => ({ number: Number(NAME.exec(name)?.[1]), sql: readFileSync(join(FOLDER, name), "utf8") }));
  return known;
}

/**
 * Applies what is not applied yet, all or nothing, as the owner of the schema. Of several at once one does it, and the others wait.
 * @returns the numbers that were applied.
 * @throws SentinelError `newer_format` where the schema is from a later version.
 */
export async function migrate(pool: Pool, migrations: readonly Migration[] = ourMigrations()): Promise<number[]> {
  const applied = changing(pool, WITHOUT_HASTE, (client) => applyMissing(client, migrations));
  return applied.catch(ownersFailure("Bringing the schema up to date"));
}

async function applyMissing(client: PoolClient, migrations: readonly Migration[]): Promise<number[]> {
  await client.query("select pg_advisory_xact_lock(hashtextextended('sentinel migrations', 0))");
  await client.query("create schema if not exists sentinel");
  await client.query(`create table if not exists sentinel.migrations (
    number int primary key, applied_at timestamptz not null default now())`);
  const { rows } = await client.query<{ number: number }>("select number from sentinel.migrations");
  refuseNewer(rows, migrations);
  const missing = migrations.filter(({ number }) => !rows.some((row) => row.number === number));
  for (const { number, sql } of missing) {
    await client.query(sql);
    await client.query("insert into sentinel.migrations (number) values ($1)", [number]);
  }
  await client.query("select sentinel.make_months()");
  return missing.map(({ number }) => number);
}

/** @throws SentinelError `newer_format` where migrations were applied that this version does not know. */
export function refuseNewer(applied: readonly { readonly number: number }[], known: readonly Migration[]): void {
  if (applied.every(({ number }) => known.some((migration) => migration.number === number))) return;
  const message = "A later version of Sentinel Memory has changed the schema of this database.";
  throw new SentinelError("newer_format", message, "Use that version or a later one.");
}
