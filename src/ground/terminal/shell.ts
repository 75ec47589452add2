/** Commands as this user can paste them into a shell, and words in quotes. */
import { existsSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, relative } from "node:path";
import { copyElsewhere, SERVER_FILE, SERVER_FOLDER } from "../project/context-folder.ts";

const NAME = "sentinel-memory";
/** The short name beside the server's copy; on Windows it finds `sm.cmd`. */
const SHORT_NAME = "sm";
const LOCAL_PROGRAMS = join("node_modules", ".bin");

/** The commands that our texts name after `sentinel-memory`. A test compares them with the help. @internal */
export const COMMAND_NAMES: readonly string[] = [
  ...["search", "list", "show", "add", "edit", "forget", "restore", "purge", "export", "import"],
  "why",
  ...["mine", "view", "review", "diff", "compact", "check", "history"],
  ...["sessions", "context", "decisions", "tasks", "pin"],
  ...["init", "doctor", "digest", "config", "uninstall", "daemon", "help"],
];
// Not the end of a path, such as node_modules/.bin/sentinel-memory, and not what was spelt already.
const CALL = new RegExp(`(?<!npx |[\\w./\\\\-])${NAME} (?=(?:${COMMAND_NAMES.join("|")})\\b)`, "g");

export interface Invocation {
  /** Absolute path of the script, as Node got it. */
  readonly script: string;
  /** Where the user types the next command. */
  readonly cwd: string;
  readonly path: string | undefined;
  /** The value of --project, if it was given. */
  readonly project?: string | undefined;
}

/** How a user in a project's folder starts the program. The copy of another project has to be told. */
export function invocationIn(folder: string, script: string, path: string | undefined): Invocation {
  const isOthers = copyElsewhere(dirname(script), folder) !== undefined;
  return { script, cwd: folder, path, project: isOthers ? "." : undefined };
}

/** Writes our commands in a text as this user can run them. */
export type Spell = (text: string) => string;

/** Replaces `sentinel-memory COMMAND` in our own texts by what starts this program for this user. */
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
  if (script.endsWith(join(SERVER_FOLDER, SERVER_FILE)))
    return asProgram(join(dirname(place), SHORT_NAME));
  if (isDependency(script, cwd)) return `npx ${NAME}`;
  if (isOnPath(path)) return NAME;
  return basename(script) === NAME ? asProgram(place) : `node ${quoted(place)}`;
}

/** A shell looks for a bare name on its path only. PowerShell takes a word in quotes for a text. */
function asProgram(place: string): string {
  const path = dirname(place) === "." ? `.${join("/", place)}` : place;
  return /^[\w.\\-]+$/.test(path) ? path : quoted(path);
}

/** Whether npx finds the script: in the node_modules of the folder, or of one above it. */
function isDependency(script: string, cwd: string): boolean {
  const match = /^(.*?)[/\\]node_modules[/\\](?:.*[/\\])?(?:\.bin|sentinel-memory)[/\\]/.exec(
    script,
  );
  if (!match) return false;
  const below = relative(match[1] || "/", cwd);
  return !below.startsWith("..") && !isAbsolute(below);
}

/** npm puts its local programs on the path of what it runs, but no shell of the user has them there. */
function isOnPath(path: string): boolean {
  const folders = path.split(delimiter).filter((folder) => !folder.endsWith(LOCAL_PROGRAMS));
  return folders.some((folder) =>
    [NAME, `${NAME}.cmd`].some((name) => existsSync(join(folder, name))),
  );
}

/** The word, in quotes where a shell would split it or read it in another way. Every shell of Windows knows double ones, cmd no others. */
export function quoted(word: string): string {
  if (/^[\w./:@-]+$/.test(word)) return word;
  if (process.platform === "win32") return `"${word.replaceAll('"', '""')}"`;
  return /["$`!\\]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
