/** Whether a process can work with a database as the role it is connected as. */
import { SentinelError } from "../../ground/core/errors.ts";
import { databaseError, MIGRATE, USE_PRIMARY } from "./database-error.ts";
import { appliedTo, OUR_MIGRATIONS } from "./migrate.ts";
import type { Pool } from "./open-pool.ts";

/** `why` a role is refused, null where it is not. */
const RIGHTS = `select current_user as name, current_setting('transaction_read_only') = 'on' as "isReadOnly", case
    when exists (select from pg_roles r where (r.rolsuper or r.rolbypassrls) and pg_has_role(current_user, r.oid, 'member'))
      then 'is, or belongs to, a superuser or a role with BYPASSRLS: no policy holds for it'
    when pg_has_role(current_user, 'sentinel_functions', 'member') or exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'sentinel' and pg_has_role(current_user, c.relowner, 'member'))
      then 'is, or belongs to, the owner of the schema or of its functions'
    when not pg_has_role(current_user, 'sentinel_app', 'usage') then 'is not a member of sentinel_app' end as why`;

const ROLE_OF_ITS_OWN = "Connect as a separate role: create role NAME login in role sentinel_app.";
const OUTDATED = "The schema of this database is from an earlier version of Sentinel Memory.";

/**
 * Refuses a role that can do more than the policies let it: a mistake of ours could do as much.
 * @throws SentinelError `role_refused`; `schema_outdated` or `newer_format` for a schema that this version cannot work with; `read_only`.
 */
export async function checkRole(pool: Pool): Promise<void> {
  try {
    if ((await appliedTo(pool)).length < OUR_MIGRATIONS.length)
      throw new SentinelError("schema_outdated", OUTDATED, MIGRATE);
    const { rows } = await pool.query<{ name: string; isReadOnly: boolean; why: string | null }>(
      RIGHTS,
    );
    for (const { name, isReadOnly, why } of rows) {
      if (why !== null)
        throw new SentinelError("role_refused", `The role ${name} ${why}.`, ROLE_OF_ITS_OWN);
      if (isReadOnly)
        throw new SentinelError("read_only", "The database takes no changes.", USE_PRIMARY);
    }
  } catch (error) {
    throw databaseError(error, "read_failed", "Looking at the role of this process");
  }
}
