/** Creates the schema, and checks whether a process can work with a database (docs/design/daemon.md, "Upgrades"). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import { inTransaction, type Pool, type PoolClient, WITHOUT_HASTE } from "./database.ts";
import { databaseError, MIGRATE, ownersFailure, USE_PRIMARY } from "./database-error.ts";

/** The last commit whose daemon works with each earlier version of the schema, from 0 on. Add one with each change of `schema.sql`. */
const LAST_COMMITS = ["ce84a9fd", "577b88a4", "32e33913"];
const SCHEMA_VERSION = LAST_COMMITS.length;
const SCHEMA = join(import.meta.dirname, "schema.sql");

const LOCK = "select pg_advisory_xact_lock(hashtextextended('sentinel schema', 0))";
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
  return inTransaction(pool, WITHOUT_HASTE, async (client) => {
    await client.query(LOCK);
    const isMissing = !(await hasSchema(client));
    if (how === "plan") {
      return isMissing;
    }
    if (isMissing) {
      await createSchema(client);
    }
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
async function hasSchema(client: Pick<PoolClient, "query">): Promise<boolean> {
  const tables = await client.query<{ isOurs: boolean; isOld: boolean }>(TABLES);
  if (tables.rows[0]?.isOld) {
    throw oldFormat(0);
  }
  if (!tables.rows[0]?.isOurs) {
    return false;
  }
  const { rows } = await client.query<{ version: number }>(VERSION);
  const version = rows[0]?.version ?? 0;
  if (version < SCHEMA_VERSION) {
    throw oldFormat(version);
  }
  if (version > SCHEMA_VERSION) {
    throw newerFormat(version);
  }
  return true;
}

/** @throws SentinelError `schema_outdated` if there is no schema, `old_format`, `newer_format`. */
export async function mustHaveSchema(pool: Pool): Promise<void> {
  if (await hasSchema(pool)) {
    return;
  }
  throw new SentinelError("schema_outdated", "This database has no schema yet.", MIGRATE);
}

function oldFormat(version: number): SentinelError {
  return new SentinelError(
    "old_format",
    "The schema of this database is from an earlier build of Sentinel Memory. Nothing was read or changed.",
    `With the build of commit ${LAST_COMMITS[version]}, each person runs sentinel-memory sessions export FILE. Then run sentinel-memory daemon migrate on an empty database, and each person runs sentinel-memory sessions import FILE.`,
  );
}

function newerFormat(version: number): SentinelError {
  return new SentinelError(
    "newer_format",
    `The schema of this database has version ${version}, and this build knows version ${SCHEMA_VERSION}.`,
    "Use the build that created it or a later one, or restore a backup from before.",
  );
}

/** `why` is the reason to refuse the role, or null. */
const RIGHTS = `select current_user as name, current_setting('transaction_read_only') = 'on' as "isReadOnly", case
    when exists (select from pg_roles r where (r.rolsuper or r.rolbypassrls) and pg_has_role(current_user, r.oid, 'member'))
      then 'is, or belongs to, a superuser or a role with BYPASSRLS: no policy holds for it'
    when pg_has_role(current_user, 'sentinel_functions', 'member') or exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'sentinel' and pg_has_role(current_user, c.relowner, 'member'))
      then 'is, or belongs to, the owner of the schema or of its functions'
    when not pg_has_role(current_user, 'sentinel_app', 'usage') then 'is not a member of sentinel_app' end as why`;

const ROLE_OF_ITS_OWN = "Connect as a separate role: create role NAME login in role sentinel_app.";

/**
 * Refuses a role with more rights than the policies intend, because a bug in the daemon would have these rights, too.
 * @throws SentinelError `role_refused`, `read_only`, `schema_outdated` if there is no schema, `old_format`, `newer_format`.
 */
export async function checkRole(pool: Pool): Promise<void> {
  try {
    await mustHaveSchema(pool);
    const { rows } = await pool.query<{ name: string; isReadOnly: boolean; why: string | null }>(
      RIGHTS,
    );
    for (const { name, isReadOnly, why } of rows) {
      if (why !== null) {
        throw new SentinelError("role_refused", `The role ${name} ${why}.`, ROLE_OF_ITS_OWN);
      }
      if (isReadOnly) {
        throw new SentinelError("read_only", "The database takes no changes.", USE_PRIMARY);
      }
    }
  } catch (error) {
    throw databaseError(error, "read_failed", "Checking the role of this process");
  }
}
