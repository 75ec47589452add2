/** Creates the schema, and checks which schema a database has (docs/design/daemon.md, "Upgrades"). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import { databaseError, ownersFailure } from "./database-error.ts";
import type { Pool, PoolClient } from "./open-pool.ts";
import { changing, WITHOUT_HASTE } from "./transaction.ts";

/** Increase this with each change of `schema.sql`. */
const SCHEMA_VERSION = 1;
const SCHEMA = join(import.meta.dirname, "schema.sql");
/** The last commit whose daemon works with the unversioned schema. */
const LAST_COMMIT_OF_OLD_SCHEMA = "ce84a9fd";

const LOCK = "select pg_advisory_xact_lock(hashtextextended('sentinel schema', 0))";
const MAKE_MONTHS = "select sentinel.make_months()";
/** Finds the schema of this build, or that of an unversioned build by its table of migrations. Reading the catalog needs no right on the schema. */
const TABLES = `select
    exists (select from pg_tables where schemaname = 'sentinel' and tablename = 'schema_version') as "isOurs",
    exists (select from pg_tables where schemaname = 'sentinel' and tablename = 'migrations') as "isOld"`;
const VERSION = "select version from sentinel.schema_version";

/**
 * Creates the schema as its owner, in one transaction. Concurrent calls wait for each other. With "plan", it changes nothing.
 * @returns whether the schema was missing. @throws SentinelError `old_format`, `newer_format`.
 */
export async function migrate(pool: Pool, how: "plan" | "do it" = "do it"): Promise<boolean> {
  return changing(pool, WITHOUT_HASTE, async (client) => {
    await client.query(LOCK);
    const isMissing = !(await hasSchema(client));
    if (how === "plan") return isMissing;
    if (isMissing) await createSchema(client);
    await client.query(MAKE_MONTHS);
    return isMissing;
  }).catch(ownersFailure("Creating the schema"));
}

async function createSchema(client: PoolClient): Promise<void> {
  await client.query("create schema if not exists sentinel");
  await client.query(readFileSync(SCHEMA, "utf8"));
  await client.query("insert into sentinel.schema_version (version) values ($1)", [SCHEMA_VERSION]);
}

/**
 * Returns false for a database without a schema.
 * @throws SentinelError `old_format` or `newer_format` for the schema of another version.
 */
export async function hasSchema(client: Pick<PoolClient, "query">): Promise<boolean> {
  const tables = await client.query<{ isOurs: boolean; isOld: boolean }>(TABLES);
  if (tables.rows[0]?.isOld) throw oldFormat();
  if (!tables.rows[0]?.isOurs) return false;
  const { rows } = await client.query<{ version: number }>(VERSION);
  const version = rows[0]?.version ?? 0;
  if (version < SCHEMA_VERSION) throw oldFormat();
  if (version > SCHEMA_VERSION) throw newerFormat(version);
  return true;
}

function oldFormat(): SentinelError {
  return new SentinelError(
    "old_format",
    "The schema of this database is from an earlier build of Sentinel Memory. Nothing was read or changed.",
    `With the build of commit ${LAST_COMMIT_OF_OLD_SCHEMA}, each person runs sentinel-memory sessions export FILE. Then run sentinel-memory daemon migrate on an empty database, and each person runs sentinel-memory sessions import FILE.`,
  );
}

function newerFormat(version: number): SentinelError {
  return new SentinelError(
    "newer_format",
    `The schema of this database has version ${version}, and this build knows version ${SCHEMA_VERSION}.`,
    "Use the build that created it or a later one, or restore a backup from before.",
  );
}

/** Creates the partitions of the coming months, so that a daemon's events don't end up in the default partition. */
export async function makeMonths(pool: Pool): Promise<void> {
  await pool.query(MAKE_MONTHS).catch((error) => {
    throw databaseError(error, "write_failed", "Creating the partitions of the coming months");
  });
}
