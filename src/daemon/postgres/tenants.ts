/** Tenants: those who share a session log. The owner of the schema makes, lists and deletes them. */

import type { ListedTenant } from "../terminal/daemon-commands.ts";
import { ownersFailure } from "./database-error.ts";
import type { Pool } from "./open-pool.ts";
import { checkName, noTenant, queryAsOwner } from "./owners-statements.ts";
import { changing, WITHOUT_HASTE } from "./transaction.ts";

const INSERT = "insert into sentinel.tenants (name) values ($1) on conflict do nothing";
const SET_PRIVACY = "update sentinel.tenants set privacy = $2 where name = $1";
const SET_TEXTS = `update sentinel.tenants set texts = texts || $2 where name = $1
  returning array(select key from jsonb_each_text(texts) where value <> '' order by key) as names`;
const LIST = `select name, tenants.created_at as "createdAt", count(id)::int as tokens, count(distinct owner)::int as persons
  from sentinel.tenants left join sentinel.tokens
    on tenant = name and revoked_at is null and (expires_at is null or expires_at > now())
  group by name order by name`;
const DELETE_TOKENS = "delete from sentinel.tokens where tenant = $1";
const DELETE_RECORD = "select sentinel.delete_record($1)::int as events";
const DELETE = "delete from sentinel.tenants where name = $1";

/** Creates a tenant unless it exists, without anything of a deleted one of that name. @throws SentinelError `bad_argument` */
export async function createTenant(pool: Pool, name: string): Promise<void> {
  checkName("tenant", name);
  await changing(pool, WITHOUT_HASTE, async (client) => {
    const { rowCount } = await client.query(INSERT, [name]);
    // A call that ran while the other one was deleted may have stored something since.
    if (rowCount === 1) await client.query(DELETE_RECORD, [name]);
  }).catch(ownersFailure("Making a tenant"));
}

/** @param privacy what it never stores, as a privacy.yaml says it. @throws SentinelError `not_found` */
export async function setPrivacy(pool: Pool, name: string, privacy: string): Promise<void> {
  const { rowCount } = await queryAsOwner(pool, SET_PRIVACY, [name, privacy]);
  if (rowCount === 0) throw noTenant(name);
}

/** @returns the names of all texts that are not empty. @throws SentinelError `not_found` */
export async function setTexts(
  pool: Pool,
  name: string,
  texts: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const { rows } = await queryAsOwner(pool, SET_TEXTS, [name, Object.fromEntries(texts)]);
  if (!rows[0]) throw noTenant(name);
  return rows[0].names;
}

export async function listTenants(pool: Pool): Promise<readonly ListedTenant[]> {
  return (await queryAsOwner(pool, LIST, [])).rows as ListedTenant[];
}

/** With its tokens, which end first, and all that was recorded there. @returns how many events went. @throws SentinelError `not_found` */
export async function deleteTenant(pool: Pool, name: string): Promise<number> {
  await queryAsOwner(pool, DELETE_TOKENS, [name]);
  return changing(pool, WITHOUT_HASTE, async (client) => {
    const { rows } = await client.query<{ events: number }>(DELETE_RECORD, [name]);
    const { rowCount } = await client.query(DELETE, [name]);
    if (rowCount === 0) throw noTenant(name);
    return rows[0]?.events ?? 0;
  }).catch(ownersFailure("Deleting a tenant"));
}
