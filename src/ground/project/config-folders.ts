/** The user's folders: those noted by `sessions on`, and those of the settings, one for all projects and one per project. Nothing here creates them. */

import { readFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import envPaths from "env-paths";
import { hasCode } from "../files/file-errors.ts";
import { canonicalPath } from "../files/paths.ts";
import { OURS, placesFile } from "./context-folder.ts";
import { projectPath, repositoryAround } from "./repository.ts";

/** The user's folders of settings. */
export interface ConfigFolders {
  /** For all projects. */
  readonly general: string;
  readonly ofProject: string;
}

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
export function configFolders(projectFolder: string, root = configFolder()): ConfigFolders {
  const path = inMainWorktree(projectFolder).replace(/^([A-Za-z]):/, "$1");
  return { general: root, ofProject: join(root, "projects", path) };
}

/** Returns the matching folder in the repository's main worktree. There, or outside a repository, that's the folder itself. */
function inMainWorktree(folder: string): string {
  const repository = isAbsolute(folder) ? repositoryAround(folder) : undefined;
  if (!repository || repository.own === repository.common) {
    return folder;
  }
  const below = relative(repository.root, canonicalPath(folder));
  return join(projectPath(repository), below);
}

const NAMES = ["data", "claude", "codex", "cursor"] as const;

/** Absolute paths. `config`, our settings folder, is undefined if its path wasn't absolute. */
type WrittenPlaces = Readonly<Partial<Record<(typeof NAMES)[number] | "config", string>>>;

/** Returns the noted folders. Empty if the file is missing. */
export function readPlacesFile(): WrittenPlaces | "broken" {
  try {
    const written = JSON.parse(readFileSync(placesFile(), "utf8")) as Record<string, unknown>;
    const folders = [...NAMES, "config"].flatMap((name) => {
      const folder = written[name];
      return typeof folder === "string" && isAbsolute(folder) ? [[name, folder] as const] : [];
    });
    const places = Object.fromEntries(folders);
    return NAMES.every((name) => name in places) ? places : "broken";
  } catch (error) {
    return hasCode(error, "ENOENT", "ENOTDIR") ? {} : "broken";
  }
}
