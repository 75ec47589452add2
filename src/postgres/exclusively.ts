/** What only one process may do at a time for a person, under a lock of the database. */
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../core/errors.ts";
import type { Database } from "./database.ts";

const PATIENCE_MS = 10_000;
const PAUSE_MS = 20;
const TRY =
  "select pg_try_advisory_xact_lock(hashtextextended('sentinel alone ' || sentinel.write_lock($1, $2), 0)) as is_ours";

/**
 * The lock ends with the transaction that holds it, so it works through a pooler of transactions too, and with its process. The act uses
 * other connections, so a pool has to have one more than acts that may run at once.
 *
 * @throws SentinelError `lock_timeout`
 */
export function exclusively<Result>(
  database: Database,
  act: () => Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const end = performance.now() + patienceMs;
  const { tenant, owner } = database.identity;
  return database.writing(async (query) => {
    for (;;) {
      const [lock] = await query<{ is_ours: boolean }>(TRY, [tenant, owner]);
      if (lock?.is_ours) return act();
      if (performance.now() >= end) throw busy(owner);
      await sleep(PAUSE_MS);
    }
  });
}

function busy(owner: string): SentinelError {
  return new SentinelError(
    "lock_timeout",
    `Another process of ${owner} captures or purges.`,
    "Call again when it is done.",
  );
}
