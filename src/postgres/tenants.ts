/** Tenants: those who share a record. The owner of the schema makes them. */
import type { Pool } from "pg";
import { SentinelError } from "../core/errors.ts";
import { asOwner, checkName, noTenant } from "./tokens.ts";

const INSERT = "insert into sentinel.tenants (name) values ($1) on conflict do nothing";
const SET_PRIVACY = "update sentinel.tenants set privacy = $2 where name = $1";

/** @throws SentinelError `bad_argument`, or `id_taken` where there is one of this name. */
export async function createTenant(pool: Pool, name: string): Promise<void> {
  checkName("tenant", name);
  const { rowCount } = await asOwner(pool, INSERT, [name]);
  if (rowCount === 0) throw new SentinelError("id_taken", `There is a tenant "${name}".`, "Use it, or another name.");
}

/** @param privacy what it never stores, as a privacy.yaml says it. @throws SentinelError `not_found` */
export async function setPrivacy(pool: Pool, name: string, privacy: string): Promise<void> {
  const { rowCount } = await asOwner(pool, SET_PRIVACY, [name, privacy]);
  if (rowCount === 0) throw noTenant(name);
}
