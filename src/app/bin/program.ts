/** Runs the command line, or the server if there is no command. */
import { parseArgs } from "node:util";
import { tryOr } from "../../ground/core/errors.ts";
import { findProject } from "../../ground/project/find-project.ts";
import { log } from "../../ground/tool/explain.ts";
import { runCommand } from "../cli/program.ts";
import { createServer } from "../server/server.ts";
import { serveStdio } from "../server/stdio.ts";

void main();

async function main(): Promise<void> {
  // Git sets these for its hooks. They would make our git calls use another repository.
  for (const name of ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"]) {
    delete process.env[name];
  }
  const server = serverArguments(process.argv.slice(2));
  if (server) {
    await serve(server.project);
  } else {
    process.exitCode = await runCommand({
      argv: process.argv,
      env: process.env,
      cwd: process.cwd(),
      build: import.meta.dirname,
      input: process.stdin,
      output: process.stdout,
      errors: process.stderr,
    });
  }
  process.exit();
}

/** Returns the arguments of the server. Undefined if a command was given. */
function serverArguments(args: string[]): { readonly project?: string } | undefined {
  return tryOr(
    () => parseArgs({ args, options: { project: { type: "string" } } }).values,
    undefined,
  );
}

/** Serves an agent on standard input and output until it disconnects or a signal arrives. @param flag the folder given by `--project`. */
async function serve(flag: string | undefined): Promise<void> {
  if (process.stdin.isTTY) {
    log("an MCP server, waiting for a client on standard input; see --help, or press Ctrl-C.");
  }
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => stop.abort());
  }
  const here = { env: process.env, cwd: process.cwd() };
  const server = createServer(() => findProject({ flag, ...here }), here);
  await serveStdio(server, process.stdin, process.stdout, stop.signal);
}
