/** Reads a repository from its files. Running git would slow down every save and hook, and git refuses some repositories. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { tryOr } from "../core/errors.ts";
import { canonicalPath, pathOnDisk } from "../files/paths.ts";

/** The nearest folder upward that has a `.git`, or undefined. @param start absolute. */
export function gitRootOf(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) {
      return folder;
    }
    if (folder === dirname(folder)) {
      return undefined;
    }
  }
}

export interface Repository {
  /** The folder that has `.git`, or a bare repository itself. */
  readonly root: string;
  /** Git's folder for this working folder. */
  readonly own: string;
  /** Git's folder that all working folders share. Two folders that share it belong to the same project. */
  readonly common: string;
}

/** The usual name of a bare repository in the folder of its worktrees. */
const HIDDEN_BARE = ".bare";

/** Finds the repository around a folder, or undefined. Like git, it doesn't search above a broken `.git` file. */
export function repositoryAround(start: string): Repository | undefined {
  const first = tryOr(() => canonicalPath(start), resolve(start));
  for (let folder = first; ; folder = dirname(folder)) {
    const found = repositoryAt(folder);
    if (found || hasGitFile(folder) || folder === dirname(folder)) {
      return found;
    }
  }
}

/** Whether a path noted for a project is the project of a folder. */
export function namesProject(path: string, folder: string): boolean {
  const place = pathOnDisk(path) ?? path;
  const repository = repositoryAround(folder);
  if (!repository) {
    return place === canonicalPath(folder);
  }
  return repositoryNamed(place)?.common === repository.common;
}

/** Returns the repository whose `projectPath` is or was this path. */
export function repositoryNamed(path: string): Repository | undefined {
  return repositoryAt(path) ?? repositoryAt(join(path, HIDDEN_BARE));
}

/** Returns the project's path for display: its main working folder, or the folder around a bare repository and its worktrees. */
export function projectPath(repository: Repository): string {
  const { common } = repository;
  const hidden = basename(common) === HIDDEN_BARE ? dirname(common) : undefined;
  return mainFolder(repository) ?? hidden ?? configuredFolder(common) ?? common;
}

/** Returns all working folders of the project, including deleted worktrees that git still lists. */
export function workingFolders(repository: Repository): string[] {
  const { root, common } = repository;
  const inside = root === common ? undefined : root;
  const folders = [
    mainFolder(repository),
    configuredFolder(common),
    inside,
    ...linkedWorktrees(common),
  ];
  return [...new Set(folders.filter((folder) => folder !== undefined))];
}

/** Returns the folder that contains `.git`. A linked worktree can't find it if git's folder is elsewhere. */
function mainFolder({ root, own, common }: Repository): string | undefined {
  if (own === common && root !== common) {
    return root;
  }
  const beside = dirname(common);
  return repositoryAt(beside)?.common === common ? beside : undefined;
}

/** Whether a folder only points to a bare repository, and has no tracked files itself. */
export function isBesideBare(folder: string): boolean {
  const repository = repositoryAt(folder);
  if (!repository || repository.own !== repository.common) {
    return false;
  }
  return configValues(repository.common, "core", "bare").at(-1) === "true";
}

/** Returns the values of a key in a repository's own configuration. @param section and key in lower case. */
export function configValues(
  common: string,
  section: string,
  key: string,
  file = "config",
): string[] {
  const values: string[] = [];
  let current = "";
  for (const line of tryOr(() => readFileSync(join(common, file), "utf8"), "").split("\n")) {
    const header = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    current = header?.toLowerCase() ?? current;
    const [, name = "", value = ""] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (current === section && name.toLowerCase() === key) {
      values.push(unquoted(value));
    }
  }
  return values;
}

/** Unquotes a value. Git quotes values with special characters, and escapes quotes and backslashes. */
const unquoted = (value: string): string =>
  value.replace(/^"(.*)"$/, "$1").replaceAll(/\\(["\\])/g, "$1");

/** Returns the repository of a folder that contains `.git` or is a bare repository. */
function repositoryAt(root: string): Repository | undefined {
  for (const place of [join(root, ".git"), root]) {
    const own = tryOr(() => canonicalPath(gitFolderAt(place)), undefined);
    if (own === undefined || !existsSync(join(own, "HEAD"))) {
      continue;
    }
    const shared = tryOr(() => readFileSync(join(own, "commondir"), "utf8").trimEnd(), ".");
    const common = tryOr(() => canonicalPath(resolve(own, shared)), undefined);
    if (common !== undefined && existsSync(join(common, "objects"))) {
      return { root, own, common };
    }
  }
  return undefined;
}

/** Returns git's folder at a path, following a `.git` file. */
function gitFolderAt(place: string): string {
  if (statSync(place).isDirectory()) {
    return place;
  }
  const [, named = ""] = /^gitdir: (.+)/.exec(readFileSync(place, "utf8")) ?? [];
  return resolve(dirname(place), named.trimEnd());
}

/** Whether a folder has a `.git` file. Git stops searching at such a folder. */
const hasGitFile = (folder: string): boolean =>
  statSync(join(folder, ".git"), { throwIfNoEntry: false })?.isFile() ?? false;

/** Returns the main working folder from `core.worktree`. A sparse checkout of a submodule moves that key to `config.worktree`. */
function configuredFolder(common: string): string | undefined {
  const files = ["config", "config.worktree"];
  const named = files
    .map((file) => configValues(common, "core", "worktree", file).at(-1))
    .find(Boolean);
  if (named === undefined) {
    return undefined;
  }
  const folder = resolve(common, named);
  return tryOr(() => canonicalPath(folder), folder);
}

function linkedWorktrees(common: string): string[] {
  const notes = join(common, "worktrees");
  const names = tryOr(() => readdirSync(notes), []);
  return names
    .map((name) => {
      const text = tryOr(() => readFileSync(join(notes, name, "gitdir"), "utf8").trimEnd(), "");
      return text === "" ? "" : dirname(resolve(notes, name, text));
    })
    .filter(Boolean);
}
