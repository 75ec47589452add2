/** Formats commands so that this user can paste them into a shell. */
import { existsSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, relative } from "node:path";
import { quoted } from "../files/paths.ts";
import { copyElsewhere, SERVER_FILE, SERVER_FOLDER } from "../project/context-folder.ts";

const NAME = "sentinel-memory";
/** The short launcher next to the server's copy. On Windows the shell finds `sm.cmd`. */
const SHORT_NAME = "sm";
const LOCAL_PROGRAMS = join("node_modules", ".bin");

/** The subcommands of `sentinel-memory` that our texts mention. A test compares them with the help. @internal */
export const COMMAND_NAMES: readonly string[] = [
  ...["search", "list", "show", "add", "edit", "forget", "restore", "purge", "export", "import"],
  "why",
  ...["mine", "view", "review", "diff", "compact", "check", "history"],
  ...["sessions", "context", "decisions", "tasks", "pin"],
  ...["init", "doctor", "digest", "config", "uninstall", "daemon", "help"],
];
// Doesn't match the end of a path, such as node_modules/.bin/sentinel-memory, or a command that was already rewritten.
const CALL = new RegExp(`(?<!npx |[\\w./\\\\-])${NAME} (?=(?:${COMMAND_NAMES.join("|")})\\b)`, "g");

export interface Invocation {
  /** Absolute path of the script, as passed to Node. */
  readonly script: string;
  /** The folder in which the user types the next command. */
  readonly cwd: string;
  readonly path: string | undefined;
  /** The value of --project, if given. */
  readonly project?: string | undefined;
}

/** Returns how a user in a project's folder starts the program. If the script is another project's copy, it needs --project. */
export function invocationIn(folder: string, script: string, path: string | undefined): Invocation {
  const isOthers = copyElsewhere(dirname(script), folder) !== undefined;
  return { script, cwd: folder, path, project: isOthers ? "." : undefined };
}

/** Writes our commands in a text as this user can run them. */
export type Spell = (text: string) => string;

/** Replaces `sentinel-memory COMMAND` in our own texts with the command that starts this program for this user. */
export function spellCommands(text: string, invocation: Invocation): string {
  return text.replaceAll(CALL, () => `${ownCommand(invocation)} `);
}

/** Returns the command that starts this program again in the same folder and for the same project. */
export function ownCommand({ script, cwd, path = "", project }: Invocation): string {
  const program = programFor(script, cwd, path);
  return project === undefined ? program : `${program} --project ${quoted(project)}`;
}

function programFor(script: string, cwd: string, path: string): string {
  const place = relative(cwd, script);
  if (script.endsWith(join(SERVER_FOLDER, SERVER_FILE))) {
    return asProgram(join(dirname(place), SHORT_NAME));
  }
  if (isDependency(script, cwd)) {
    return `npx ${NAME}`;
  }
  if (isOnPath(path)) {
    return NAME;
  }
  return basename(script) === NAME ? asProgram(place) : `node ${quoted(place)}`;
}

/** Returns a path that a shell runs as a program. Shells look up a bare name only on PATH, and PowerShell reads a quoted word as a string. */
function asProgram(place: string): string {
  const path = dirname(place) === "." ? `.${join("/", place)}` : place;
  return /^[\w.\\-]+$/.test(path) ? path : quoted(path);
}

/** Whether npx finds the script, in the node_modules of the folder or of one above it. */
function isDependency(script: string, cwd: string): boolean {
  const match = /^(.*?)[/\\]node_modules[/\\](?:.*[/\\])?(?:\.bin|sentinel-memory)[/\\]/.exec(
    script,
  );
  if (!match) {
    return false;
  }
  const below = relative(match[1] || "/", cwd);
  return !below.startsWith("..") && !isAbsolute(below);
}

/** Whether the user's shell finds the program. npm adds its local programs to the PATH of programs it runs, so those folders don't count. */
function isOnPath(path: string): boolean {
  const folders = path.split(delimiter).filter((folder) => !folder.endsWith(LOCAL_PROGRAMS));
  return folders.some((folder) =>
    [NAME, `${NAME}.cmd`].some((name) => existsSync(join(folder, name))),
  );
}
