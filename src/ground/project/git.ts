/** Asks git; where git or a repository is missing, the status says so and nothing is thrown. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../core/errors.ts";
import { gitRootOf } from "./git-root.ts";

interface GitAnswer {
  /** The exit status; -1 when git could not be run or was ended by a signal. */
  readonly status: number;
  readonly text: string;
  /** What git printed to standard error. */
  readonly message: string;
}

/** Some answers list every commit of a repository. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Runs git in a folder. */
export function git(folder: string, ...args: readonly string[]): Promise<GitAnswer> {
  return new Promise((resolve) => {
    execFile("git", [...args], { cwd: folder, maxBuffer: MOST_BYTES }, (error, text, message) =>
      resolve({ status: error ? (typeof error.code === "number" ? error.code : -1) : 0, text, message }),
    );
  });
}

/** The branch, `HEAD` where there is none, as clients name it; undefined without a repository. */
export async function branchOf(folder: string): Promise<string | undefined> {
  const branch = branchInFile(folder);
  if (branch !== undefined) return branch;
  const { status, text } = await git(folder, "branch", "--show-current");
  return status === 0 ? (linesOf(text)[0] ?? "HEAD") : undefined;
}

/** Whether a commit is another one or stands before it; undefined where git does not know one of them. */
export async function isBefore(folder: string, commit: string, later: string): Promise<boolean | undefined> {
  const { status } = await git(folder, "merge-base", "--is-ancestor", commit, later);
  return status === 0 ? true : status === 1 ? false : undefined;
}

/** What the repository's own file says, in a thousandth of the time that a process takes; undefined where it says it in another way. */
function branchInFile(folder: string): string | undefined {
  const head = orElse(() => readFileSync(join(gitRootOf(folder) ?? folder, ".git", "HEAD"), "utf8"), "");
  return /^ref: refs\/heads\/(?!\.)(.+)\n$/.exec(head)?.[1];
}

/** Short hashes of the commits, on any branch, that added or removed a line with one of these ids; none without a repository. */
export async function commitsThatHold(ids: readonly string[], folder: string): Promise<string[]> {
  const pattern = ids.map((id) => id.replaceAll(".", "[.]")).join("|");
  const { status, text: hashes } = await git(folder, "log", "--all", "--format=%h", `-G${pattern}`, "--", ".");
  return status === 0 ? linesOf(hashes) : [];
}

/** The lines of an answer, without empty ones. */
export const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

/** The worktrees of a folder's repository; undefined where git cannot say. */
export async function worktreesOf(folder: string): Promise<string[] | undefined> {
  const { status, text } = await git(folder, "worktree", "list", "--porcelain");
  if (status !== 0) return undefined;
  return linesOf(text).flatMap((line) => (line.startsWith("worktree ") ? [line.slice("worktree ".length)] : []));
}

/** Those of the paths that git sees: it does not ignore them, or tracks them all the same; undefined where git cannot say. */
export async function seenBy(folder: string, paths: readonly string[]): Promise<string[] | undefined> {
  const { status, text } = await git(folder, "-c", "core.quotePath=false", "check-ignore", "--", ...paths);
  // The status is 1 where it ignores none.
  if (status !== 0 && status !== 1) return undefined;
  const ignored = new Set(linesOf(text));
  return paths.filter((path) => !ignored.has(path));
}

/** Whether git tracks a file, which need not exist; undefined where there is no repository. @param path from the folder. */
export async function isTracked(path: string, folder: string): Promise<boolean | undefined> {
  const { status, text } = await git(folder, "ls-files", "--", path);
  return status === 0 ? text !== "" : undefined;
}
