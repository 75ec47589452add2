/** A repository as its own files describe it: asking git would cost every save and every hook a process, and git refuses some repositories. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { tryOr } from "../core/errors.ts";
import { canonicalPath } from "../files/canonical-path.ts";
import { pathOnDisk } from "../files/named-file.ts";

export interface Repository {
  /** The folder that has `.git`: the top of a working folder, or the folder beside a bare repository. Inside a bare repository, that one. */
  readonly root: string;
  /** Git's folder of this working folder. */
  readonly own: string;
  /** Git's folder that all working folders share. Two folders with the same one are the same project. */
  readonly common: string;
}

/** The usual name of a bare repository that has its worktrees beside it. */
const HIDDEN_BARE = ".bare";

/** The repository around a folder; undefined outside all repositories, and below a `.git` file that leads nowhere. */
export function repositoryAround(start: string): Repository | undefined {
  const first = tryOr(() => canonicalPath(start), resolve(start));
  for (let folder = first; ; folder = dirname(folder)) {
    const found = repositoryAt(folder);
    if (found || hasGitFile(folder) || folder === dirname(folder)) return found;
  }
}

/** Whether a path, as it was noted for a project, names the project of a folder. */
export function namesProject(path: string, folder: string): boolean {
  const place = pathOnDisk(path) ?? path;
  const repository = repositoryAround(folder);
  if (!repository) return place === canonicalPath(folder);
  return repositoryNamed(place)?.common === repository.common;
}

/** The repository whose `projectPath` is or was this path. */
export function repositoryNamed(path: string): Repository | undefined {
  return repositoryAt(path) ?? repositoryAt(join(path, HIDDEN_BARE));
}

/** What people call the project: its main working folder, or the folder around a bare repository and its worktrees. */
export function projectPath(repository: Repository): string {
  const { common } = repository;
  const hidden = basename(common) === HIDDEN_BARE ? dirname(common) : undefined;
  return mainFolder(repository) ?? hidden ?? configuredFolder(common) ?? common;
}

/** All folders in which people and agents work on the project, also worktrees that are gone but still known to git. */
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

/** The folder that has `.git` itself; seen from a linked worktree undefined if git's folder lies elsewhere. */
function mainFolder({ root, own, common }: Repository): string | undefined {
  if (own === common && root !== common) return root;
  const beside = dirname(common);
  return repositoryAt(beside)?.common === common ? beside : undefined;
}

/** Whether a folder only leads to a bare repository, so that it has no files of its own in git. */
export function isBesideBare(folder: string): boolean {
  const repository = repositoryAt(folder);
  if (!repository || repository.own !== repository.common) return false;
  return configValues(repository.common, "core", "bare").at(-1) === "true";
}

/** The values of a key in a repository's own configuration. @param section and key in lower case. */
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
    if (current === section && name.toLowerCase() === key) values.push(unquoted(value));
  }
  return values;
}

/** Git writes a value with special characters in quotes, and escapes quotes and backslashes. */
const unquoted = (value: string): string =>
  value.replace(/^"(.*)"$/, "$1").replaceAll(/\\(["\\])/g, "$1");

/** The repository of a folder that has `.git`, or of a folder that is a bare repository. */
function repositoryAt(root: string): Repository | undefined {
  for (const place of [join(root, ".git"), root]) {
    const own = tryOr(() => canonicalPath(gitFolderAt(place)), undefined);
    if (own === undefined || !existsSync(join(own, "HEAD"))) continue;
    const shared = tryOr(() => readFileSync(join(own, "commondir"), "utf8").trimEnd(), ".");
    const common = tryOr(() => canonicalPath(resolve(own, shared)), undefined);
    if (common !== undefined && existsSync(join(common, "objects"))) return { root, own, common };
  }
  return undefined;
}

/** Git's folder at a place, to which a `.git` file leads. */
function gitFolderAt(place: string): string {
  if (statSync(place).isDirectory()) return place;
  const [, named = ""] = /^gitdir: (.+)/.exec(readFileSync(place, "utf8")) ?? [];
  return resolve(dirname(place), named.trimEnd());
}

/** Git looks no further up from such a file. */
const hasGitFile = (folder: string): boolean =>
  statSync(join(folder, ".git"), { throwIfNoEntry: false })?.isFile() ?? false;

/** The main working folder as `core.worktree` names it; a sparse checkout of a submodule moves the key to the other file. */
function configuredFolder(common: string): string | undefined {
  const files = ["config", "config.worktree"];
  const named = files
    .map((file) => configValues(common, "core", "worktree", file).at(-1))
    .find(Boolean);
  if (named === undefined) return undefined;
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
    .filter((folder) => folder !== "");
}
