/** What git knows of one file: its text at a commit, and which commit brought each line. */
import { basename, dirname } from "node:path";
import { git, linesOf, mustReadGit } from "./git.ts";

const FORMAT = "%x00%h%x1f%an";

/** The commits up to HEAD that added lines to a file, oldest first, each with its short hash; none without a repository. @throws SentinelError `git_refused`. */
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

/** The text of a file at a commit; undefined if that commit does not have it. @throws SentinelError `git_refused`. */
export async function textAt(file: string, commit: string): Promise<string | undefined> {
  const { status, text } = await git(dirname(file), "show", `${commit}:./${basename(file)}`);
  if (status === 0) return text;
  await mustReadGit(dirname(file));
  return undefined;
}

/**
 * The text of a file before the last commit that added a word to it. Undefined if that commit created the file, or no commit added
 * the word. @throws SentinelError `git_refused`.
 */
export async function textBefore(file: string, word: string): Promise<string | undefined> {
  const path = `./${basename(file)}`;
  const { text } = await git(dirname(file), "log", "--format=%H", `-S${word}`, "--", path);
  for (const commit of linesOf(text)) {
    const earlier = await textAt(file, `${commit}^`);
    if (earlier === undefined || !earlier.includes(word)) return earlier;
  }
  return undefined;
}

/** The names of a default branch, in full: a tag of the same short name would come first. */
const DEFAULTS = [
  "remotes/origin/HEAD",
  "remotes/origin/main",
  "remotes/origin/master",
  "heads/main",
  "heads/master",
];

/** The branch that a team's work ends on; undefined where git does not say, as in a pipeline's clone. @throws SentinelError `git_refused`. */
export async function defaultBranch(folder: string): Promise<string | undefined> {
  for (const name of DEFAULTS.map((ref) => `refs/${ref}`)) {
    const { status } = await git(folder, "rev-parse", "--verify", "--quiet", `${name}^{commit}`);
    if (status === 0) return name;
  }
  await mustReadGit(folder);
  return undefined;
}

/**
 * Where this branch left another one. @param ref a branch, tag or commit; without, what it pushes to, the remote's first branch, or the last commit.
 * @returns its name for people, and the last commit in common with it; undefined where git does not know it. @throws SentinelError `git_refused`.
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
