/** Reads the history of one file: its text at a commit, and the commit that added each line. */
import { basename, dirname } from "node:path";
import { git, linesOf, mustReadGit } from "./git.ts";

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
  if (status === 0) return text;
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

/** Returns the default branch. Undefined if git has none, as in a CI clone. @throws SentinelError `git_refused`. */
export async function defaultBranch(folder: string): Promise<string | undefined> {
  for (const name of DEFAULTS.map((ref) => `refs/${ref}`)) {
    const { status } = await git(folder, "rev-parse", "--verify", "--quiet", `${name}^{commit}`);
    if (status === 0) return name;
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
    if (known.status !== 0) continue;
    const base = await git(folder, "merge-base", "HEAD", known.text.trim());
    const [commit = known.text.trim()] = linesOf(base.text);
    if (ref !== undefined) return { name: ref, commit };
    const named = await git(folder, "rev-parse", "--abbrev-ref", name);
    return { name: linesOf(named.text)[0] ?? name, commit };
  }
  await mustReadGit(folder);
  return undefined;
}
