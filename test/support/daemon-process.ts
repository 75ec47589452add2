/** A daemon in a process of its own, as an operator starts it, and what an operator does at the command line. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type pg from "pg";
import { beforeAll, onTestFinished } from "vitest";
import { createTenant } from "../../src/daemon/postgres/tenants.ts";
import { type AtEnd, atEndOfFile } from "./in-test.ts";
import { makeOwn, ownToken } from "./own-token.ts";
import { migratedDatabase, type Postgres, poolOf } from "./postgres-server.ts";
import { BIN } from "./project.ts";
import { runProcess } from "./run-process.ts";
import { removeFolder, scratchFolder } from "./scratch.ts";

export interface DaemonProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** The lines of its standard error, except the one that says where it listens. */
  readonly log: readonly string[];
  /** Resolves when the process is gone. */
  readonly exited: Promise<unknown>;
}

export interface Operator {
  /** The name of the database. */
  readonly database: string;
  readonly databaseUrl: (role: string) => string;
  /** Runs a command below `daemon` under the owner's role; fails with what it says. */
  run(...args: readonly string[]): Promise<string>;
  /** Makes another tenant. */
  addTenant(name: string): Promise<unknown>;
  /** A person's own token of the first tenant. @param options of `token create` besides. */
  token(person: string, ...options: readonly string[]): Promise<string>;
  /** The same of another tenant. */
  tokenOf(tenant: string, person: string, ...options: readonly string[]): Promise<string>;
  /** @param options more than the port. */
  serve(...options: readonly string[]): Promise<DaemonProcess>;
}

/** One for all tests of a file. */
export function operatorOfFile(postgres: () => Postgres, tenant: string): () => Operator {
  const atEnd = atEndOfFile();
  let operator: Operator | undefined;
  beforeAll(async () => {
    operator = await operatorOf(postgres(), tenant, atEnd);
  });
  return () => operator as Operator;
}

/** A new database, with the schema and a tenant. */
export async function operatorOf(
  postgres: Postgres,
  tenant: string,
  atEnd: AtEnd = onTestFinished,
): Promise<Operator> {
  const database = await migratedDatabase(postgres);
  const databaseUrl = (role: string) => `postgres://${role}@127.0.0.1:${postgres.port}/${database}`;
  const cwd = scratchFolder();
  atEnd(() => removeFolder(cwd));
  const env = { PATH: process.env.PATH ?? "", HOME: cwd };
  const run = async (...args: readonly string[]) => {
    const surroundings = { cwd, env: { ...env, SENTINEL_DATABASE_URL: databaseUrl("owner") } };
    const { exit, stdout, stderr } = await runProcess(
      process.execPath,
      [BIN, "daemon", ...args],
      surroundings,
    );
    if (exit !== 0) {
      throw new Error(stderr);
    }
    return stdout.trim();
  };
  const asOwner = async <Result>(act: (owner: pg.Pool) => Promise<Result>) => {
    const owner = poolOf(postgres.port, "owner", database, { max: 1 });
    return act(owner).finally(() => owner.end());
  };
  await asOwner((owner) => createTenant(owner, tenant));
  const tokenOf = (of: string, person: string, ...options: readonly string[]) =>
    asOwner(async (owner) => {
      if (options.length === 0) {
        return ownToken(owner, of, person);
      }
      const token = await run("token", "create", "--tenant", of, "--person", person, ...options);
      await makeOwn(owner, token);
      return token;
    });
  return {
    database,
    databaseUrl,
    run,
    addTenant: (name) => asOwner((owner) => createTenant(owner, name)),
    tokenOf,
    token: (person, ...options) => tokenOf(tenant, person, ...options),
    serve: (...options) =>
      startDaemon(cwd, { ...env, SENTINEL_DATABASE_URL: databaseUrl("daemon") }, options, atEnd),
  };
}

/** Resolves when it listens, on a free port. @param env says where its database is. */
export function startDaemon(
  cwd: string,
  env: Record<string, string>,
  options: readonly string[] = [],
  atEnd?: AtEnd,
): Promise<DaemonProcess> {
  return startDaemonWith(
    process.execPath,
    [BIN, "daemon", "serve", "--port", "0", ...options],
    cwd,
    env,
    atEnd,
  );
}

/** The same of a daemon that another program, or another release, is. Resolves when it says where it listens. */
export async function startDaemonWith(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  atEnd: AtEnd = onTestFinished,
): Promise<DaemonProcess> {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  atEnd(() => void child.kill("SIGKILL"));
  const exited = new Promise((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal)),
  );
  const log: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const [, found] = /^Listening on (\S+)$/.exec(line) ?? [];
      if (found) {
        resolve(found);
      } else {
        log.push(line);
      }
    });
    void exited.then(() => reject(new Error(log.join("\n"))));
  });
  return { url, child, log, exited };
}

/** The port where a daemon answers its operator, if it was started with `--admin-port`. */
export function adminPortOf({ log: [first = ""] }: DaemonProcess, host = "127.0.0.1"): number {
  const before = `Answering its operator on http://${host}:`;
  if (!first.startsWith(before)) {
    throw new Error(`Not at ${host}: ${first}`);
  }
  return Number(first.slice(before.length));
}
