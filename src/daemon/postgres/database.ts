/** One reader of the database: who it is, and statements in its name. */
import { escapeLiteral } from "pg";
import type { TokenOptions } from "../http/caller.ts";
import type { Pool, PoolClient } from "./open-pool.ts";
import { toStorable } from "./storable-text.ts";
import { changing, looking } from "./transaction.ts";

/** Whose session log it is. It comes from a token, never from a call. */
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
  /** Calls a function of ours, which names tenant and person by itself. */
  readonly call: Query;
  readonly #pool: Pool;
  /** For one transaction alone: the next one on its connection is another reader's. */
  readonly #setReader: string;

  constructor(pool: Pool, { tenant, owner, channel }: Identity) {
    this.identity = { tenant: toStorable(tenant), owner: toStorable(owner), channel };
    this.#pool = pool;
    this.call = queryOf(pool);
    this.#setReader = setReader(this.identity);
  }

  /** Reads under the policies: of the tables only what this reader may see is there. */
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
