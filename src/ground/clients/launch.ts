/**
 * The command lines that `init` writes to start the server or a hook. A team shares them, so they contain no absolute paths and need no shell: Node
 * looks for the package from the working directory upward, or starts the copy in the repository, and downloads nothing. The code contains no
 * `$`, `%`, `\` or double quote, so POSIX shells, cmd, PowerShell and the clients' variable expansion leave it unchanged.
 */
import { homedir } from "node:os";
import { SentinelError } from "../core/errors.ts";
import { SERVER_FILE, SERVER_FOLDER } from "../project/context-folder.ts";

/** How to start the server, as most clients write it. */
type Launch = { readonly command: string; readonly args: readonly string[] };

const FROM_WORKING_DIRECTORY = "import('sentinel-memory/cli')";
/** For clients that start servers in the home folder and pass the workspace in the argument after `--project`. */
const FROM_WORKSPACE =
  "import(require('url').pathToFileURL(require.resolve('sentinel-memory/cli',{paths:[process.argv[3]]})))";
/** The argument that makes the program run as the hook. */
const HOOK_ARGUMENT = "hook";
const MISSING = "catch{}";
const HOOK = `node -e "try{require('sentinel-memory/hook')}${MISSING}"`;

/** The client expands this. A client that doesn't starts the server in the project, so the server ignores the unexpanded text. */
const WORKSPACE = ["--project", "${workspaceFolder}"] as const;

/** Programs that download a package by name and run it. */
const FETCHERS = ["npx", "pnpx", "bunx"];
/** Programs that download a package with one of their subcommands. `pnpm exec` and `yarn exec` only start installed packages. */
const FETCHING: Readonly<Record<string, readonly string[]>> = {
  npm: ["exec", "x"],
  pnpm: ["dlx"],
  yarn: ["dlx"],
  bun: ["x"],
};

