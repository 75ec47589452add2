/** The daemon's worker thread. It parses large bodies and redacts their events, and opens no connections. */
import { parentPort } from "node:worker_threads";
import type { PrepareTask } from "../../daemon/database-callers.ts";
import { parseBody } from "../../daemon/http/bodies.ts";
import { prepareBatch } from "../../daemon/postgres/event-rows.ts";
import { tenantRedactor } from "../../daemon/tenant-redactor.ts";
import type { Outcome, Task } from "../../daemon/worker-thread.ts";
import { SentinelError } from "../../ground/core/errors.ts";

const TASKS: Readonly<Record<string, (input: never) => unknown>> = {
  parse: parseBody,
  prepare({ tenant, privacy, ...unprepared }: PrepareTask) {
    return prepareBatch(unprepared, tenantRedactor({ tenant, privacy }));
  },
};

parentPort?.on("message", async ({ id, name, input }: Task) => {
  try {
    answer({ id, result: await TASKS[name]?.(input as never) });
  } catch (error) {
    answer({ id, ...failureOf(error) });
  }
});

/** Turns an error into plain data, because errors lose their class and code when copied between threads. */
function failureOf(error: unknown): Pick<Outcome, "refused" | "error"> {
  if (!(error instanceof SentinelError)) {
    return { error };
  }
  const { code, message, fix } = error;
  return { refused: { code, message, fix } };
}

const answer = (outcome: Outcome): void => parentPort?.postMessage(outcome);
