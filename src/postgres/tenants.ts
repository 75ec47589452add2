/** Tenants: those who share a record. The owner of the schema makes, lists and deletes them. */
import type { Pool } from "pg";
import { ownersError } from "./database-error.ts";
import { asOwner, checkName, noTenant } from "./tokens.ts";

/** A tenant as a list shows it. */
export interface ListedTenant {
  readonly name: string;
  readonly createdAt: Date;
  /** How many tokens are in use, and how many persons have them. */
  readonly tokens: number;
  readonly persons: number;
}

const INSERT = "insert into sentinel.tenants (name) values ($1) on conflict do nothing";
const SET_PRIVACY = "update sentinel.tenants set privacy = $2 where name = $1";
const LIST = `select name, tenants.created_at as "createdAt", count(id)::int as tokens, count(distinct owner)::int as persons
  from sentinel.tenants left join sentinel.tokens
    on tenant = name and revoked_at is null and (expires_at is null or expires_at > now())
  group by name order by name`;
const DELETE_TOKENS = "delete from sentinel.tokens where tenant = $1";
const DELETE_RECORD = "select sentinel.delete_record($1)::int as events";
const DELETE = "delete from sentinel.tenants where name = $1";

/** One that is there stays as it is. @throws SentinelError `bad_argument` */
export async function createTenant(pool: Pool, name: string): Promise<void> {
  checkName("tenant", name);
  await asOwner(pool, INSERT, [name]);
}

/** @param privacy what it never stores, as a privacy.yaml says it. @throws SentinelError `not_found` */
export async function setPrivacy(pool: Pool, name: string, privacy: string): Promise<void> {
  const { rowCount } = await asOwner(pool, SET_PRIVACY, [name, privacy]);
  if (rowCount === 0) throw noTenant(name);
}

export async function listTenants(pool: Pool): Promise<readonly ListedTenant[]> {
  return (await asOwner(pool, LIST, [])).rows as ListedTenant[];
}

/**
 * With its tokens, which end first, and all that anybody recorded there.
 *
 * @returns how many events went.
 * @throws SentinelError `not_found`
 */
export async function deleteTenant(pool: Pool, name: string): Promise<number> {
  await asOwner(pool, DELETE_TOKENS, [name]);
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("set local statement_timeout = 0");
    const { rows } = await client.query<{ events: number }>(DELETE_RECORD, [name]);
    const { rowCount } = await client.query(DELETE, [name]);
    if (rowCount === 0) throw noTenant(name);
    await client.query("commit");
    return rows[0]?.events ?? 0;
  } catch (error) {
    await client.query("rollback");
    throw ownersError(error, "Deleting a tenant");
  } finally {
    client.release();
  }
}
