/** What only one process may do at a time for a person, under a lock of the database. */
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../../ground/core/errors.ts";
import type { Database } from "./database.ts";
import { isNoneFree } from "./database-error.ts";

const PATIENCE_MS = 10_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
const TRY =
  "select pg_try_advisory_xact_lock(hashtextextended('sentinel alone ' || sentinel.write_lock($1, $2), 0)) as is_ours";

/**
 * The lock ends with its transaction, so with its process too, and works through a pooler. Who waits holds no connection. The act uses others, so
 * a pool has to have one more than acts that may run at once. @throws SentinelError `lock_timeout`
 */
export async function exclusively<Result>(
  database: Database,
  act: () => Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const { tenant, owner } = database.identity;
  const end = performance.now() + patienceMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const held = database.writing(async (query) => {
      const [lock] = await query<{ is_ours: boolean }>(TRY, [tenant, owner]);
      return lock?.is_ours ? { result: await act() } : undefined;
    });
    const done = await held.catch(unlessNoneFree);
    if (done) return done.result;
    if (performance.now() >= end) {
      const message = `Another process of ${owner} captures or purges, or too many others do.`;
      throw new SentinelError("lock_timeout", message, "Call again when it is done.");
    }
    await sleep(pause);
  }
}

/** As many captures of others run as there are connections: it is one more that waits. */
function unlessNoneFree(error: unknown): undefined {
  if (!isNoneFree(error)) throw error;
}
