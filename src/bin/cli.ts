/** The program `sentinel-memory`. Without a command it is the server; with one it runs that command. */
import { parseArgs } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import type { DaemonCommands } from "../cli/daemon-commands.ts";
import { SentinelError } from "../core/errors.ts";
import { log } from "../files/stderr.ts";
import { openingLessons } from "../mcp/opening-lessons.ts";
import { createServer } from "../mcp/server.ts";
import { serveStdio } from "../mcp/stdio.ts";
import { findProject, type Project } from "../project/find-project.ts";
import { isRecorded } from "../project/record/is-recorded.ts";
import type { Stores } from "./open-stores.ts";

/** The smallest useful answer, in bytes. */
const LEAST_OUTPUT_BUDGET_BYTES = 2_000;

void main();

async function main(): Promise<void> {
  const server = serverArguments(process.argv.slice(2));
  if (server) await serve(server.project);
  else process.exitCode = await command();
  process.exit();
}

/**
 * The arguments of a start as a server; undefined for a command, or for help. Read without the argument library of the
 * commands, which would add to every start.
 */
function serverArguments(args: readonly string[]): { project: string | undefined } | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: { project: { type: "string" } } });
    return { project: values.project };
  } catch {
    return undefined;
  }
}

async function command(): Promise<number> {
  const [{ runCommand }, { openEvents, openStores }] = await Promise.all([
    import("../cli/program.ts"),
    import("./open-stores.ts"),
  ]);
  return runCommand({
    argv: process.argv,
    env: process.env,
    cwd: process.cwd(),
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    version: packageJson.version,
    build: import.meta.dirname,
    openEvents,
    openStores,
    loadDaemon,
  });
}

/** It lies beside this file; a copy in a repository has only what agents need. */
async function loadDaemon(): Promise<DaemonCommands> {
  try {
    return (await import("./daemon.ts")).daemonCommands;
  } catch (error) {
    const message = "This copy of Sentinel Memory has no daemon.";
    throw new SentinelError("not_found", message, "Use the package, or a build of the repository.", { cause: error });
  }
}

async function serve(project: string | undefined): Promise<void> {
  if (process.stdin.isTTY) log("an MCP server, waiting for a client on standard input; see --help, or press Ctrl-C.");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  const memoryServer = createServer({
    version: packageJson.version,
    openStores: storesOpenedOnce(project),
    readOpening: () => readOpening(project),
    isRecorded: () => isProjectRecorded(project),
    recordParts: async () => {
      const { openEvents } = await import("./open-stores.ts");
      return { project: foundFrom(project), env: process.env, openEvents };
    },
    outputBudgetBytes: outputBudgetBytes(process.env.SENTINEL_OUTPUT_BUDGET),
  });
  await serveStdio(memoryServer, process.stdin, process.stdout, stop.signal);
}

/** The project is looked for with the first call, so that a server without one can still say what is wrong. */
function storesOpenedOnce(flag: string | undefined): () => Promise<Stores> {
  let stores: Stores | undefined;
  return async () => {
    const { openStores } = await import("./open-stores.ts");
    stores ??= openStores(foundFrom(flag));
    return stores;
  };
}

async function readOpening(flag: string | undefined): Promise<string> {
  return openingLessons(foundFrom(flag).context);
}

/** Without a project nothing is recorded; the first call says what is wrong. */
function isProjectRecorded(flag: string | undefined): boolean {
  try {
    return isRecorded(foundFrom(flag).folder);
  } catch {
    return false;
  }
}

function foundFrom(flag: string | undefined): Project {
  return findProject({ flag, env: process.env, cwd: process.cwd() });
}

/** Bytes an answer may hold; undefined when the variable is not set, or not to a usable number. */
function outputBudgetBytes(value: string | undefined): number | undefined {
  if (!value) return undefined;
  const bytes = Number(value);
  if (Number.isInteger(bytes) && bytes >= LEAST_OUTPUT_BUDGET_BYTES) return bytes;
  log(
    `SENTINEL_OUTPUT_BUDGET is "${value}", not a number of bytes from ${LEAST_OUTPUT_BUDGET_BYTES} up; it is ignored.`,
  );
  return undefined;
}
