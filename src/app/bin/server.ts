/** The server that an agent starts. It uses standard input and output. */

import { findProject } from "../../ground/project/find-project.ts";
import { log } from "../../ground/tool/explain.ts";
import { createServer } from "../server/server.ts";
import { serveStdio } from "../server/stdio.ts";

/** Serves until the client disconnects or a signal arrives. @param flag the folder given by `--project`. */
export async function serve(flag: string | undefined): Promise<void> {
  if (process.stdin.isTTY)
    log("an MCP server, waiting for a client on standard input; see --help, or press Ctrl-C.");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  const here = { env: process.env, cwd: process.cwd() };
  const server = createServer(() => findProject({ flag, ...here }), here);
  await serveStdio(server, process.stdin, process.stdout, stop.signal);
}
