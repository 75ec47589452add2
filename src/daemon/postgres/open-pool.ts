/** Connections to a database, within limits of time: nobody waits for ever for one that is gone. */
import pg from "pg";
import { SentinelError } from "../../ground/core/errors.ts";

export type { Pool, PoolClient } from "pg";

type Limits = Pick<pg.PoolConfig, "max" | "connectionTimeoutMillis" | "query_timeout">;

const STATEMENT_TIMEOUT_MS = 30_000;
/** A database that has not even said by then that a statement took too long is silent. */
const SILENT_AFTER_MS = STATEMENT_TIMEOUT_MS + 2_000;
const PATIENCE_MS = 5_000;

/** @param url `postgres://role@host/database`; a password may be in it, in PGPASSWORD or ~/.pgpass. @param limits most connections, waits in ms. */
export function openPool(url: string, limits: Limits): pg.Pool {
  // The URL may hold a password, so it is not quoted.
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new SentinelError(
      "bad_argument",
      "The address of the database is not one.",
      "Give --database-url postgres://ROLE@HOST/DATABASE, or set SENTINEL_DATABASE_URL.",
    );
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: SILENT_AFTER_MS,
    application_name: "sentinel-memory",
    ...limits,
  });
  // A connection that is lost while nobody uses it; the next call opens another one.
  pool.on("error", () => undefined);
  // One that is lost between two statements, as while a caller holds a lock: the next statement fails. Unheard, it would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
