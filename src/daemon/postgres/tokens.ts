/** Tokens: an id that may be shown, and a secret of which the hash is kept. Each belongs to one person of one group. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { SentinelError } from "../../ground/core/errors.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import type { Caller, TokenOptions } from "../http/caller.ts";
import { databaseError } from "./database-error.ts";
import type { Pool } from "./open-pool.ts";
import { change, listed, noPerson } from "./owners-statements.ts";

/** Whom a token stands for. */
export interface TokenHolder extends Caller {
  /** What its tenant never stores, as a privacy.yaml says it. */
  readonly privacy: string | null;
}

/** A token as a list shows it: without its secret, which nobody has but its holder. */
export interface ListedToken extends Omit<Caller, "tenants"> {
  readonly group: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  /** To the hour. */
  readonly lastUsedAt: Date | null;
}

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const FORM = /^sentinel_([0-9a-f]{16})_([\w-]{43})$/;
/** Each call begins with it, so a database that is silent keeps nobody waiting for longer. */
const FIND = {
  text: `select asked.id, p_hash as hash, p_tenant as tenant, p_tenants as tenants, p_owner as owner, p_channel as channel, p_scope as scope,
      p_own as own, p_privacy as privacy, p_unnoted as unnoted, p_expires_at as "expiresAt"
    from unnest($1::text[], $2::text[]) with ordinality as asked (id, tenant, n)
      cross join lateral sentinel.find_caller(asked.id, asked.tenant) order by n`,
  query_timeout: 5_000,
};
const NOTE_USE = "select sentinel.note_use(id) from unnest($1::text[]) as id";
const INSERT = `insert into sentinel.tokens (id, hash, tenant, group_name, owner, channel, scope, expires_at)
  select $1, $2, $3, group_name, name, $5, $6, $7 from sentinel.persons
  where name = $4 and removed_at is null
    and group_name = coalesce($8, (select group_name from sentinel.tenants where name = $3))
  returning group_name, owner as person, 'made' as act,
    concat('token ', id, ' for ', scope, case when scope in ('write', 'read') then ', up to ' || sentinel.reach(own, channel) end,
      ', until ' || expires_at) as what`;
const LIST = `select id, group_name as group, tenant, owner, channel, scope, own, created_at as "createdAt", expires_at as "expiresAt",
    revoked_at as "revokedAt", last_used_at as "lastUsedAt"
  from sentinel.tokens where $1::text is null
    or coalesce(tenant, $1) = $1 and group_name = (select group_name from sentinel.tenants where name = $1)
  order by group_name, owner, created_at`;
const REVOKE = `update sentinel.tokens set revoked_at = now() where id = $1 and revoked_at is null
  returning group_name, owner as person, 'revoked' as act, 'token ' || id as what`;
const ROTATE =
  "select p_channel as channel from sentinel.rotate_token($1, $2, $3, $4, $5::interval)";
/** A token lasts for so many where nothing else is said. */
const DAYS = 90;
const NOBODY = Buffer.alloc(SECRET_BYTES);

/** A token, and the tenant that its call names. */
export interface AskedToken {
  readonly token: string;
  readonly tenant: string | undefined;
}

/** Whom each token stands for now; undefined for what is not one, was revoked, or is over its time. */
export async function findTokens(
  pool: Pool,
  asked: readonly AskedToken[],
): Promise<readonly (TokenHolder | undefined)[]> {
  const parts = asked.map(({ token }) => FORM.exec(token)?.slice(1) ?? []);
  if (parts.every(([id]) => id === undefined)) return parts.map(() => undefined);
  try {
    type Row = TokenHolder & { readonly hash: Buffer | null; readonly unnoted: boolean };
    const values = [parts.map(([id]) => id ?? ""), asked.map(({ tenant }) => tenant ?? null)];
    const { rows } = await pool.query<Row>({ ...FIND, values });
    const unnotedIds: string[] = [];
    const holders = rows.map(({ hash: known, unnoted, ...holder }, at) => {
      const isSame = timingSafeEqual(known ?? NOBODY, hashOf(parts[at]?.[1] ?? ""));
      if (!isSame || !known) return undefined;
      if (unnoted) unnotedIds.push(holder.id);
      return holder;
    });
    // Where nothing can be written, reading goes on.
    if (unnotedIds.length > 0) await pool.query(NOTE_USE, [unnotedIds]).catch(() => undefined);
    return holders;
  } catch (error) {
    throw databaseError(error, "read_failed", "Looking for the token");
  }
}

/** @returns the token. It cannot be shown again. @throws SentinelError `not_found` where the group has no such person. */
export async function createToken(pool: Pool, options: TokenOptions): Promise<string> {
  const { group, tenant, owner, channel, scope, expiresAt = inDays(DAYS) } = options;
  const { id, secretHash, token } = newToken();
  const made = await change(pool, INSERT, [
    id,
    secretHash,
    tenant,
    owner,
    channel,
    scope,
    expiresAt,
    group,
  ]);
  if (made === 0) throw noPerson(owner, group ?? tenant);
  return token;
}

/**
 * Makes a token in the place of one, which then ends: after some hours, or at once where the operator had made it.
 * @returns the token, which cannot be shown again, and what it reads and records. @throws SentinelError `not_allowed` for one that was replaced before.
 */
export async function rotateToken(pool: Pool, oldId: string, overlapHours: number) {
  const { id, secretHash, token } = newToken();
  const expiresAt = inDays(DAYS);
  const values = [oldId, id, secretHash, expiresAt, `${overlapHours} hours`];
  const [made] = await listed<{ readonly channel: TokenOptions["channel"] | null }>(
    pool,
    ROTATE,
    values,
  );
  if (made?.channel) return { token, channel: made.channel, expiresAt };
  const fix = "Use the one that was made of it, or get another from the daemon's operator.";
  throw new SentinelError("not_allowed", "Another token was made of this one already.", fix);
}

/** Tokens that are good for a tenant, or all. */
export const listTokens = (pool: Pool, tenant?: string): Promise<readonly ListedToken[]> =>
  listed(pool, LIST, [tenant]);

/** From the next call on. @throws SentinelError `not_found` */
export async function revokeToken(pool: Pool, id: string): Promise<void> {
  if ((await change(pool, REVOKE, [id])) === 0)
    throw new SentinelError(
      "not_found",
      `No token with the id ${id} is in use.`,
      "sentinel-memory daemon token list has the ids.",
    );
}

function newToken() {
  const id = randomBytes(ID_BYTES).toString("hex");
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { id, secretHash: hashOf(secret), token: `sentinel_${id}_${secret}` };
}

const hashOf = (secret: string): Buffer => hash("sha256", secret, "buffer");

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
