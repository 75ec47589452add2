/** The exclude file: the ignore rules that git keeps in a clone and never shares. */
import { join } from "node:path";
import { repositoryAround } from "./repository.ts";

/** From the root of a repository that is not a worktree; in a worktree git keeps the file elsewhere. */
export const EXCLUDE = ".git/info/exclude";

/** The exclude file of the repository around a folder; without a repository, a path at which there is no file. */
export function excludeFileOf(folder: string): string {
  const repository = repositoryAround(folder);
  return repository ? join(repository.common, "info", "exclude") : join(folder, EXCLUDE);
}
