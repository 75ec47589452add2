/** Connections to a database, within limits of time: nobody waits for ever for one that is gone. */
import pg from "pg";
import { SentinelError } from "../../ground/core/errors.ts";

export type { Pool, PoolClient } from "pg";

const STATEMENT_TIMEOUT_MS = 30_000;

/**
 * @param url `postgres://role@host/database`; a password may be in it, in PGPASSWORD or in ~/.pgpass. @param max connections at once.
 * @param patienceMs how long a caller waits for one.
 */
export function openPool(url: string, max: number, patienceMs = 5_000): pg.Pool {
  // The URL may hold a password, so it is not quoted.
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new SentinelError(
      "bad_argument",
      "The address of the database is not one.",
      "Give --database-url postgres://ROLE@HOST/DATABASE, or set SENTINEL_DATABASE_URL.",
    );
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: patienceMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: "sentinel-memory",
  });
  // A connection that is lost while nobody uses it; the next call opens another one.
  pool.on("error", () => undefined);
  // One that is lost between two statements, as while a caller holds a lock: the next statement fails. Unheard, it would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
