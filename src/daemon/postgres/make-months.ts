/** Makes the partitions of the coming months, so that no events of a running daemon go to the default one. */
import { databaseError } from "./database-error.ts";
import type { Pool } from "./open-pool.ts";

export async function makeMonths(pool: Pool): Promise<void> {
  await pool.query("select sentinel.make_months()").catch((error) => {
    throw databaseError(error, "write_failed", "Making the partitions of the coming months");
  });
}
