/** Statements about tenants, persons and tokens that the schema owner's commands share, and the checks of their names. */
import { SentinelError } from "../../ground/core/errors.ts";
import { ownersFailure } from "./database-error.ts";
import type { Pool, PoolClient } from "./open-pool.ts";

const NAME = /^[^\p{C}]{1,200}$/u;

/** Names of tenants, groups and persons stand in lists and logs. @throws SentinelError `bad_argument` */
export function checkName(field: string, name: string): void {
  if (NAME.test(name) && name.trim() === name) return;
  throw new SentinelError(
    "bad_argument",
    `${field} is not a name.`,
    "Give it 1 to 200 characters, without control characters and without blanks at its ends.",
  );
}

export const noTenant = (name: string): SentinelError =>
  missing(
    `tenant "${name}"`,
    "sentinel-memory daemon tenant list shows the tenants. To make one: sentinel-memory daemon tenant create NAME",
  );

export const noPerson = (name: string, group = ""): SentinelError =>
  missing(
    `person "${name}" in "${group}"`,
    "sentinel-memory daemon person list shows the persons. To add one: sentinel-memory daemon person add NAME --group GROUP",
  );

export const noGroup = (name: string): SentinelError =>
  missing(
    `tenant in the group "${name}"`,
    "sentinel-memory daemon tenant list shows the groups. To make one: sentinel-memory daemon tenant create NAME --group GROUP",
  );

function missing(what: string, fix: string): SentinelError {
  return new SentinelError("not_found", `There is no ${what}.`, fix);
}

/** Runs and audits a change of the owner's. @param sql returns `group_name`, `person`, `act`, `what` of each. @returns how many there were. */
export async function change(
  on: Pool | PoolClient,
  sql: string,
  values: readonly unknown[],
): Promise<number> {
  const noting = `with changed as (${sql})
    insert into sentinel.audit (group_name, person, act, what) select group_name, person, act, what from changed`;
  return (await on.query(noting, values as unknown[]).catch(failed)).rowCount ?? 0;
}

/** Rows that a statement about tenants, persons and tokens selects. */
export async function listed<Row>(
  pool: Pool,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return (await pool.query(sql, values as unknown[]).catch(failed)).rows as Row[];
}

const failed = ownersFailure("Reading or changing tenants, persons and tokens");
