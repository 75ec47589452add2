/** Persons of a group of tenants, who may have tokens. The owner of the schema adds and removes them, and reads the audit log. */
import { SentinelError } from "../../ground/core/errors.ts";
import { exportLines } from "../../sessions/storing/exported.ts";
import { eventRedactor } from "../../sessions/storing/redactor.ts";
import type { Audited } from "../http/caller.ts";
import { ownersFailure } from "./database-error.ts";
import { PostgresEventStore } from "./event-store.ts";
import type { Pool } from "./open-pool.ts";
import { change, checkName, listed, noGroup, noPerson } from "./owners-statements.ts";
import { listTenants } from "./tenants.ts";
import { changing, WITHOUT_HASTE } from "./transaction.ts";

export interface ListedPerson {
  readonly group: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly removedAt: Date | null;
  /** The person who may purge what this one, who was removed, had recorded for the team. */
  readonly leftTo: string | null;
}

const ADD = `insert into sentinel.persons as known (group_name, name)
    select group_name, $2 from sentinel.tenants where group_name = $1 limit 1
  on conflict (group_name, name) do update set created_at = now(), removed_at = null, left_to = null, own_since = null
    where known.removed_at is not null and known.left_to = known.name
  returning group_name, name as person, 'added' as act, 'to ' || group_name as what`;
const LIST = `select group_name as group, name, created_at as "createdAt", removed_at as "removedAt", left_to as "leftTo"
  from sentinel.persons where group_name = $1 or $1 is null order by group_name, name`;
/** The next one also gets what others had left to this person. What was done before is not done again. */
const REMOVE = `update sentinel.persons set removed_at = coalesce(removed_at, now()), left_to = $3
  where group_name = $1 and (name = $2 or left_to = $2) and left_to is distinct from $3
  returning group_name, name as person, case removed_at when now() then 'removed' else 'handed over' end as act, 'to ' || left_to as what`;
const END_TOKENS = `update sentinel.tokens set revoked_at = now() where group_name = $1 and owner = $2 and revoked_at is null
  returning group_name, owner as person, 'revoked' as act, 'token ' || id as what`;
const NOTE_HEIR = `select group_name, left_to as person, 'put in charge' as act, 'of what ' || name || ' recorded for the team' as what
  from sentinel.persons where group_name = $1 and name = $2 and left_to <> name`;
const NOTE_EXPORT =
  "select $1::text group_name, $2::text person, 'exported' act, 'all that was recorded' what";
const DELETE_PRIVATE = `select group_name, $2 as person, 'deleted' as act, gone || ' private of ' || name as what
  from (select group_name, name, sentinel.delete_private(name, $2) as gone from sentinel.tenants where group_name = $1 offset 0) as each
  where gone > 0`;
const AUDIT = "select at, person, by, act, what from";
const OF_GROUP =
  "sentinel.audit where group_name = $1 and ($2::text is null or person is null or person = $2) order by at";

/**
 * One who was removed comes back only where what they recorded for the team was left to nobody else: another human would take it over with the name.
 * @throws SentinelError `bad_argument`, `not_allowed`, or `not_found` where no tenant is in the group.
 */
export async function addPerson(pool: Pool, group: string, name: string): Promise<void> {
  checkName("person", name);
  await changing(pool, WITHOUT_HASTE, async (client) => {
    // Where a removal broke off, something of an earlier one of that name may be there.
    if ((await change(client, ADD, [group, name])) === 1)
      await change(client, DELETE_PRIVATE, [group, name]);
  }).catch(ownersFailure("Adding a person"));
  const there = (await listPersons(pool, group)).find((one) => one.name === name);
  if (!there) throw noGroup(group);
  if (!there.removedAt) return;
  const what = `${name} was removed, and their team events now belong to ${there.leftTo}.`;
  const fix =
    "Another human needs another name. For the same one, first run sentinel-memory daemon person remove NAME --group GROUP --to NAME.";
  throw new SentinelError("not_allowed", what, fix);
}

export const listPersons = (pool: Pool, group?: string): Promise<readonly ListedPerson[]> =>
  listed(pool, LIST, [group]);

/**
 * Ends a person's tokens, leaves to another what was for the team, and deletes the rest, also what a call stored meanwhile; again, where it broke
 * off. @param write takes all that the person recorded, as lines, before anything is deleted; where it asks for none, nothing is done.
 * @throws SentinelError `not_found`
 */
export async function removePerson(
  pool: Pool,
  { group, name, to }: { readonly group: string; readonly name: string; readonly to: string },
  write?: (lines: AsyncIterable<string>) => Promise<void>,
): Promise<void> {
  const persons = await listPersons(pool, group);
  if (!persons.some((one) => one.name === name)) throw noPerson(name, group);
  if (to !== name && !persons.some((one) => one.name === to && !one.removedAt))
    throw noPerson(to, group);
  const end = async () => {
    if ((await change(pool, REMOVE, [group, name, to])) > 0)
      await change(pool, NOTE_HEIR, [group, name]);
    await change(pool, END_TOKENS, [group, name]);
  };
  async function* endAndExport(): AsyncGenerator<string> {
    await end();
    await change(pool, NOTE_EXPORT, [group, name]);
    // Under the owner's role a policy lets that person's rows be read, since the person was removed.
    const identity = {
      owner: name,
      channel: "private",
      redactor: eventRedactor(),
      now: Date.now,
    } as const;
    const tenants = (await listTenants(pool)).filter((tenant) => tenant.group === group);
    const stores = tenants.map(
      (tenant) => new PostgresEventStore({ pool, tenant: tenant.name, ...identity }),
    );
    yield* exportLines({ project: group }, stores);
  }
  await (write ? write(endAndExport()) : end());
  const act = changing(pool, WITHOUT_HASTE, (client) =>
    change(client, DELETE_PRIVATE, [group, name]),
  );
  await act.catch(ownersFailure("Deleting a person's events"));
}

/** Acts that concern a person or the whole group, or all where no person is named, the oldest first. @throws SentinelError `not_found` */
export async function readAudit(
  pool: Pool,
  group: string,
  person?: string,
): Promise<readonly Audited[]> {
  if (!(await listTenants(pool)).some((tenant) => tenant.group === group)) throw noGroup(group);
  const isThere =
    person === undefined || (await listPersons(pool, group)).some(({ name }) => name === person);
  if (!isThere) throw noPerson(person, group);
  return listed(pool, `${AUDIT} ${OF_GROUP}`, [group, person]);
}

/** Acts as the holder of a token may read it. @param id of the token. */
export const auditFor = (pool: Pool, id: string): Promise<readonly Audited[]> =>
  listed(pool, `${AUDIT} sentinel.audit_for($1)`, [id]);
