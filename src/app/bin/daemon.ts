/** The daemon and its operator commands. They have a separate bundle, because only they need a database and an HTTP server. */
import { setTimeout as sleep } from "node:timers/promises";
import packageJson from "../../../package.json" with { type: "json" };
import { databaseCallers } from "../../daemon/database-callers.ts";
import { type Listening, listen } from "../../daemon/http/listen.ts";
import { Service } from "../../daemon/http/service.ts";
import * as acts from "../../daemon/owners-acts.ts";
import { openPool } from "../../daemon/postgres/database.ts";
import { ownersFailure } from "../../daemon/postgres/database-error.ts";
import { checkRole, mustHaveSchema } from "../../daemon/postgres/migrate.ts";
import { expireEvents } from "../../daemon/postgres/tenants.ts";
import type {
  DaemonCommands,
  OwnersActs,
  ServeOptions,
} from "../../daemon/terminal/surroundings.ts";
import { WorkerThread } from "../../daemon/worker-thread.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { DAY_MS } from "../../ground/core/time.ts";

/** The most connections of one daemon to its database. */
const CONNECTIONS = 16;
const GOODBYE_MS = 1_000;

type Act = (...args: unknown[]) => unknown;

export const daemonCommands: DaemonCommands = { serve, asOwner };

async function serve(
  { databaseUrl, host, port, hosts, admin }: ServeOptions,
  tell: (line: string) => void,
): Promise<void> {
  const pool = openPool(databaseUrl, { max: CONNECTIONS });
  const thread = new WorkerThread(new URL("daemon-thread.mjs", import.meta.url));
  const open: Listening[] = [];
  let upkeepTimer: NodeJS.Timeout | undefined;
  try {
    await checkRole(pool);
    // A failed deletion runs again tomorrow.
    const failed = (error: unknown) =>
      log({ call: "upkeep", error: error instanceof SentinelError ? error.code : "unknown" });
    const upkeep = () => expireEvents(pool).catch(failed);
    upkeepTimer = setInterval(upkeep, DAY_MS).unref();
    void upkeep();
    const service = new Service({
      callers: databaseCallers({
        pool,
        now: Date.now,
        prepareLarge: (task) => thread.run("prepare", task),
      }),
      parseLarge: (body) => thread.run("parse", body, [body.buffer]),
      pool,
      checkHealth: () => checkRole(pool),
      hosts: admin ? [...hosts, admin.host.toLowerCase()] : hosts,
      version: packageJson.version,
      log,
    });
    if (admin) {
      open.push(await listen({ ...admin, answer: service.answerOperator }));
      tell(`Answering its operator on ${open.at(-1)?.url}`);
    }
    open.push(await listen({ host, port, answer: service.answer, onClose: () => service.stop() }));
    tell(`Listening on ${open.at(-1)?.url}`);
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) {
        process.once(signal, () => resolve());
      }
    });
  } finally {
    clearInterval(upkeepTimer);
    // Close the operator's endpoint last, so that it reports the shutdown until the end.
    for (const listening of open.reverse()) {
      await listening.close();
    }
    await thread.close();
    // A silent database doesn't answer the disconnect either.
    await Promise.race([pool.end(), sleep(GOODBYE_MS)]);
  }
}

function log(entry: object): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
}

async function asOwner<Result>(
  url: string,
  act: (owner: OwnersActs) => Promise<Result>,
): Promise<Result> {
  // An owner's command has no time limit, because a large session log may need long.
  const pool = openPool(url, { max: 1, query_timeout: 0 });
  const bound = Object.entries(acts).map(([name, each]) => [
    name,
    async (...args: unknown[]) => {
      if (each !== acts.migrate) {
        await mustHaveSchema(pool).catch(ownersFailure("Checking the schema"));
      }
      return (each as Act)(pool, ...args);
    },
  ]);
  try {
    return await act(Object.fromEntries(bound));
  } finally {
    await pool.end();
  }
}
