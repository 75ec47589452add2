/**
 * The command lines that `init` writes, to start the server or a hook. A team shares them, so they name no path of a machine and no shell: Node
 * looks for the package from the working directory upward, or starts the copy in the repository, and downloads nothing. The code has no
 * `$`, `%`, `\` and no double quote, so POSIX shells, cmd, PowerShell and the clients' own variables all leave it as it is.
 */
import { homedir } from "node:os";
import { SentinelError } from "../core/errors.ts";
import { SERVER_FILE, SERVER_FOLDER } from "../project/context-folder.ts";

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** The line for a hook, for a shell; undefined when it does not follow from the chosen command line. */
  readonly hook: string | undefined;
}

const FROM_WORKING_DIRECTORY = "import('sentinel-memory/cli')";
/** For clients that start servers in the home folder, and name the workspace in the argument after `--project`. */
const FROM_WORKSPACE =
  "import(require('url').pathToFileURL(require.resolve('sentinel-memory/cli',{paths:[process.argv[3]]})))";
/** The argument that makes the program the hook. */
const HOOK_ARGUMENT = "hook";
const MISSING = "catch{}";
const HOOK = `node -e "try{require('sentinel-memory/hook')}${MISSING}"`;

/** Expanded by the client. One that passes it on as it stands is started in the project, and the server ignores it. */
const WORKSPACE = ["--project", "${workspaceFolder}"] as const;

/** Programs that fetch a package by its name and run it. */
const FETCHERS = ["npx", "pnpx", "bunx"];
/** Programs that do so by one of their commands; `pnpm exec` and `yarn exec` start only what is installed. */
const FETCHING: Readonly<Record<string, readonly string[]>> = {
  npm: ["exec", "x"],
  pnpm: ["dlx"],
  yarn: ["dlx"],
  bun: ["x"],
};

