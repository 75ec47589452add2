/** The server that an agent starts, on standard input and output: it answers the handshake, and loads what answers calls after it. */
import packageJson from "../../../package.json" with { type: "json" };
import { orElse } from "../../ground/core/errors.ts";
import { log } from "../../ground/files/stderr.ts";
import { findProject } from "../../ground/project/find-project.ts";
import { openingLessons } from "../../lessons/tools/opening-lessons.ts";
import { isRecorded } from "../../sessions/consent/is-recorded.ts";
import { Handshake } from "../server/handshake.ts";
import { serveStdio } from "../server/stdio.ts";

/** Serves until the client leaves or a signal ends it. @param flag the folder that `--project` named. */
export async function serve(flag: string | undefined): Promise<void> {
  if (process.stdin.isTTY)
    log("an MCP server, waiting for a client on standard input; see --help, or press Ctrl-C.");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  // It is looked for with each question, so that a server without a project can still say what is wrong.
  const found = () => findProject({ flag, env: process.env, cwd: process.cwd() });
  const client = {
    clientName: () => handshake.clientName,
    // Without a project nothing is recorded.
    isRecorded: () => orElse(() => isRecorded(found().folder), false),
  };
  const readOpening = async () => openingLessons(found().context);
  const handshake = new Handshake({ ...client, version: packageJson.version, readOpening });
  const loadServer = async () => (await import("./calls.ts")).openCalls(flag, client);
  await serveStdio({ handshake, loadServer }, process.stdin, process.stdout, stop.signal);
}
