/** Brings the schema up to date: numbered files, each applied once (docs/design/daemon.md, "Upgrades"). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import { databaseError, isDeadlock, ownersFailure } from "./database-error.ts";
import type { Pool, PoolClient } from "./open-pool.ts";
import { changing, WITHOUT_HASTE } from "./transaction.ts";

export interface Migration {
  readonly number: number;
  /** As its file, which is how people know it. */
  readonly name: string;
  /** Daemons that know no migration of this number or a later one cannot go on beside it; 0 where all can, as with what only adds. */
  readonly needs: number;
  readonly sql: string;
}

const FOLDER = join(import.meta.dirname, "migrations");
const NAME = /^((\d{3})-[a-z-]+)\.sql$/;
/** The first line of a file that takes away what daemons used until then. */
const NEEDS = /^-- needs (\d{3})$/m;
/** A statement that waits longer for a table keeps all others waiting. */
const PREPARE = `set local lock_timeout = '10s'; create schema if not exists sentinel;
  create table if not exists sentinel.migrations (number int primary key, applied_at timestamptz not null default now());
  alter table sentinel.migrations add column if not exists name text, add column if not exists needs int not null default 0`;
const NOTE = "insert into sentinel.migrations (number, name, needs) values ($1, $2, $3)";
const MOST_RETRIES = 5;
const MAKE_MONTHS = "select sentinel.make_months()";
const APPLIED =
  "select number, coalesce(name, '') as name, needs from sentinel.migrations order by number";

/** The migrations of this version, in their order. */
export const OUR_MIGRATIONS: readonly Migration[] = readdirSync(FOLDER)
  .sort()
  .map((file) => {
    const [, name = file, number] = NAME.exec(file) ?? [];
    const sql = readFileSync(join(FOLDER, file), "utf8");
    return { number: Number(number), name, needs: Number(NEEDS.exec(sql)?.[1] ?? 0), sql };
  });

/**
 * Applies what is missing, all or nothing, as the owner of the schema; of several at once one does it, and the others wait. A plan changes nothing.
 * @returns the names of what was applied. @throws SentinelError `newer_format` where this version cannot work with what a later one made.
 */
export async function migrate(
  pool: Pool,
  how: "plan" | "do it" = "do it",
  migrations: readonly Migration[] = OUR_MIGRATIONS,
): Promise<string[]> {
  const apply = () =>
    changing(pool, WITHOUT_HASTE, (client) => applyMissing(client, migrations, how));
  let applied = apply();
  // A running daemon and this may wait for each other's tables: PostgreSQL then cancels one of them.
  for (let retry = 0; retry < MOST_RETRIES; retry++)
    applied = applied.catch((error) => (isDeadlock(error) ? apply() : Promise.reject(error)));
  return applied.catch(ownersFailure("Bringing the schema up to date"));
}

async function applyMissing(
  client: PoolClient,
  migrations: readonly Migration[],
  how: "plan" | "do it",
) {
  await client.query("select pg_advisory_xact_lock(hashtextextended('sentinel migrations', 0))");
  const { rows } = await client.query(
    "select from pg_tables where (schemaname, tablename) = ('sentinel', 'migrations')",
  );
  if (rows.length === 0 && how === "plan") return migrations.map(({ name }) => name);
  if (how === "do it") await client.query(PREPARE);
  const applied = await appliedTo(client, migrations);
  const missing = migrations.filter(({ number }) => !applied.includes(number));
  if (how === "do it") {
    for (const { number, name, needs, sql } of missing) {
      await client.query(sql);
      await client.query(NOTE, [number, name, needs]);
    }
    await client.query(MAKE_MONTHS);
  }
  return missing.map(({ name }) => name);
}

/** The migrations that a database has. @throws SentinelError `newer_format`, naming one that needs a later version. */
export async function appliedTo(
  client: Pick<PoolClient, "query">,
  known = OUR_MIGRATIONS,
): Promise<readonly number[]> {
  const { rows } = await client.query<Omit<Migration, "sql">>(APPLIED);
  const last = known.at(-1)?.number ?? 0;
  const newer = rows.find(({ needs }) => needs > last);
  if (!newer) return rows.map(({ number }) => number);
  const message = `A later version of Sentinel Memory has changed the schema of this database (${newer.name}); this one knows it up to ${last}.`;
  throw new SentinelError(
    "newer_format",
    message,
    "Use that version or a later one, or a backup from before.",
  );
}

/** Makes the partitions of the coming months, so that no events of a running daemon go to the default one. */
export async function makeMonths(pool: Pool): Promise<void> {
  await pool.query(MAKE_MONTHS).catch((error) => {
    throw databaseError(error, "write_failed", "Making the partitions of the coming months");
  });
}