const HOME = /(?:^|[\s'"=])~[/\\]|\$\{?HOME\b|%(?:USERPROFILE|HOMEPATH)%/i;

/** Starts the version that the project depends on. */
export const DEVELOPMENT_DEPENDENCY = launchesOf(
  { command: "node", args: ["-e", FROM_WORKING_DIRECTORY], hook: HOOK },
  {
    command: "node",
    args: ["-e", FROM_WORKSPACE, "sentinel-memory", ...WORKSPACE],
    hook: HOOK,
  },
);

function launchesOf(here: Launch, inWorkspace: Launch): Launches {
  return { here, inProject: here, inWorkspace, fromWorkspace: inWorkspace };
}

/**
 * Starts the copy at the path that `init` wrote, counted from the first folder upward that has `.git`, or the folder itself where there is no
 * git: an approval of one repository must not run the copy of another that lies inside it. @param project the project's folder from there.
 */
const copyProgram = (project: string): string =>
  `p=require('path');e=require('fs').existsSync;[,,,a='']=process.argv;s=d=p.resolve(e(a)?a:'');` +
  `for(;e(p.join(d,'.git'))===false;d=p.dirname(d))if(d===p.dirname(d)){d=s;break}` +
  `require(p.join(d,'${project === "" ? "" : `${project}/`}${SERVER_FOLDER}/${SERVER_FILE}'))`;
const COPY = `${SERVER_FOLDER}/${SERVER_FILE}`;
const COPY_IN_WORKSPACE = `\${workspaceFolder}/${COPY}`;
/** From the project's folder, where clients run their hooks. It says what it runs: clients show it to people who have to trust it. */
const COPY_HOOK = `node ${COPY} ${HOOK_ARGUMENT}`;

/** How the entries of a project start the server. */
export interface Launches {
  readonly here: Launch;
  /** For a client that starts servers in the project's folder, and nowhere else. */
  readonly inProject: Launch;
  /** For a client that names its workspace in an argument. */
  readonly inWorkspace: Launch;
  /** For one that does so wherever it reads the entry. */
  readonly fromWorkspace: Launch;
  /** Whether they start the project's own copy. */
  readonly startsCopy?: true;
}

/** Starts the copy that the project keeps in `.context/server/`. @param project its folder, from the root of the repository, with forward slashes. */
export function vendoredIn(project: string): Launches {
  const code = copyProgram(project);
  const launch = (args: readonly string[]): Launch => ({ command: "node", args, hook: COPY_HOOK });
  return {
    here: launch(["-e", code]),
    inProject: launch([COPY]),
    inWorkspace: launch(["-e", code, "sentinel-memory", ...WORKSPACE]),
    fromWorkspace: launch([COPY_IN_WORKSPACE, ...WORKSPACE]),
    startsCopy: true,
  };
}

const [BEFORE_PATH = "", BEHIND_PATH = ""] = copyProgram("/").split("//");

/** The launches that an entry has which starts a copy, wherever that lies; undefined for another. @param words of its command line. */
export function vendoredBy([command, first, code = ""]: readonly string[]): Launches | undefined {
  if (command !== "node") return undefined;
  if (first === COPY || first === COPY_IN_WORKSPACE) return vendoredIn("");
  if (first !== "-e") return undefined;
  if (code === copyProgram("")) return vendoredIn("");
  if (!code.startsWith(BEFORE_PATH) || !code.endsWith(`/${BEHIND_PATH}`)) return undefined;
  return vendoredIn(code.slice(BEFORE_PATH.length, -BEHIND_PATH.length - 1));
}

/** @throws SentinelError `bad_place` for a folder whose name an entry cannot carry through every shell and client. */
export function mustFitEntry(project: string): void {
  if (!/["'$%`\\^&|<>!\n]/.test(project)) return;
  throw new SentinelError(
    "bad_place",
    `The path ${project} has a character that not every agent leaves as it is, so no entry can start a copy of the server there.`,
    "Rename the folder, or start a program of your own with --command.",
  );
}

/** The launches for a command line of the user's choice, without a shell. @throws SentinelError `bad_argument` for one that is not safe for all. */
export function launchesFor(line: string | undefined): Launches {
  if (line === undefined) return DEVELOPMENT_DEPENDENCY;
  const [command, ...args] = line.split(/\s+/).filter((word) => word !== "");
  if (command === undefined) throw refusal("is empty");
  if (downloads(line)) throw refusal("downloads whatever has that name in a registry");
  if (line.includes(homedir()) || HOME.test(line)) throw refusal("names a folder of this user");
  const hook = hookOf(line);
  return launchesOf({ command, args, hook }, { command, args: [...args, ...WORKSPACE], hook });
}

/** The words of a command line without those that `launchesFor` adds for a client. */
export function withoutWorkspace(words: readonly string[]): readonly string[] {
  const [option, value] = words.slice(-WORKSPACE.length);
  return option === WORKSPACE[0] && value === WORKSPACE[1]
    ? words.slice(0, -WORKSPACE.length)
    : words;
}

/** The line for a client that may run it in another folder. @param root the project's folder, as the client names it for a shell. */
export function hookFrom(root: string, line: string): string {
  return line.replace(`${SERVER_FOLDER}/${SERVER_FILE}`, (path) => `"${root}/${path}"`);
}

/** The line for a client that treats no answer as a refusal: it prints an empty one if the package isn't installed. */
export function answeringHook(line: string): string {
  return line.replace(MISSING, "catch{require('fs').writeSync(1,'{}')}");
}

/** Whether a line of a hook file starts our hook, in the form of any version. */
export function isOurHook(command: unknown): boolean {
  return typeof command === "string" && /\bsentinel-memory(?:[-/]|\.cjs"? )hook\b/.test(command);
}

/** The argument that makes the program the hook of the session log. */
export const SESSION_HOOK = "session-hook";

/** The line of a personal hook file, which may name a path of this machine. @param program its absolute path. */
export const sessionHookLine = (program: string): string =>
  sessionHookCommand(program).map(inQuotes).join(" ");

/** The same for a program that starts it without a shell. */
export const sessionHookCommand = (program: string): readonly string[] => [
  "node",
  program,
  SESSION_HOOK,
];

/** Whether a line of a hook file, or its whole text, starts the hook of the session log, from wherever. */
export function isSessionHook(command: unknown): boolean {
  return typeof command === "string" && /\bsentinel-memory\.cjs\W{1,4}session-hook\b/.test(command);
}

/** As every shell reads it: single quotes keep all but themselves, and cmd knows only double ones. */
function inQuotes(path: string): string {
  if (/^[\w./:@-]+$/.test(path)) return path;
  return process.platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** Whether a command line fetches a package, called by its name, a path, with the ending of Windows, or by a shell. */
function downloads(line: string): boolean {
  const names = line
    .split(/[\s'"`;&|()=]+/)
    .map((word) => word.replace(/^.*[/\\]|\.(?:exe|cmd|bat|ps1)$/gi, ""));
  return names.some((name, at) => {
    const commands = FETCHING[name.toLowerCase()] ?? [];
    return (
      FETCHERS.includes(name.toLowerCase()) ||
      names.slice(at + 1).some((word) => commands.includes(word))
    );
  });
}

function hookOf(line: string): string | undefined {
  const hook = line.replace(/\bsentinel-memory(?=\s|$)/, () => "sentinel-memory-hook");
  return hook === line ? undefined : hook;
}

function refusal(why: string): SentinelError {
  return new SentinelError(
    "bad_argument",
    `The command ${why}; nothing was changed.`,
    "Leave --command out to start the copy in the repository, or give a command that every teammate has.",
  );
}
