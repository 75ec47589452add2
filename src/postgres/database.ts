/** One reader of the database: who it is, and statements in its name. */
import { escapeLiteral, type Pool, type PoolClient } from "pg";
import { SentinelError } from "../core/errors.ts";
import type { Event } from "../events/event.ts";
import { CommonTerms } from "./common-terms.ts";
import { toStorable } from "./storable-text.ts";
import { TermNumbers } from "./term-number.ts";

/** Whose record it is. It comes from a token, never from a call. */
export interface Identity {
  readonly tenant: string;
  /** The person. */
  readonly owner: string;
  /**
   * The widest channel that is read: `public` gives what is public, `team` also what anybody of the tenant recorded for the team, `agent`
   * also what this person recorded for agents, and `private` all that this person recorded.
   */
  readonly channel: Event["channel"];
}

type Row = Record<string, unknown>;
/** Runs a statement within a transaction. */
export type Query = <R extends object = Row>(sql: string, values?: readonly unknown[]) => Promise<R[]>;

const LONGEST_NAME = 200;

export class Database {
  readonly identity: Identity;
  readonly terms: TermNumbers;
  readonly common = new CommonTerms();
  readonly #pool: Pool;
  /** For one transaction alone: the next one on its connection is another reader's. */
  readonly #setReader: string;

  /** @throws SentinelError `bad_argument` for a tenant or a person without a name. */
  constructor(pool: Pool, { tenant, owner, channel }: Identity) {
    for (const [field, name] of Object.entries({ tenant, owner }))
      if (name === "" || name.length > LONGEST_NAME)
        throw new SentinelError("bad_argument", `${field} is not a name.`, `Give it 1 to ${LONGEST_NAME} characters.`);
    this.identity = { tenant: toStorable(tenant), owner: toStorable(owner), channel };
    this.terms = new TermNumbers(this.identity);
    this.#pool = pool;
    this.#setReader = setReader(this.identity);
  }

  /** Calls a function of ours, which names tenant and person by itself. */
  call: Query = async (sql, values) => rowsOf(await this.#pool.query(sql, values as unknown[]));

  /** Reads under the policies: of the tables only what this reader may see is there. */
  async reading<Result>(act: (query: Query) => Promise<Result>): Promise<Result> {
    const { client, result } = await this.#begun("begin isolation level repeatable read read only", act);
    // It was read: nobody has to wait until that is over.
    void end(client, "commit").then((broken) => client.release(broken));
    return result;
  }

  /** Reads and writes in one transaction. */
  async writing<Result>(act: (query: Query) => Promise<Result>): Promise<Result> {
    const { client, result } = await this.#begun("begin", act);
    try {
      await client.query("commit");
      client.release();
      return result;
    } catch (error) {
      client.release(await end(client, "rollback"));
      throw error;
    }
  }

  /** @returns what the act did within a transaction that is still open; where it failed, nothing is. */
  async #begun<Result>(begin: string, act: (query: Query) => Promise<Result>) {
    const client = await this.#pool.connect();
    try {
      await client.query(`${begin}; ${this.#setReader}`);
      const result = await act(async (sql, values) => rowsOf(await client.query(sql, values as unknown[])));
      return { client, result };
    } catch (error) {
      client.release(await end(client, "rollback"));
      throw error;
    }
  }
}

function setReader(identity: Identity): string {
  const settings = Object.entries(identity).map(
    ([name, value]) => `set_config('sentinel.${name}', ${escapeLiteral(value)}, true)`,
  );
  return `select ${settings.join(", ")}`;
}

/** @returns why the connection can be used no more. */
async function end(client: PoolClient, how: "commit" | "rollback"): Promise<Error | undefined> {
  try {
    await client.query(how);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function rowsOf<R>({ rows }: { rows: unknown[] }): R[] {
  return rows as R[];
}
