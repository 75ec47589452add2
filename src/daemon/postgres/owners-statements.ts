/** Statements about tenants and tokens, and the check of their names. */
import { SentinelError } from "../../ground/core/errors.ts";
import { ownersFailure } from "./database-error.ts";
import type { Pool, PoolClient } from "./open-pool.ts";

const NAME = /^[^\p{C}]{1,200}$/u;

/** Validates a tenant's or person's name, which appears in lists and logs. @throws SentinelError `bad_argument` */
export function checkName(field: string, name: string): void {
  if (NAME.test(name) && name.trim() === name) return;
  throw new SentinelError(
    "bad_argument",
    `${field} is not a name.`,
    "Give it 1 to 200 characters, without control characters and without blanks at its ends.",
  );
}

export function noTenant(name: string): SentinelError {
  return new SentinelError(
    "not_found",
    `There is no tenant "${name}".`,
    "sentinel-memory daemon tenant list shows the tenants. To create one: sentinel-memory daemon tenant create NAME",
  );
}

/** Returns the rows of a statement. @throws SentinelError `role_refused` if the role may not run it. */
export async function runAsOwner<Row extends object>(
  on: Pool | PoolClient,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const result = await on.query(sql, [...values]).catch(failed);
  return result.rows as Row[];
}

const failed = ownersFailure("Reading or changing tenants and tokens");
