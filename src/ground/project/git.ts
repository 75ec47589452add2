/** Runs git, and reads the history of one file. If git or a repository is missing, the status is nonzero and nothing is thrown. */
import { type ExecFileException, execFile, spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { SentinelError, tryOr } from "../core/errors.ts";
import { gitRootOf, repositoryAround } from "./repository.ts";

interface GitAnswer {
  /** The exit status. -1 if git couldn't be run, or a signal ended it. */
  readonly status: number;
  readonly text: string;
  /** The text on standard error. */
  readonly message: string;
}

/** Large enough for answers that list every commit of a repository. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Runs git in a folder. Never rejects. */
export async function git(folder: string, ...args: readonly string[]): Promise<GitAnswer> {
  const options = { cwd: folder, maxBuffer: MOST_BYTES, windowsHide: true };
  try {
    return await new Promise((resolve) => {
      execFile("git", [...args], options, (error, text, message) =>
        resolve({ status: statusOf(error), text, message }),
      );
    });
  } catch (error) {
    // Node throws some errors of starting a program instead of passing them on: E2BIG on Linux, UNKNOWN on Windows.
    return { status: -1, text: "", message: String(error) };
  }
}

/** Runs git in a folder and waits for it. Returns the text, empty if git fails. */
export function gitNow(folder: string, ...args: readonly string[]): string {
  const options = { cwd: folder, encoding: "utf8", windowsHide: true } as const;
  return spawnSync("git", args, options).stdout ?? "";
}

function statusOf(error: ExecFileException | null): number {
  if (!error) {
    return 0;
  }
  return typeof error.code === "number" ? error.code : -1;
}

/** Matches the command in git's message about a repository with another owner. Git doesn't translate it. */
const TRUST_COMMAND = /git config --global --add safe\.directory .+/;

/** Returns why git refuses to read the repository around a folder. Undefined if git reads it, or there's no repository. */
export async function refusalOf(folder: string): Promise<SentinelError | undefined> {
  const root = gitRootOf(resolve(folder));
  if (root === undefined || isEmptyRepository(root)) {
    return undefined;
  }
  // The folder itself doesn't have to exist.
  const { status, message } = await git(root, "rev-parse", "--git-dir");
  if (status === 0) {
    return undefined;
  }
  if (status === -1) {
    const what = `${root} is a git repository, and git cannot be run.`;
    return new SentinelError(
      "git_refused",
      what,
      "Put git into the PATH of the program that starts this.",
    );
  }
  const [said = ""] = linesOf(message);
  const [command] = TRUST_COMMAND.exec(message) ?? [];
  const fix = command ?? `Run git status in ${root}.`;
  return new SentinelError("git_refused", `git does not read this repository: ${said.trim()}`, fix);
}

/** Checks that git reads the repository around a folder. @throws SentinelError `git_refused`. */
export async function mustReadGit(folder: string): Promise<void> {
  const refusal = await refusalOf(folder);
  if (refusal) {
    throw refusal;
  }
}

/** Git ignores an empty folder `.git`. */
function isEmptyRepository(root: string): boolean {
  const git = join(root, ".git");
  const isThere = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined;
  return tryOr(() => statSync(git).isDirectory() && !isThere(join(git, "HEAD")), false);
}

/** Returns the branch, or `HEAD` if detached, as clients do. Undefined without a repository. */
export async function branchOf(folder: string): Promise<string | undefined> {
  const branch = branchInFile(folder);
  if (branch !== undefined) {
    return branch;
  }
  const { status, text } = await git(folder, "branch", "--show-current");
  return status === 0 ? (linesOf(text)[0] ?? "HEAD") : undefined;
}

/** Reads the branch from the repository's HEAD file, which is cheaper than a process. Undefined if the file has another form. */
function branchInFile(folder: string): string | undefined {
  const repository = repositoryAround(folder);
  if (!repository) {
    return undefined;
  }
  const head = tryOr(() => readFileSync(join(repository.own, "HEAD"), "utf8"), "");
  return /^ref: refs\/heads\/(?!\.)(.+)\n$/.exec(head)?.[1];
}

/** Returns short hashes of the commits, on any branch, that added or removed a line with one of these ids. */
export async function commitsThatHold(ids: readonly string[], folder: string): Promise<string[]> {
  const pattern = ids.map((id) => id.replaceAll(".", "[.]")).join("|");
  const { status, text: hashes } = await git(
    folder,
    "log",
    "--all",
    "--format=%h",
    `-G${pattern}`,
    "--",
    ".",
  );
  return status === 0 ? linesOf(hashes) : [];
}

/** Returns the non-empty lines of a text. */
export const linesOf = (text: string): string[] => text.split("\n").filter(Boolean);

/** Returns the paths that git tracks or doesn't ignore. Undefined without a repository, for no paths, and if one is outside the repository or behind a link. */
export async function seenBy(
  folder: string,
  paths: readonly string[],
): Promise<string[] | undefined> {
  // Git accepts forward slashes on every platform, and prints a path with a backslash in quotes.
  const nameOf = (path: string) => path.replaceAll(sep, "/");
  const options = ["-c", "core.quotePath=false"];
  const { status, text } = await git(
    folder,
    ...options,
    "check-ignore",
    "--",
    ...paths.map(nameOf),
  );
  // The status is 1 if git ignores no path.
  if (status !== 0 && status !== 1) {
    return undefined;
  }
  const ignored = new Set(linesOf(text));
  return paths.filter((path) => !ignored.has(nameOf(path)));
}

/** Returns the paths that differ from the last commit, each with whether it's new. @param place the folder, from the root. */
export async function uncommittedOf(
  folder: string,
  place: string,
  paths: readonly string[],
): Promise<{ readonly path: string; readonly isNew: boolean }[]> {
  const options = ["--porcelain", "-z", "--no-renames", "--untracked-files=all"];
  const { text } = await git(folder, "--literal-pathspecs", "status", ...options, "--", ...paths);
  const states = new Map(text.split("\0").map((line) => [line.slice(3), line.slice(0, 2)]));
  return paths.flatMap((path) => {
    const state = states.get(join(place, path).replaceAll("\\", "/"));
    return state === undefined ? [] : [{ path, isNew: /^(?:\?\?|A)/.test(state) }];
  });
}

/** Whether git tracks a file. The file doesn't have to exist. Undefined without a repository. @param path from the folder. */
export async function isTracked(path: string, folder: string): Promise<boolean | undefined> {
  const { status, text } = await git(folder, "ls-files", "--", path);
  return status === 0 ? text !== "" : undefined;
}

const FORMAT = "%x00%h%x1f%an";

/** Returns the commits up to HEAD that added lines to a file, oldest first, each with its short hash. @throws SentinelError `git_refused`. */
export async function linesByCommit(file: string) {
  const args = [
    "--reverse",
    `--format=${FORMAT}`,
    "--patch",
    "--unified=0",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
  ];
  const { status, text } = await git(
    dirname(file),
    "log",
    ...args,
    "HEAD",
    "--",
    `./${basename(file)}`,
  );
  if (status !== 0) {
    await mustReadGit(dirname(file));
    return [];
  }
  return text
    .split("\0")
    .slice(1)
    .map((commit) => {
      const [head = "", ...patch] = commit.split("\n");
      const [hash = "", author = ""] = head.split("\x1f");
      const added = patch.filter((line) => line.startsWith("+") && !line.startsWith("+++ "));
      return { hash, author, lines: added.map((line) => line.slice(1)) };
    });
}

/** Returns the text of a file at a commit, or undefined. @throws SentinelError `git_refused`. */
export async function textAt(file: string, commit: string): Promise<string | undefined> {
  const { status, text } = await git(dirname(file), "show", `${commit}:./${basename(file)}`);
  if (status === 0) {
    return text;
  }
  await mustReadGit(dirname(file));
  return undefined;
}

/** Full names of default branches. With short names, git would prefer a tag of the same name. */
const DEFAULTS = [
  "remotes/origin/HEAD",
  "remotes/origin/main",
  "remotes/origin/master",
  "heads/main",
  "heads/master",
];

/** Returns the default branch. Undefined without one, as in a CI clone. @throws SentinelError `git_refused`. */
export async function defaultBranch(folder: string): Promise<string | undefined> {
  for (const name of DEFAULTS.map((ref) => `refs/${ref}`)) {
    const { status } = await git(folder, "rev-parse", "--verify", "--quiet", `${name}^{commit}`);
    if (status === 0) {
      return name;
    }
  }
  await mustReadGit(folder);
  return undefined;
}

/**
 * The point at which this branch left another one.
 * @param ref a branch, tag or commit. By default the upstream, the remote's default branch, or HEAD.
 * @returns its name, and the last common commit. Undefined if git doesn't know it.
 * @throws SentinelError `git_refused`.
 */
export async function forkFrom(folder: string, ref: string | undefined) {
  for (const name of ref === undefined ? ["@{upstream}", "origin/HEAD", "HEAD"] : [ref]) {
    const known = await git(
      folder,
      "rev-parse",
      "--verify",
      "--quiet",
      "--end-of-options",
      `${name}^{commit}`,
    );
    if (known.status !== 0) {
      continue;
    }
    const base = await git(folder, "merge-base", "HEAD", known.text.trim());
    const [commit = known.text.trim()] = linesOf(base.text);
    if (ref !== undefined) {
      return { name: ref, commit };
    }
    const named = await git(folder, "rev-parse", "--abbrev-ref", name);
    return { name: linesOf(named.text)[0] ?? name, commit };
  }
  await mustReadGit(folder);
  return undefined;
}
