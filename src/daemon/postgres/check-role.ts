/** Whether a process can work with a database as the role it is connected as. */
import { SentinelError } from "../../ground/core/errors.ts";
import { databaseError, MIGRATE, USE_PRIMARY } from "./database-error.ts";
import { hasSchema } from "./migrate.ts";
import type { Pool } from "./open-pool.ts";

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
    const found = await hasSchema(pool);
    if (!found)
      throw new SentinelError("schema_outdated", "This database has no schema yet.", MIGRATE);
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
    throw databaseError(error, "read_failed", "Checking the role of this process");
  }
}
