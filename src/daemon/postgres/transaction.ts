/** Runs transactions on a connection of a pool, and always returns the connection. */
import type { Pool, PoolClient } from "./open-pool.ts";

type Act<Result> = (client: PoolClient) => Promise<Result>;

/** Starts a transaction without a time limit for its statements. */
export const WITHOUT_HASTE = "begin; set local statement_timeout = 0";

/** Runs an action that changes the database in one transaction. @param begin starts the transaction, with its settings. */
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

/** Runs an action that changes nothing, and doesn't wait for the end of the transaction. */
export async function looking<Result>(
  pool: Pool,
  begin: string,
  act: Act<Result>,
): Promise<Result> {
  const { client, result } = await begun(pool, begin, act);
  void end(client, "commit").then((broken) => client.release(broken));
  return result;
}

/** Runs an action in a transaction, which it may end itself. A failure rolls it back. */
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

/** Closes a silent connection after this time. */
const SOON = { query_timeout: 2_000 };

/** @returns the reason to close the connection. */
const end = (client: PoolClient, how: "commit" | "rollback"): Promise<Error | undefined> =>
  client.query({ text: how, ...SOON }).then(
    () => undefined,
    (error: Error) => error,
  );
