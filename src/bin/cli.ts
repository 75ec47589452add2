/**
 * The bin. Without a command it is the server; this is the only place that ends the process.
 */
import { parseArgs } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import { log } from "../files/log.ts";
import type { MemoryPolicy } from "../lessons/policy.ts";
import type { LessonStore } from "../lessons/store.ts";
import { createServer } from "../mcp/server.ts";
import { serveStdio } from "../mcp/stdio.ts";

/** The smallest answer that is of use, in bytes. */
const LEAST_OUTPUT_BUDGET = 2_000;

const server = serverArguments(process.argv.slice(2));
if (server) await serve(server.project);
else {
  const { runCommand } = await import("../cli/program.ts");
  process.exitCode = await runCommand(process.argv, packageJson.version);
}
process.exit();

/**
 * The arguments of a start as a server; undefined when a command is meant, or help. Read without the argument library of
 * the commands, which would add to every start.
 */
function serverArguments(args: readonly string[]): { project: string | undefined } | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: { project: { type: "string" } } });
    return { project: values.project };
  } catch {
    return undefined;
  }
}

async function serve(project: string | undefined): Promise<void> {
  if (process.stdin.isTTY) log("an MCP server, waiting for a client on standard input; see --help, or press Ctrl-C.");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  const open = projectOpenedOnce(project);
  const memoryServer = createServer({
    version: packageJson.version,
    openStore: async () => (await open()).store,
    readPolicy: async () => (await open()).readPolicy(),
    outputBudget: readOutputBudget(process.env),
  });
  await serveStdio(memoryServer, process.stdin, process.stdout, stop.signal);
}

interface OpenProject {
  readonly store: LessonStore;
  readonly readPolicy: () => Promise<MemoryPolicy>;
}

/** The project is looked for with the first call, so that a server without one can still say what is wrong. */
function projectOpenedOnce(flag: string | undefined): () => Promise<OpenProject> {
  let opened: OpenProject | undefined;
  return async () => {
    const [{ JsonlLessonStore }, { readMemoryPolicy }, { findProject }] = await Promise.all([
      import("../lessons/jsonl/store.ts"),
      import("../lessons/policy.ts"),
      import("../project/find-project.ts"),
    ]);
    if (!opened) {
      const { context } = findProject({ flag, env: process.env, cwd: process.cwd() });
      opened = { store: new JsonlLessonStore(context.memoryFile), readPolicy: () => readMemoryPolicy(context) };
    }
    return opened;
  };
}

/** Bytes an answer may hold, from SENTINEL_OUTPUT_BUDGET; undefined when it is not set, or not to a usable number. */
function readOutputBudget(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const value = env.SENTINEL_OUTPUT_BUDGET;
  if (!value) return undefined;
  const bytes = Number(value);
  if (Number.isInteger(bytes) && bytes >= LEAST_OUTPUT_BUDGET) return bytes;
  log(`SENTINEL_OUTPUT_BUDGET is "${value}", not a number of bytes from ${LEAST_OUTPUT_BUDGET} up; it is ignored.`);
  return undefined;
}
