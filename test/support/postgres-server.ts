/**
 * A PostgreSQL of our own, for tests and benches: a new cluster in a scratch folder, on a free port of the loopback interface, as a user
 * without rights. It is Debian's package, or whatever `initdb` is found.
 */
import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, dirname, join, resolve } from "node:path";
import pg from "pg";
import { migrate } from "../../src/daemon/postgres/migrate.ts";
import { atSignal } from "./at-signal.ts";
import { removeFolder, scratchFolder } from "./scratch.ts";

const DEBIAN = "/usr/lib/postgresql";
/** Nobody else's transactions, and nothing that is flushed for a crash that no test has. */
const SETTINGS = [
  "autovacuum=off",
  "fsync=off",
  "max_connections=60",
  "listen_addresses=127.0.0.1",
];
/** Below those that a system gives to outgoing connections: one of these could get the port while the server is down. */
const PORTS = [20_000, 32_000] as const;

export interface Postgres {
  readonly folder: string;
  readonly port: number;
  /** Where its programs are. */
  readonly programs: string;
  /** Runs one of them as the user of the cluster. */
  run(program: string, ...options: readonly string[]): string;
}

/** The variable with the folder of the cluster that tests copy: `initdb` takes ten times as long as a copy. */
export const CLUSTER = "SENTINEL_TEST_CLUSTER";

/** By server: takes back that a signal stops it. */
const running = new WeakMap<Postgres, () => void>();

export async function startPostgres(programs = programsFolder()): Promise<Postgres> {
  const { folder, data, run } = newCluster(programs);
  const port = await freePort();
  const postgres = { folder, port, programs, run };
  running.set(
    postgres,
    atSignal(() => stopPostgres(postgres)),
  );
  const options = [...SETTINGS, `port=${port}`, `unix_socket_directories=${folder}`];
  const log = join(folder, "log");
  // Without a file for its output it would keep this process's pipe open.
  run(
    "pg_ctl",
    "start",
    "-w",
    "-s",
    "-D",
    data,
    "-l",
    log,
    "-o",
    options.map((option) => `-c ${option}`).join(" "),
  );
  await asAdmin(postgres, "create role owner login createrole", "create role daemon login");
  return postgres;
}

/** Makes a cluster in a folder of its own. @returns with `run`, which runs programs as the user of the cluster. */
export function newCluster(programs = programsFolder()) {
  const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  const folder = scratchFolder("postgres");
  if (user.uid !== undefined) {
    chownSync(folder, user.uid, user.gid);
  }
  const data = join(folder, "data");
  const run = (program: string, ...options: readonly string[]) =>
    execFileSync(resolve(programs, program), options, {
      ...user,
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
      maxBuffer: 2 ** 28,
    });
  const known = process.env[CLUSTER];
  // `resolve` leaves an absolute path as it is.
  if (known && programs === programsFolder()) {
    run("/bin/cp", "-a", join(known, "data"), data);
  } else {
    run(
      "initdb",
      "--no-sync",
      "--username=admin",
      "--auth=trust",
      "--encoding=UTF8",
      "--locale=C",
      data,
    );
  }
  return { folder, data, run };
}

/** Ends it as a crash does, and starts it again after something was done without it. */
export async function withoutPostgres(postgres: Postgres, act: () => unknown): Promise<void> {
  postgres.run(
    "pg_ctl",
    "stop",
    "-w",
    "-s",
    "-m",
    "immediate",
    "-D",
    join(postgres.folder, "data"),
  );
  try {
    await act();
  } finally {
    startAgain(postgres);
  }
}

/** Halts all of its processes while something is done, as a disk or a machine does that hangs: connections stay open, and nothing answers. */
export async function whileSilent<Result>(
  { folder }: Postgres,
  act: () => Promise<Result>,
): Promise<Result> {
  const [server = ""] = readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n");
  const signal = (name: NodeJS.Signals) => {
    const children = readFileSync(`/proc/${server}/task/${server}/children`, "utf8")
      .split(" ")
      .filter(Boolean);
    for (const pid of [server, ...children]) {
      process.kill(Number(pid), name);
    }
  };
  signal("SIGSTOP");
  try {
    return await act();
  } finally {
    signal("SIGCONT");
  }
}

/** With the settings that it had. */
export function startAgain({ folder, run }: Postgres): void {
  const data = join(folder, "data");
  // The file quotes each option that the server was started with.
  const options = readFileSync(join(data, "postmaster.opts"), "utf8");
  const settings = [...options.matchAll(/"-c" "([^"]+)"/g)]
    .map(([, setting]) => `-c ${setting}`)
    .join(" ");
  run("pg_ctl", "start", "-w", "-s", "-D", data, "-l", join(folder, "log"), "-o", settings);
}

export function stopPostgres(postgres: Postgres): void {
  const { folder, run } = postgres;
  running.get(postgres)?.();
  try {
    run("pg_ctl", "stop", "-w", "-s", "-m", "immediate", "-D", join(folder, "data"));
  } finally {
    removeFolder(folder);
  }
}

export function poolOf(
  port: number,
  user: string,
  database: string,
  more: pg.PoolConfig = {},
): pg.Pool {
  const pool = new pg.Pool({ host: "127.0.0.1", port, user, database, ...more });
  pool.on("error", () => undefined);
  return pool;
}

let databases = 0;

/** A new database of the role `owner`, which copies a template; the default one is empty. */
export async function emptyDatabase(postgres: Postgres, template = "template1"): Promise<string> {
  const name = `record_${++databases}`;
  await asAdmin(postgres, `create database ${name} template ${template} owner owner`);
  return name;
}

/** By server: a database with the schema, which serves as a template only. */
const migrated = new WeakMap<Postgres, Promise<string>>();

/** A new database with the schema, in which the role `daemon` may do what a daemon may. */
export async function migratedDatabase(postgres: Postgres): Promise<string> {
  const template = migrated.get(postgres) ?? firstMigrated(postgres);
  migrated.set(postgres, template);
  return emptyDatabase(postgres, await template);
}

async function firstMigrated(postgres: Postgres): Promise<string> {
  const name = await emptyDatabase(postgres);
  const owner = poolOf(postgres.port, "owner", name);
  await migrate(owner);
  await runAll(owner, ["grant sentinel_app to daemon"]);
  return name;
}

export async function asAdmin({ port }: Postgres, ...statements: readonly string[]): Promise<void> {
  await runAll(poolOf(port, "admin", "postgres", { max: 1 }), statements);
}

export async function asOwnerOf(
  { port }: Postgres,
  database: string,
  ...statements: readonly string[]
): Promise<void> {
  await runAll(poolOf(port, "owner", database, { max: 1 }), statements);
}

async function runAll(pool: pg.Pool, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await pool.query(statement);
  }
  await pool.end();
}

/** The newest that is installed. */
function programsFolder(): string {
  const debian = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, "bin"))
    : [];
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...debian.sort().reverse()];
  const found = folders.find((folder) => folder !== "" && existsSync(join(folder, "initdb")));
  if (found === undefined) {
    throw new Error("These tests need PostgreSQL: apt-get install postgresql");
  }
  return dirname(realpathSync(join(found, "initdb")));
}

/** PostgreSQL does not start as root; the package brings a user of this name. */
function idOf(option: "-u" | "-g"): number {
  return Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      return port;
    } catch {
      // Somebody else has it.
    } finally {
      server.close();
    }
  }
}
