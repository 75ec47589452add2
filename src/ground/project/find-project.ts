/** Finds the project's folder. If unsure, it finds none rather than a wrong one (docs/design/ground.md, "Which project?"). */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, parse, resolve } from "node:path";
import { SentinelError } from "../core/errors.ts";
import { canonicalPath, isFolder, pathOnDisk } from "../files/paths.ts";
import {
  CONTEXT_FOLDER,
  type ContextFolder,
  contextFolder,
  copyElsewhere,
} from "./context-folder.ts";
import { sparseProject } from "./not-checked-out.ts";
import { isBesideBare } from "./repository.ts";

export interface Project {
  /** Absolute path of the project's folder. */
  readonly folder: string;
  /** Its `.context`, which needn't exist yet. */
  readonly context: ContextFolder;
  /** How it was found, for display: "--project", "git root of the working directory" and the like. */
  readonly how: string;
}

export interface ProjectHints {
  /** The value of --project, if given. */
  readonly flag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The folder of the program, if the user typed a command. A project's copy acts on that project. */
  readonly build?: string;
}

/** Finds the project. It writes nothing. @throws SentinelError `no_project`. */
export function findProject({ flag, env, cwd, build }: ProjectHints): Project {
  const exact = [["--project", flag] as const, ["SENTINEL_PROJECT", env.SENTINEL_PROJECT] as const];
  for (const [name, value] of exact) {
    if (value && !isUnexpanded(value)) {
      return exactly(resolve(cwd, value), name);
    }
  }

  const claude = env.CLAUDE_PROJECT_DIR;
  if (claude) {
    const found = upwardFrom(claude, "CLAUDE_PROJECT_DIR");
    if (found) {
      return found;
    }
  }
  const own = build === undefined ? undefined : copyElsewhere(build, cwd);
  if (own !== undefined) {
    return project(own, "project of this copy");
  }
  const here = upwardFrom(cwd, "the working directory");
  const workspace = onlyWorkspace(env.WORKSPACE_FOLDER_PATHS);
  if (workspace && (!here || here.how === aloneAs("the working directory"))) {
    const found = upwardFrom(workspace, "WORKSPACE_FOLDER_PATHS");
    if (found) {
      return found;
    }
  }
  if (here) {
    return here;
  }
  throw new SentinelError(
    "no_project",
    `No project: ${cwd} is the home folder or a root folder, which can't have a memory.`,
    "Name the project's folder: --project DIR on the command line, or SENTINEL_PROJECT in the environment.",
  );
}

/** Some clients pass `\${workspaceFolder}` on unexpanded. */
const isUnexpanded = (value: string): boolean => value.includes("${");

function exactly(folder: string, how: string): Project {
  const there = pathOnDisk(folder);
  if (there !== undefined && isFolder(there)) {
    return project(canonicalPath(there), how);
  }
  throw new SentinelError(
    "no_project",
    `${how} names ${folder}, which is not a folder.`,
    `Correct ${how} and start again.`,
  );
}

function upwardFrom(start: string, hint: string): Project | undefined {
  const there = pathOnDisk(start);
  if (there === undefined || !isFolder(there)) {
    return undefined;
  }
  const first = canonicalPath(there);
  for (let folder = first; !isHomeOrRoot(folder); folder = dirname(folder)) {
    const found = projectAt(folder, first, hint);
    if (found) {
      return found;
    }
  }
  return isHomeOrRoot(first) ? undefined : project(first, aloneAs(hint));
}

/** Returns the project of a folder that has a memory or is the root of a repository. @param start the folder in which the search began. */
function projectAt(folder: string, start: string, hint: string): Project | undefined {
  const found = project(folder, `memory found from ${hint}`);
  const hasMemory = existsSync(found.context.memoryFile);
  if (!hasMemory && !existsSync(join(folder, ".git"))) {
    return undefined;
  }
  const nearer = sparseProject(start, folder);
  if (nearer) {
    return project(nearer, `memory, outside of the sparse checkout, found from ${hint}`);
  }
  if (hasMemory) {
    return found;
  }
  const root = isBesideBare(folder) ? "bare repository" : "git root";
  return project(folder, `${root} of ${hint}`);
}

/** Describes a folder that isn't in a repository or below a memory. */
const aloneAs = (hint: string): string => `${hint} itself`;

function onlyWorkspace(paths: string | undefined): string | undefined {
  const folders = (paths ?? "")
    .split(new RegExp(`[${delimiter === ":" ? ":," : ";,"}]`))
    .filter(Boolean);
  return folders.length === 1 ? folders[0] : undefined;
}

function project(folder: string, how: string): Project {
  return { folder, context: contextFolder(join(folder, CONTEXT_FOLDER)), how };
}

/** Whether a folder is the home folder or a root, which can't be a project. @param folder without links. */
export function isHomeOrRoot(folder: string): boolean {
  const home = homedir();
  return (
    folder === parse(folder).root || folder === (existsSync(home) ? canonicalPath(home) : home)
  );
}
