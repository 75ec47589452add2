/** Starts the command line with the parts of this build. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import packageJson from "../../../package.json" with { type: "json" };
import type { DaemonCommands } from "../../daemon/terminal/surroundings.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { runCommand } from "../cli/program.ts";
import { openEvents } from "./open-events.ts";
import { openStores } from "./open-stores.ts";
import { viewer } from "./viewer.ts";

/** Runs the command given to this process. @returns its exit code. */
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
    loadViewer: async () => viewer,
  });
}

/** Loads the daemon's bundle from the folder above. A server copy in a repository doesn't include it. */
async function loadDaemon(): Promise<DaemonCommands> {
  const file = join(import.meta.dirname, "../daemon.mjs");
  if (!existsSync(file))
    throw new SentinelError(
      "not_found",
      "This copy of Sentinel Memory has no daemon.",
      "Use the package, or a build of the repository.",
    );
  const { daemonCommands }: typeof import("./daemon.ts") = await import(pathToFileURL(file).href);
  return daemonCommands;
}
