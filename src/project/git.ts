/** Asks git; where git or a repository is missing, the status says so and nothing is thrown. */
import { execFile } from "node:child_process";

export interface GitAnswer {
  /** The exit status; -1 when git could not be run or was ended by a signal. */
  readonly status: number;
  readonly text: string;
}

/** Some answers list every commit of a repository. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Runs git in a folder. */
export function git(folder: string, ...args: readonly string[]): Promise<GitAnswer> {
  return new Promise((resolve) => {
    execFile("git", [...args], { cwd: folder, maxBuffer: MOST_BYTES }, (error, text) =>
      resolve({ status: error ? (typeof error.code === "number" ? error.code : -1) : 0, text }),
    );
  });
}

/** Short hashes of the commits, on any branch, that added or removed a line with this text; none without a repository. */
export async function commitsThatHold(text: string, folder: string): Promise<string[]> {
  const { status, text: hashes } = await git(folder, "log", "--all", "--format=%h", `-G${text}`, "--", ".");
  return status === 0 ? linesOf(hashes) : [];
}

/** The lines of an answer, without empty ones. */
export function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Whether git tracks a file, which need not exist; undefined where there is no repository. @param path from the folder. */
export async function isTracked(path: string, folder: string): Promise<boolean | undefined> {
  const { status, text } = await git(folder, "ls-files", "--", path);
  return status === 0 ? text !== "" : undefined;
}
