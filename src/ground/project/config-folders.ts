/** The folders of a person's own settings, one for all projects and one for each. Nothing here makes them. */
import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import envPaths from "env-paths";
import { isFolder } from "../files/named-file.ts";
import { OURS } from "./context-folder.ts";
import { gitRootOf } from "./git-root.ts";
import { readPlacesFile } from "./places-file.ts";

export type ConfigFolders = Readonly<ReturnType<typeof configFolders>>;

/** Our folder of settings: the one that `record on` found, so that all processes of a person find the same; else this process's. */
export function configFolder(): string {
  const written = readPlacesFile();
  return (written === "broken" ? undefined : written.config) ?? configFolderHere();
}

/** As this process's environment says. */
export const configFolderHere = (): string => envPaths(OURS, { suffix: "" }).config;

/** All that may hold words which must not be stored: also those at which only this process looks. */
export function allConfigFolders(projectFolder: string): ConfigFolders[] {
  const roots = new Set([configFolder(), configFolderHere()]);
  return [...roots].map((root) => configFolders(projectFolder, root));
}

/** For all projects, and for this one, with the project's path, which all worktrees of a repository share. @param root the person's folder. */
export function configFolders(projectFolder: string, root = configFolder()) {
  const path = inMainWorktree(projectFolder).replace(/^([A-Za-z]):/, "$1");
  return { general: root, ofProject: join(root, "projects", path) };
}

/** The same folder in the repository's main worktree; in no worktree, or the main one, the folder itself. */
function inMainWorktree(folder: string): string {
  const root = gitRootOf(folder);
  if (root === undefined || isFolder(join(root, ".git"))) return folder;
  return join(mainWorktreeOf(root) ?? root, relative(root, folder));
}

/** Read from git's own files, because asking git would cost every save a process. */
function mainWorktreeOf(worktree: string): string | undefined {
  try {
    const [, gitFolder = ""] = /^gitdir: (.+)/.exec(readFileSync(join(worktree, ".git"), "utf8")) ?? [];
    const own = resolve(worktree, gitFolder.trimEnd());
    const common = resolve(own, readFileSync(join(own, "commondir"), "utf8").trimEnd());
    return basename(common) === ".git" ? dirname(common) : common;
  } catch {
    return undefined; // A submodule, or a worktree that is broken.
  }
}