const HOME = /(?:^|[\s'"=])~[/\\]|\$\{?HOME\b|%(?:USERPROFILE|HOMEPATH)%/i;

/** Starts the version in the project's dependencies. */
export const DEVELOPMENT_DEPENDENCY = launchesOf(
  { command: "node", args: ["-e", FROM_WORKING_DIRECTORY] },
  { command: "node", args: ["-e", FROM_WORKSPACE, "sentinel-memory", ...WORKSPACE] },
  HOOK,
);

function launchesOf(here: Launch, inWorkspace: Launch, hook: string | undefined): Launches {
  return { here, inProject: here, inWorkspace, fromWorkspace: inWorkspace, hook };
}

/**
 * Starts the copy at the path that `init` wrote, relative to the nearest folder upward that has `.git`, or to the starting folder if there's no
 * git. Approving one repository must not run the copy in another repository nested inside it. @param project path of the project's folder from there.
 */
const copyProgram = (project: string): string =>
  `p=require('path');e=require('fs').existsSync;[,,,a='']=process.argv;s=d=p.resolve(e(a)?a:'');` +
  `for(;e(p.join(d,'.git'))===false;d=p.dirname(d))if(d===p.dirname(d)){d=s;break}` +
  `require(p.join(d,'${project === "" ? "" : `${project}/`}${SERVER_FOLDER}/${SERVER_FILE}'))`;
const COPY = `${SERVER_FOLDER}/${SERVER_FILE}`;
const COPY_IN_WORKSPACE = `\${workspaceFolder}/${COPY}`;
/** Clients run hooks in the project's folder. The path is readable because clients show the command to users who have to trust it. */
const COPY_HOOK = `node ${COPY} ${HOOK_ARGUMENT}`;

/** The ways in which a project's entries start the server. */
export interface Launches {
  readonly here: Launch;
  /** For a client that always starts servers in the project's folder. */
  readonly inProject: Launch;
  /** For a client that passes the workspace as an argument. */
  readonly inWorkspace: Launch;
  /** For a client that passes the workspace as an argument everywhere it uses the entry. */
  readonly fromWorkspace: Launch;
  /** The shell command line for the hook. Undefined if it can't be derived from the chosen command line. */
  readonly hook: string | undefined;
  /** Whether these start the project's copy. */
  readonly startsCopy?: true;
}

/** Starts the copy in the project's `.context/server/`. @param project its folder, from the root of the repository, with forward slashes. */
export function vendoredIn(project: string): Launches {
  const code = copyProgram(project);
  const launch = (args: readonly string[]): Launch => ({ command: "node", args });
  return {
    here: launch(["-e", code]),
    inProject: launch([COPY]),
    inWorkspace: launch(["-e", code, "sentinel-memory", ...WORKSPACE]),
    fromWorkspace: launch([COPY_IN_WORKSPACE, ...WORKSPACE]),
    hook: COPY_HOOK,
    startsCopy: true,
  };
}

const [BEFORE_PATH = "", BEHIND_PATH = ""] = copyProgram("/").split("//");

/** Returns the launches of an entry that starts a copy, at any path. Undefined for any other entry. @param words of its command line. */
export function vendoredBy([command, first, code = ""]: readonly string[]): Launches | undefined {
  if (command !== "node") {
    return undefined;
  }
  if (first === COPY || first === COPY_IN_WORKSPACE) {
    return vendoredIn("");
  }
  if (first !== "-e") {
    return undefined;
  }
  if (code === copyProgram("")) {
    return vendoredIn("");
  }
  if (!code.startsWith(BEFORE_PATH) || !code.endsWith(`/${BEHIND_PATH}`)) {
    return undefined;
  }
  return vendoredIn(code.slice(BEFORE_PATH.length, -BEHIND_PATH.length - 1));
}

/** Checks that a folder's name can be used in an entry. @throws SentinelError `bad_place` if some shell or client would change the name. */
export function mustFitEntry(project: string): void {
  if (!/["'$%`\\^&|<>!\n]/.test(project)) {
    return;
  }
  throw new SentinelError(
    "bad_place",
    `The path ${project} has a character that not every agent leaves as it is, so no entry can start a copy of the server there.`,
    "Rename the folder, or start a program of your own with --command.",
  );
}

/** Returns the launches for a command line chosen by the user, which runs without a shell. @throws SentinelError `bad_argument` if it isn't safe in every client. */
export function launchesFor(line: string | undefined): Launches {
  if (line === undefined) {
    return DEVELOPMENT_DEPENDENCY;
  }
  const [command, ...args] = line.split(/\s+/).filter(Boolean);
  if (command === undefined) {
    throw refusal("is empty");
  }
  if (downloads(line)) {
    throw refusal("downloads whatever has that name in a registry");
  }
  if (line.includes(homedir()) || HOME.test(line)) {
    throw refusal("names a folder of this user");
  }
  return launchesOf({ command, args }, { command, args: [...args, ...WORKSPACE] }, hookOf(line));
}

/** Removes the words that `launchesFor` adds for a client from a command line. */
export function withoutWorkspace(words: readonly string[]): readonly string[] {
  const [option, value] = words.slice(-WORKSPACE.length);
  return option === WORKSPACE[0] && value === WORKSPACE[1]
    ? words.slice(0, -WORKSPACE.length)
    : words;
}

/** Returns the line for a client that may run it in another folder. @param root the project's folder, as the client writes it for a shell. */
export function hookFrom(root: string, line: string): string {
  return line.replace(`${SERVER_FOLDER}/${SERVER_FILE}`, (path) => `"${root}/${path}"`);
}

/** Returns the line for a client that treats a missing answer as a refusal. It prints an empty answer if the package isn't installed. */
export function answeringHook(line: string): string {
  return line.replace(MISSING, "catch{require('fs').writeSync(1,'{}')}");
}

/** Whether a command in a hook file starts our hook, as written by any version. */
export function isOurHook(command: unknown): boolean {
  return typeof command === "string" && /\bsentinel-memory(?:[-/]|\.cjs"? )hook\b/.test(command);
}

/** The argument that makes the program run as the session log's hook. */
export const SESSION_HOOK = "session-hook";

/** Returns the line for a personal hook file, which may contain an absolute path. @param program its absolute path. */
export const sessionHookLine = (program: string): string =>
  sessionHookCommand(program).map(inQuotes).join(" ");

/** Like `sessionHookLine`, for a program that starts it without a shell. */
export const sessionHookCommand = (program: string): readonly string[] => [
  "node",
  program,
  SESSION_HOOK,
];

/** Whether a command in a hook file, or the file's whole text, starts the session log's hook, at any path. */
export function isSessionHook(command: unknown): boolean {
  return typeof command === "string" && /\bsentinel-memory\.cjs\W{1,4}session-hook\b/.test(command);
}

/** Quotes a path for the platform's shell. Single quotes are safest on POSIX, but cmd accepts only double ones. */
function inQuotes(path: string): string {
  if (/^[\w./:@-]+$/.test(path)) {
    return path;
  }
  return process.platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** Whether a command line downloads a package. The program may be a name or a path, have a Windows extension, or be run by a shell. */
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

/** The line that starts the hooks. Undefined unless it calls `sentinel-memory` by name. */
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
