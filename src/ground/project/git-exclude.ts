/** The exclude file: the ignore rules that git keeps in a clone and never shares. */
import { join } from "node:path";
import { repositoryAround } from "./repository.ts";

/** The file's path from the root of a repository. In a worktree, git keeps it elsewhere. */
export const EXCLUDE = ".git/info/exclude";

/** The exclude file of the repository around a folder. Without a repository, no file is at that path. */
export function excludeFileOf(folder: string): string {
  const repository = repositoryAround(folder);
  return repository ? join(repository.common, "info", "exclude") : join(folder, EXCLUDE);
}
