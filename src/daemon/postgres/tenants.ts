/** Tenants: those who share a session log. The owner of the schema makes, lists and deletes them. */
import { ownersFailure } from "./database-error.ts";
import type { Pool } from "./open-pool.ts";
import { change, checkName, listed, noTenant } from "./owners-statements.ts";
import { changing, WITHOUT_HASTE } from "./transaction.ts";

export interface ListedTenant {
  readonly name: string;
  readonly group: string;
  /** For how many days events stay; for ever where it is null. */
  readonly keepDays: number | null;
  readonly createdAt: Date;
  /** How many tokens are in use, and how many persons have them. */
  readonly tokens: number;
  readonly persons: number;
}

const INSERT = `insert into sentinel.tenants (name, group_name) values ($1, $2) on conflict do nothing
  returning group_name, null as person, 'made' as act, 'tenant ' || name as what`;
const SET = `update sentinel.tenants set privacy = coalesce($2, privacy), keep_days = coalesce($3, keep_days) where name = $1
  returning group_name, null as person, 'set' as act,
    coalesce('how long events stay: ' || $3::int || ' days', 'what is never stored') || ' of ' || name as what`;
const SET_TEXTS = `update sentinel.tenants set texts = texts || $2 where name = $1
  returning group_name, null as person, 'set' as act, 'views and policies of ' || name as what`;
const TEXTS = `select key as name from sentinel.tenants, jsonb_each_text(texts) where tenants.name = $1 and value <> '' order by key`;
const LIST = `select t.name, t.group_name as group, t.keep_days as "keepDays", t.created_at as "createdAt", count(id)::int as tokens,
    count(distinct owner)::int as persons
  from sentinel.tenants t left join sentinel.tokens k
    on k.group_name = t.group_name and coalesce(k.tenant, t.name) = t.name and revoked_at is null and (expires_at is null or expires_at > now())
  group by t.name order by t.name`;
/** With the last tenant of a group also those that are good for the whole group. */
const DELETE_TOKENS = `delete from sentinel.tokens k using sentinel.tenants t where t.name = $1 and k.group_name = t.group_name
  and (k.tenant = t.name or not exists (select from sentinel.tenants o where o.group_name = t.group_name and o.name <> t.name))`;
const DELETE_RECORD = "select sentinel.delete_record($1)::int as events";
const DELETE = `delete from sentinel.tenants where name = $1
  returning group_name, null as person, 'deleted' as act, 'tenant ' || name as what`;
const EMPTY = "not exists (select from sentinel.tenants t where t.group_name = of.group_name)";
const DELETE_GROUP = `delete from sentinel.persons of where ${EMPTY}; delete from sentinel.audit of where ${EMPTY}`;
const EXPIRE = "select sentinel.expire_one_day() as gone";

/** Creates a tenant unless it exists, without anything of a deleted one of that name. @throws SentinelError `bad_argument` */
export async function createTenant(pool: Pool, name: string, group = name): Promise<void> {
  checkName("tenant", name);
  checkName("group", group);
  await changing(pool, WITHOUT_HASTE, async (client) => {
    const made = await change(client, INSERT, [name, group]);
    // A call that ran while the other one was deleted may have stored something since.
    if (made === 1) await client.query(DELETE_RECORD, [name]);
  }).catch(ownersFailure("Making a tenant"));
}

/** @param rules what it never stores, as a privacy.yaml says it, and for how many days it keeps events. @throws SentinelError `not_found` */
export async function setRules(
  pool: Pool,
  name: string,
  rules: { readonly privacy?: string; readonly keepDays?: number },
): Promise<void> {
  if ((await change(pool, SET, [name, rules.privacy, rules.keepDays])) === 0) throw noTenant(name);
}

/** @param texts by the names of their files; others stay. @returns the names of all that are not empty. @throws SentinelError `not_found` */
export async function setTexts(
  pool: Pool,
  name: string,
  texts: ReadonlyMap<string, string>,
): Promise<string[]> {
  if ((await change(pool, SET_TEXTS, [name, Object.fromEntries(texts)])) === 0)
    throw noTenant(name);
  return (await listed<{ name: string }>(pool, TEXTS, [name])).map((text) => text.name);
}

export const listTenants = (pool: Pool): Promise<readonly ListedTenant[]> => listed(pool, LIST);

/** With its tokens, which end first, and all that was recorded there. @returns how many events went. @throws SentinelError `not_found` */
export async function deleteTenant(pool: Pool, name: string): Promise<number> {
  await pool.query(DELETE_TOKENS, [name]).catch(ownersFailure("Ending the tokens of a tenant"));
  return changing(pool, WITHOUT_HASTE, async (client) => {
    const { rows } = await client.query<{ events: number }>(DELETE_RECORD, [name]);
    if ((await change(client, DELETE, [name])) === 0) throw noTenant(name);
    await client.query(DELETE_GROUP);
    return rows[0]?.events ?? 0;
  }).catch(ownersFailure("Deleting a tenant"));
}

/** Deletes what is over the time of its tenant, a day of a person at a time. */
export async function expireEvents(pool: Pool): Promise<void> {
  while ((await listed<{ readonly gone: string | null }>(pool, EXPIRE))[0]?.gone != null);
}
