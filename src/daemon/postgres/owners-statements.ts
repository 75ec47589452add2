/** What the commands share that the owner of the schema runs: statements about tenants and tokens, and the names of these. */
import { SentinelError } from "../../ground/core/errors.ts";
import { ownersFailure } from "./database-error.ts";
import type { Pool } from "./open-pool.ts";

const NAME = /^[^\p{C}]{1,200}$/u;

/** Names of tenants and persons stand in lists and logs. @throws SentinelError `bad_argument` */
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
    "sentinel-memory serve tenant list shows those that are there; serve tenant create makes one.",
  );
}

/** A statement under the owner's role. */
export async function queryAsOwner(pool: Pool, sql: string, values: readonly unknown[]) {
  return pool.query(sql, values as unknown[]).catch(ownersFailure("Reading or changing tenants and tokens"));
}
