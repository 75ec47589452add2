/** Transactions on a connection of a pool, which is given back however they end. */
import type { Pool, PoolClient } from "./open-pool.ts";

type Act<Result> = (client: PoolClient) => Promise<Result>;

/** Begins one whose statements may take as long as a large session log needs. */
export const WITHOUT_HASTE = "begin; set local statement_timeout = 0";

/** What the act changes is changed as a whole, or not at all. @param begin what begins it, with its settings. */
export async function changing<Result>(
  pool: Pool,
  begin: string,
  act: Act<Result>,
): Promise<Result> {
  const { client, result } = await begun(pool, begin, async (client) => {
    const done = await act(client);
    await client.query("commit");
    return done;
  });
  client.release();
  return result;
}

/** For an act that changes nothing: nobody has to wait until the transaction has ended. */
export async function looking<Result>(
  pool: Pool,
  begin: string,
  act: Act<Result>,
): Promise<Result> {
  const { client, result } = await begun(pool, begin, act);
  void end(client, "commit").then((broken) => client.release(broken));
  return result;
}

/** @returns what the act did within a transaction, which it may have ended; where it failed, nothing is. */
async function begun<Result>(pool: Pool, begin: string, act: Act<Result>) {
  const client = await pool.connect();
  try {
    await client.query(begin);
    return { client, result: await act(client) };
  } catch (error) {
    client.release(await end(client, "rollback"));
    throw error;
  }
}

/** A silent connection is given up, and ends with that. */
const SOON = { query_timeout: 2_000 };

/** @returns why the connection can be used no more. */
const end = (client: PoolClient, how: "commit" | "rollback"): Promise<Error | undefined> =>
  client.query({ text: how, ...SOON }).then(
    () => undefined,
    (error: Error) => error,
  );
