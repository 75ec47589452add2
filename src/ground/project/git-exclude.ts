/** The exclude file: the ignore rules that git keeps in a clone and never shares. */
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

/** From the root of a repository that is not a worktree; in a worktree git keeps the file elsewhere. */
export const EXCLUDE = ".git/info/exclude";

/** The exclude file of the repository around a folder; without git or a repository, a path at which there is no file. */
export function excludeFileOf(folder: string): string {
  try {
    const path = execFileSync("git", ["rev-parse", "--git-path", "info/exclude"], { cwd: folder, stdio: "pipe" });
    return resolve(folder, path.toString().trimEnd());
  } catch {
    return join(folder, EXCLUDE);
  }
}
