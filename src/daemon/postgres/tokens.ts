/** Tokens: an id that may be shown, and a secret of which the hash is kept. Each belongs to one person of one tenant. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { SentinelError } from "../../ground/core/errors.ts";
import type { ListedToken, TokenOptions } from "../terminal/daemon-commands.ts";
import type { Identity } from "./database.ts";
import { databaseError } from "./database-error.ts";
import type { Pool } from "./open-pool.ts";
import { checkName, noTenant, queryAsOwner } from "./owners-statements.ts";

/** Whom a token stands for. */
export interface TokenHolder extends Identity {
  readonly id: string;
  readonly scope: TokenOptions["scope"];
  /** What its tenant never stores, as a privacy.yaml says it. */
  readonly privacy: string;
}

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const FORM = /^sentinel_([0-9a-f]{16})_([\w-]{43})$/;
/** Each call begins with it, so a database that is silent keeps nobody waiting for longer. */
const FIND = {
  text: `select asked.id, p_hash as hash, p_tenant as tenant, p_owner as owner, p_channel as channel, p_scope as scope, p_privacy as privacy
    from unnest($1::text[]) with ordinality as asked (id, n) cross join lateral sentinel.find_token(asked.id) order by n`,
  query_timeout: 5_000,
};
const INSERT = `insert into sentinel.tokens (id, hash, tenant, owner, channel, scope, expires_at)
  select $1, $2, name, $4, $5, $6, $7 from sentinel.tenants where name = $3`;
const LIST = `select id, tenant, owner, channel, scope, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt"
  from sentinel.tokens where tenant = $1 or $1 is null order by tenant, owner, created_at`;
const REVOKE = "update sentinel.tokens set revoked_at = now() where id = $1 and revoked_at is null";
const NOBODY = Buffer.alloc(SECRET_BYTES);

/** Whom each token stands for now; undefined for what is not one, was revoked, or is over its time. */
export async function findTokens(pool: Pool, tokens: readonly string[]): Promise<readonly (TokenHolder | undefined)[]> {
  const parts = tokens.map((token) => FORM.exec(token)?.slice(1) ?? []);
  if (parts.every(([id]) => id === undefined)) return parts.map(() => undefined);
  try {
    const values = [parts.map(([id]) => id ?? "")];
    const { rows } = await pool.query<TokenHolder & { hash: Buffer | null }>({ ...FIND, values });
    return rows.map(({ hash: known, ...holder }, at) => {
      const isSame = timingSafeEqual(known ?? NOBODY, hashOf(parts[at]?.[1] ?? ""));
      return isSame && known ? holder : undefined;
    });
  } catch (error) {
    throw databaseError(error, "read_failed", "Looking for the token");
  }
}

/** @returns the token. It cannot be shown again. @throws SentinelError `bad_argument`, or `not_found` where there is no such tenant. */
export async function createToken(
  pool: Pool,
  { tenant, owner, channel, scope, expiresAt }: TokenOptions,
): Promise<string> {
  checkName("person", owner);
  const id = randomBytes(ID_BYTES).toString("hex");
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const made = await queryAsOwner(pool, INSERT, [id, hashOf(secret), tenant, owner, channel, scope, expiresAt ?? null]);
  if (made.rowCount === 0) throw noTenant(tenant);
  return `sentinel_${id}_${secret}`;
}

/** Of one tenant, or of all. */
export async function listTokens(pool: Pool, tenant?: string): Promise<readonly ListedToken[]> {
  return (await queryAsOwner(pool, LIST, [tenant ?? null])).rows as ListedToken[];
}

/** From the next call on. @throws SentinelError `not_found` */
export async function revokeToken(pool: Pool, id: string): Promise<void> {
  const { rowCount } = await queryAsOwner(pool, REVOKE, [id]);
  if (rowCount === 0)
    throw new SentinelError(
      "not_found",
      `No token with the id ${id} is in use.`,
      "sentinel-memory serve token list has the ids.",
    );
}

const hashOf = (secret: string): Buffer => hash("sha256", secret, "buffer");
