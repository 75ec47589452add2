/** Runs statements on behalf of one reader. */
import { escapeLiteral } from "pg";
import type { TokenOptions } from "../http/caller.ts";
import type { Pool, PoolClient } from "./open-pool.ts";
import { toStorable } from "./storable-text.ts";
import { changing, looking } from "./transaction.ts";

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
  readonly #pool: Pool;
  /** Applies to one transaction only, because connections are shared. */
  readonly #setReader: string;

  constructor(pool: Pool, { tenant, owner, channel }: Identity) {
    this.identity = { tenant: toStorable(tenant), owner: toStorable(owner), channel };
    this.#pool = pool;
    this.call = queryOf(pool);
    this.#setReader = setReader(this.identity);
  }

  /** Reads under the policies, so the tables only show what this reader may see. */
  reading<Result>(act: (query: Query) => Promise<Result>): Promise<Result> {
    const begin = `begin isolation level repeatable read read only; ${this.#setReader}`;
    return looking(this.#pool, begin, (client) => act(queryOf(client)));
  }

  /** Reads and writes in one transaction. */
  writing<Result>(act: (query: Query) => Promise<Result>): Promise<Result> {
    return changing(this.#pool, `begin; ${this.#setReader}`, (client) => act(queryOf(client)));
  }
}

function queryOf(client: Pick<PoolClient, "query">): Query {
  return async (sql, values) => (await client.query(sql, values as unknown[])).rows;
}

function setReader(identity: Identity): string {
  const settings = Object.entries(identity).map(
    ([name, value]) => `set_config('sentinel.${name}', ${escapeLiteral(value)}, true)`,
  );
  return `select ${settings.join(", ")}`;
}
