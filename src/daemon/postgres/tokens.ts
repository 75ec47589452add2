/** Tokens. A token has a public id and a secret, which is stored as a hash. It has one tenant, one person and the most private channel to read and record in. */
import { hash, randomBytes } from "node:crypto";
import { SentinelError } from "../../ground/core/errors.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { exportLines } from "../../sessions/storing/exported.ts";
import { eventRedactor } from "../../sessions/storing/redactor.ts";
import type { Audited, Caller, TokenOptions } from "../http/caller.ts";
import { inTransaction, type Pool, WITHOUT_HASTE } from "./database.ts";
import { databaseError, ownersFailure } from "./database-error.ts";
import { postgresEventStore } from "./event-store.ts";
import { checkName, noTenant, runAsOwner } from "./tenants.ts";

/** A token in a list, without its secret. */
export interface ListedToken extends Omit<Caller, "privacy"> {
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  /** Updated at most once an hour. */
  readonly lastUsedAt: Date | null;
}

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const FORM = /^sentinel_([0-9a-f]{16})_([\w-]{43})$/;
/** Every call starts with this lookup, so it has a short time limit in case the database is silent. */
const FIND = {
  text: `select p_tenant as tenant, p_owner as owner, p_channel as channel, p_scope as scope, p_own as own,
      p_expires_at as "expiresAt", p_privacy as privacy
    from sentinel.find_token($1, $2) where p_tenant is not null`,
  query_timeout: 5_000,
};
const INSERT = `insert into sentinel.tokens (id, hash, tenant, owner, channel, scope, expires_at)
  select $1, $2, name, $4, $5, $6, $7 from sentinel.tenants where name = $3 returning id`;
const LIST = `select id, tenant, owner, channel, scope, own, created_at as "createdAt", expires_at as "expiresAt",
    revoked_at as "revokedAt", last_used_at as "lastUsedAt"
  from sentinel.tokens where tenant = $1 or $1 is null order by tenant, owner, created_at`;
const REVOKE =
  "update sentinel.tokens set revoked_at = now() where id = $1 and revoked_at is null returning id";
const ROTATE =
  "select p_channel as channel from sentinel.rotate_token($1, $2, $3, $4, $5::interval)";
const END_TOKENS =
  "update sentinel.tokens set revoked_at = now() where tenant = $1 and owner = $2 and revoked_at is null";
const REMOVE_PERSON = "select sentinel.remove_person($1, $2)::float8 as events";
const AUDIT = `select at, person, by, act, token, what from sentinel.audit
  where tenant = $1 and (person = $2 or $2 is null) order by at`;
const AUDIT_FOR = "select at, person, by, act, token, what from sentinel.audit_for($1)";
/** The default lifetime of a token, in days. */
const DAYS = 90;

/** Returns the caller of a token, or undefined if the token is wrong, revoked or expired. */
export async function findToken(pool: Pool, token: string): Promise<Caller | undefined> {
  const [, id, secret = ""] = FORM.exec(token) ?? [];
  if (id === undefined) {
    return undefined;
  }
  try {
    const values = [id, hashOf(secret)];
    const { rows } = await pool.query<Omit<Caller, "id">>({ ...FIND, values });
    const [holder] = rows;
    return holder && { id, ...holder };
  } catch (error) {
    throw databaseError(error, "read_failed", "Looking up the token");
  }
}

/** Creates a token. It's returned once and can't be shown again. @throws SentinelError `bad_argument`, `not_found` if the tenant doesn't exist. */
export async function createToken(pool: Pool, options: TokenOptions): Promise<string> {
  const { tenant, owner, channel, scope, expiresAt = inDays(DAYS) } = options;
  checkName("person", owner);
  const { id, secretHash, token } = newToken();
  const made = await runAsOwner(pool, INSERT, [
    id,
    secretHash,
    tenant,
    owner,
    channel,
    scope,
    expiresAt,
  ]);
  if (made.length === 0) {
    throw noTenant(tenant);
  }
  return token;
}

export interface RotatedToken {
  /** The secret, which can't be shown again. */
  readonly token: string;
  readonly channel: TokenOptions["channel"];
  /** ISO 8601. */
  readonly expiresAt: string;
}

