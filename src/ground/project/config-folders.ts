/** The folders of the user's settings: one for all projects, and one per project. Nothing here creates them. */
import { existsSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import envPaths from "env-paths";
import { canonicalPath } from "../files/paths.ts";
import { OURS } from "./context-folder.ts";
import { readPlacesFile } from "./places-file.ts";
import { projectPath, repositoryAround } from "./repository.ts";

export type ConfigFolders = Readonly<ReturnType<typeof configFolders>>;

/** Returns the folder noted by `sessions on`, so that all processes use the same one. Without a note, returns this process's own. */
export function configFolder(): string {
  const written = readPlacesFile();
  return (written === "broken" ? undefined : written.config) ?? configFolderHere();
}

/** Returns the folder according to this process's environment. */
const configFolderHere = (): string => envPaths(OURS, { suffix: "" }).config;

/** Returns all folders that may list words never to be stored, including the one that only this process uses. */
export function allConfigFolders(projectFolder: string): ConfigFolders[] {
  const roots = new Set([configFolder(), configFolderHere()]);
  return [...roots].map((root) => configFolders(projectFolder, root));
}

/** Returns the folder for all projects and the one for this project, which all worktrees of a repository share. @param root the user's folder. */
export function configFolders(projectFolder: string, root = configFolder()) {
  const folderOf = (path: string) => join(root, "projects", path.replace(/^([A-Za-z]):/, "$1"));
  const [now, before] = inMainWorktree(projectFolder).map(folderOf) as [string, string];
  // A secret word in an earlier release's folder must still be redacted.
  return { general: root, ofProject: before !== now && existsSync(before) ? before : now };
}

/** Returns the matching folder in the repository's main worktree, and its path in earlier releases. In the main worktree, or outside a repository, that's the folder itself. */
function inMainWorktree(folder: string): readonly [now: string, before: string] {
  const repository = isAbsolute(folder) ? repositoryAround(folder) : undefined;
  if (!repository || repository.own === repository.common) return [folder, folder];
  const { root, common } = repository;
  const below = relative(root, canonicalPath(folder));
  return [join(projectPath(repository), below), join(common.replace(/[/\\]\.git$/, ""), below)];
}
