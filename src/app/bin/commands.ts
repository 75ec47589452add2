/** The command line: a bundle of its own in one file, which starts in two thirds of the time of one in parts. */
import packageJson from "../../../package.json" with { type: "json" };
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
    loadDaemon: async () => (await mustLoad("daemon", () => import("./daemon.ts"))).daemonCommands,
    loadViewer: async () => (await mustLoad("viewer", () => import("./viewer.ts"))).viewer,
  });
}

/** It lies beside this file; a copy in a repository has only what agents need. */
async function mustLoad<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const message = `This copy of Sentinel Memory has no ${name}.`;
    throw new SentinelError(
      "not_found",
      message,
      "Use the package, or a build of the repository.",
      { cause: error },
    );
  }
}
