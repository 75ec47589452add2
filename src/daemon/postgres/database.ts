/** Connections to a database, and statements on behalf of one reader. */
import pg from "pg";
import { SentinelError } from "../../ground/core/errors.ts";
import type { TokenOptions } from "../http/caller.ts";
import { toStorable } from "./storable-text.ts";

export type { Pool, PoolClient } from "pg";

type Limits = Pick<pg.PoolConfig, "max" | "connectionTimeoutMillis" | "query_timeout">;

const STATEMENT_TIMEOUT_MS = 30_000;
/** After this time without even a statement timeout, the database is considered silent. */
const SILENT_AFTER_MS = STATEMENT_TIMEOUT_MS + 2_000;
const PATIENCE_MS = 5_000;
/** A connection that doesn't answer a rollback within this time is closed. */
const ROLLBACK_MS = 2_000;

/** @param url `postgres://role@host/database`. The password may be in it, in PGPASSWORD or ~/.pgpass. @param limits the most connections, and timeouts in ms. */
export function openPool(url: string, limits: Limits): pg.Pool {
  // The error doesn't quote the URL, because it may contain a password.
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new SentinelError(
      "bad_argument",
      "Invalid database URL.",
      "Give --database-url postgres://ROLE@HOST/DATABASE, or set SENTINEL_DATABASE_URL.",
    );
  }
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

/** Starts a transaction without a time limit for its statements. */
export const WITHOUT_HASTE = "begin; set local statement_timeout = 0";

/** Runs an action in a transaction. A failure rolls it back. @param begin starts the transaction, with its settings. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  begin: string,
  act: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const result = await act(client);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    const rollback = { text: "rollback", query_timeout: ROLLBACK_MS };
    const reasonToClose = await client.query(rollback).then(
      () => undefined,
      (failure: Error) => failure,
    );
    client.release(reasonToClose);
    throw error;
  }
}

/** The reader. It comes from a token, never from a call. */
export interface Identity extends Pick<TokenOptions, "owner" | "channel"> {
  readonly tenant: string;
}

type Row = Record<string, unknown>;
/** Runs a statement within a transaction. */
export type Query = <R extends object = Row>(
  sql: string,
  values?: readonly unknown[],
) => Promise<R[]>;

export class Database {
  readonly identity: Identity;
  /** Calls a function of schema.sql, with the tenant and the person as its first arguments. */
  readonly call: Query;
  readonly #pool: pg.Pool;
  /** Applies to one transaction only, because connections are shared. */
  readonly #setReader: string;

  constructor(pool: pg.Pool, { tenant, owner, channel }: Identity) {
    this.identity = { tenant: toStorable(tenant), owner: toStorable(owner), channel };
    this.#pool = pool;
    this.call = queryOf(pool);
    this.#setReader = setReader(this.identity);
  }

  /** Reads under the policies, so the tables only show what this reader may see. */
  reading<Result>(act: (query: Query) => Promise<Result>): Promise<Result> {
    const begin = `begin isolation level repeatable read read only; ${this.#setReader}`;
    return inTransaction(this.#pool, begin, (client) => act(queryOf(client)));
  }

  /** Reads and writes in one transaction. */
  writing<Result>(act: (query: Query) => Promise<Result>): Promise<Result> {
    return inTransaction(this.#pool, `begin; ${this.#setReader}`, (client) => act(queryOf(client)));
  }
}

function queryOf(client: Pick<pg.PoolClient, "query">): Query {
  return async (sql, values) => (await client.query(sql, values as unknown[])).rows;
}

function setReader(identity: Identity): string {
  const settings = Object.entries(identity).map(
    ([name, value]) => `set_config('sentinel.${name}', ${pg.escapeLiteral(value)}, true)`,
  );
  return `select ${settings.join(", ")}`;
}
