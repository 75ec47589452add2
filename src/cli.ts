/**
 * The bin. Without a command it is the server; this is the only place that ends the process.
 */
import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { readOutputBudget } from "./config.ts";
import { log } from "./log.ts";
import { createServer } from "./mcp/server.ts";
import { serveStdio } from "./mcp/stdio.ts";
import { findProject } from "./project.ts";
import { JsonlStore } from "./store/jsonl-store.ts";
import type { MemoryStore } from "./store/memory-store.ts";

const program = new Command("sentinel-memory")
  .description("A project memory for coding agents, served over MCP on standard input and output.")
  .version(packageJson.version)
  .option("--project <dir>", "the project's folder; found from the working directory when it is not given")
  .action(serve);

await program.parseAsync();
process.exit();

async function serve({ project }: { project?: string }): Promise<void> {
  if (process.stdin.isTTY) log("an MCP server, waiting for a client on standard input; see --help, or press Ctrl-C.");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  const server = createServer({
    version: packageJson.version,
    openStore: storeOpenedOnce(project),
    outputBudget: readOutputBudget(process.env),
  });
  await serveStdio(server, process.stdin, process.stdout, stop.signal);
}

/** The project is looked for with the first call, so that a server without one can still say what is wrong. */
function storeOpenedOnce(flag: string | undefined): () => MemoryStore {
  let store: MemoryStore | undefined;
  return () => {
    store ??= new JsonlStore(findProject({ flag, env: process.env, cwd: process.cwd() }).memoryFile);
    return store;
  };
}
