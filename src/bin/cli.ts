/**
 * The bin. Without a command it is the server; this is the only place that ends the process.
 */
import { parseArgs } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import { readOutputBudget } from "../core/config.ts";
import { log } from "../files/log.ts";
import type { LessonStore } from "../lessons/store.ts";
import { createServer } from "../mcp/server.ts";
import { serveStdio } from "../mcp/stdio.ts";

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
  const memoryServer = createServer({
    version: packageJson.version,
    openStore: storeOpenedOnce(project),
    outputBudget: readOutputBudget(process.env),
  });
  await serveStdio(memoryServer, process.stdin, process.stdout, stop.signal);
}

/** The project is looked for with the first call, so that a server without one can still say what is wrong. */
function storeOpenedOnce(flag: string | undefined): () => Promise<LessonStore> {
  let store: LessonStore | undefined;
  return async () => {
    const [{ JsonlLessonStore }, { findProject }] = await Promise.all([
      import("../lessons/jsonl/store.ts"),
      import("../project/find-project.ts"),
    ]);
    store ??= new JsonlLessonStore(findProject({ flag, env: process.env, cwd: process.cwd() }).context.memoryFile);
    return store;
  };
}
