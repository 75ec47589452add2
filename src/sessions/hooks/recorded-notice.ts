/** What a person reads at the start of a session that is recorded, with a command that works in their shell. */
import { existsSync } from "node:fs";
import { basename, delimiter, dirname, join, relative } from "node:path";
import { SESSION_HOOK } from "../../ground/clients/launch.ts";
import type { Problem } from "../../ground/core/errors.ts";
import { quoted } from "../../ground/terminal/shell.ts";
import type { DaemonLog } from "../consent/manifest.ts";
import { commandLineIn } from "./start-capture.ts";

const NAME = "sentinel-memory";
const INSTALLED = join("node_modules", NAME, "dist");

interface Program {
  /** Absolute path of the hook's script. */
  readonly script: string;
  readonly folder: string;
  /** The variable of that name: where a shell looks for programs. */
  readonly path: string | undefined;
}

interface Circumstances {
  /** Who keeps the session log; absent where it is in files. */
  readonly daemon?: DaemonLog | undefined;
  readonly obstacle?: Problem | undefined;
  readonly failed?: Problem | undefined;
}

/** @param command what starts the command line there. */
export function recordedNotice(
  command: string,
  { daemon, obstacle, failed }: Circumstances = {},
): string {
  if (obstacle)
    return `Sentinel Memory does not record this session, though recording is on. ${obstacle.what} ${obstacle.fix}`;
  const where = daemon ? `at ${daemon.url}, channel ${daemon.channel}` : "on this machine only";
  const trouble = failed
    ? ` But the last capture failed, and nothing new is recorded until one succeeds. ${failed.what} ${failed.fix}`
    : "";
  return `Sentinel Memory records this session, ${where}. ${command} sessions skip leaves it out, ${command} sessions off ends it.${trouble}`;
}

/** What starts the command line in a shell in the project's folder. */
export function commandOf({ script, folder, path = "" }: Program): string {
  const below = relative(folder, script);
  if (dirname(below) === INSTALLED) return `npx ${NAME}`;
  const isOneFile = basename(script) !== SESSION_HOOK;
  if (!isOneFile && isInPath(path)) return NAME;
  const file = commandLineIn(dirname(script));
  const way = relative(folder, file);
  return `node ${quoted(way.startsWith("..") ? file : way)}`;
}

/** What npm puts into the path of the programs that it runs, no shell sees. */
function isInPath(path: string): boolean {
  const folders = path
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join("node_modules", ".bin")));
  return folders.some((folder) =>
    [NAME, `${NAME}.cmd`].some((name) => existsSync(join(folder, name))),
  );
}
