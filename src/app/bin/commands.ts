/** The command line: a bundle of its own in one file, which starts in two thirds of the time of one in parts. */
import packageJson from "../../../package.json" with { type: "json" };
import type { DaemonCommands } from "../../daemon/terminal/daemon-commands.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { runCommand } from "../cli/program.ts";
import { openEvents } from "./open-events.ts";
import { openStores } from "./open-stores.ts";

/** Runs the command that this process was started with, and gives its exit code. */
export function runCommandLine(): Promise<number> {
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