/**
 * Replaces a holder's token. The old token ends after some hours, or at once if the operator created it.
 * @throws SentinelError `not_allowed` if it was already replaced.
 */
export async function rotateToken(
  pool: Pool,
  oldId: string,
  overlapHours: number,
): Promise<RotatedToken> {
  const { id, secretHash, token } = newToken();
  const expiresAt = inDays(DAYS);
  const [made] = await runAsOwner<{ readonly channel: TokenOptions["channel"] | null }>(
    pool,
    ROTATE,
    [oldId, id, secretHash, expiresAt, `${overlapHours} hours`],
  );
  if (made?.channel) {
    return { token, channel: made.channel, expiresAt };
  }
  throw new SentinelError(
    "not_allowed",
    "This token was replaced before.",
    "Use the token that replaced it, or get another from the daemon's operator.",
  );
}

/** Returns the tokens of a tenant, or of all tenants. */
export function listTokens(pool: Pool, tenant?: string): Promise<readonly ListedToken[]> {
  return runAsOwner(pool, LIST, [tenant]);
}

/** Revokes a token with immediate effect. @throws SentinelError `not_found` */
export async function revokeToken(pool: Pool, id: string): Promise<void> {
  const revoked = await runAsOwner(pool, REVOKE, [id]);
  if (revoked.length > 0) {
    return;
  }
  throw new SentinelError(
    "not_found",
    `No token with the id ${id} is in use.`,
    "sentinel-memory daemon token list shows the ids.",
  );
}

interface PersonToRemove {
  readonly tenant: string;
  readonly name: string;
}

/**
 * Revokes a person's tokens, then deletes them and the person's events in `agent` and `private`. It can be called again after a failure.
 * @param write receives everything that the person recorded, as lines, before the deletion. If it reads no lines, nothing is done.
 * @returns the number of deleted events. @throws SentinelError `not_found` if the person has no token.
 */
export async function removePerson(
  pool: Pool,
  { tenant, name }: PersonToRemove,
  write?: (lines: AsyncIterable<string>) => Promise<void>,
): Promise<number> {
  const tokens = await listTokens(pool, tenant);
  if (!tokens.some(({ owner }) => owner === name)) {
    throw noPerson(tenant, name);
  }
  if (write) {
    await write(endAndExport(pool, { tenant, name }));
  }
  const gone = await inTransaction(pool, WITHOUT_HASTE, (client) =>
    runAsOwner<{ readonly events: number | null }>(client, REMOVE_PERSON, [tenant, name]),
  ).catch(ownersFailure("Removing a person"));
  return gone[0]?.events ?? 0;
}

/** Revokes the tokens, then yields the person's events. A policy lets the owner read events of a person whose tokens have all ended. */
async function* endAndExport(pool: Pool, { tenant, name }: PersonToRemove): AsyncGenerator<string> {
  await runAsOwner(pool, END_TOKENS, [tenant, name]);
  const store = postgresEventStore({
    pool,
    tenant,
    owner: name,
    channel: "private",
    redactor: eventRedactor(),
    now: Date.now,
  });
  yield* exportLines({ project: tenant }, [store]);
}

function noPerson(tenant: string, name: string): SentinelError {
  return new SentinelError(
    "not_found",
    `There is no person "${name}" in the tenant "${tenant}".`,
    "sentinel-memory daemon token list shows the persons.",
  );
}

/** Returns the actions on tokens of a tenant or one person, oldest first. */
export function readAudit(
  pool: Pool,
  tenant: string,
  person?: string,
): Promise<readonly Audited[]> {
  return runAsOwner(pool, AUDIT, [tenant, person]);
}

/** Returns the actions on tokens of the person who holds this one. */
export function auditFor(pool: Pool, tokenId: string): Promise<readonly Audited[]> {
  return runAsOwner(pool, AUDIT_FOR, [tokenId]);
}

function newToken() {
  const id = randomBytes(ID_BYTES).toString("hex");
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { id, secretHash: hashOf(secret), token: `sentinel_${id}_${secret}` };
}

function hashOf(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}
