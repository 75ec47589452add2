/** A daemon in a process of its own over a database of the bench, and tokens for it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createTenant } from "../../src/daemon/postgres/tenants.ts";
import type { Daemon } from "../../src/sessions/remote/call-daemon.ts";
import { atSignal } from "../../test/support/at-signal.ts";
import { ownToken } from "../../test/support/own-token.ts";
import { migratedDatabase, type Postgres, poolOf } from "../../test/support/postgres-server.ts";
import { BIN } from "../../test/support/project.ts";

/** Options of Node for it, such as `--cpu-prof --cpu-prof-dir=DIR`. */
const OPTIONS = process.env.BENCH_NODE_OPTIONS?.split(" ") ?? [];

export const TENANT = "acme";

export interface DaemonOfBench {
  readonly database: string;
  /** Of the process that runs now. */
  readonly pid: number;
  /** The daemon with a new token of a person. */
  as(owner: string): Promise<Daemon>;
  /** Kills it at once, and starts another at the same address. */
  kill(): Promise<void>;
  end(): Promise<void>;
}

/** @param more of its environment. @param bin the program. */
export async function startDaemon(
  postgres: Postgres,
  more: Record<string, string> = {},
  bin = BIN,
): Promise<DaemonOfBench> {
  const database = await migratedDatabase(postgres);
  const owner = poolOf(postgres.port, "owner", database, { max: 1 });
  await createTenant(owner, TENANT);
  const url = `postgres://daemon@127.0.0.1:${postgres.port}/${database}`;
  const env = { ...process.env, ...more, SENTINEL_DATABASE_URL: url };
  const serve = (port: string) =>
    spawn(process.execPath, [...OPTIONS, bin, "daemon", "serve", "--port", port], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
  let child = serve("0");
  process.once("exit", () => child.kill());
  const forget = atSignal(() => child.kill());
  const address = await addressOf(child);
  return {
    database,
    get pid() {
      return child.pid ?? 0;
    },
    async as(person) {
      return { url: address, token: await ownToken(owner, TENANT, person) };
    },
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
      child = serve(new URL(address).port);
      await addressOf(child);
    },
    async end() {
      forget();
      child.kill();
      await Promise.all([once(child, "exit"), owner.end()]);
    },
  };
}

/** Goes on reading what it logs. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stderr === null) {
      throw new Error("The daemon has no standard error.");
    }
    const said: string[] = [];
    createInterface({ input: child.stderr }).on("line", (line) => {
      const [, address] = /^Listening on (\S+)$/.exec(line) ?? [];
      if (address) {
        resolve(address);
      } else if (said.length < 10) {
        said.push(line);
      }
    });
    child.once("exit", () => reject(new Error(said.join("\n"))));
  });
}
