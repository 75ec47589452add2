/** The exclude file, which contains ignore rules that git keeps in a clone and never shares. */
import { join } from "node:path";
import { repositoryAround } from "./repository.ts";

/** The file's path from the root of a repository. In a worktree, git keeps it elsewhere. */
export const EXCLUDE = ".git/info/exclude";

/** Returns the exclude file of the repository around a folder. Without a repository, the file doesn't exist. */
export function excludeFileOf(folder: string): string {
  const repository = repositoryAround(folder);
  return repository ? join(repository.common, "info", "exclude") : join(folder, EXCLUDE);
}
