/** Connections to a database, with time limits. */
import pg from "pg";
import { SentinelError } from "../../ground/core/errors.ts";

export type { Pool, PoolClient } from "pg";

type Limits = Pick<pg.PoolConfig, "max" | "connectionTimeoutMillis" | "query_timeout">;

const STATEMENT_TIMEOUT_MS = 30_000;
/** After this time without even a statement timeout, the database is considered silent. */
const SILENT_AFTER_MS = STATEMENT_TIMEOUT_MS + 2_000;
const PATIENCE_MS = 5_000;

/** @param url `postgres://role@host/database`. The password may be in it, in PGPASSWORD or ~/.pgpass. @param limits the most connections, and timeouts in ms. */
export function openPool(url: string, limits: Limits): pg.Pool {
  // The error doesn't quote the URL, because it may contain a password.
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
  // An idle connection was lost. The next call opens a new one.
  pool.on("error", () => undefined);
  // A connection can get lost between two statements, and the next statement fails. Without a listener, the event would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
