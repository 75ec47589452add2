/** Checks whether git shares the memory: the repository is readable, the memory is tracked and merged by line, and no lessons are only on other branches. */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { CONTEXT_FOLDER } from "../../ground/project/context-folder.ts";
import { git as gitIn, linesOf, refusalOf } from "../../ground/project/git.ts";
import { memoryAttributes } from "../../ground/project/git-files.ts";
import { repositoryAround, workingFolders } from "../../ground/project/repository.ts";
import { quoted } from "../../ground/terminal/shell.ts";
import { broken, type Context, type Finding, note, ok, warning } from "./finding.ts";

/** The most branches to compare. */
const MOST_BRANCHES = 50;

/** Checks for a repository that git refuses to read. */
export async function checkRepository({ files }: Context): Promise<Finding[]> {
  const refusal = await refusalOf(files.folder);
  return refusal ? [warning("git_refused", refusal.message, refusal.fix)] : [];
}

/** Checks how git stores and merges the memory. Empty if git refuses to read the repository. */
export async function checkSharing({ project, files, cwd }: Context): Promise<Finding[]> {
  const folder = files.folder;
  const { status, text } = await gitIn(folder, "rev-parse", "--is-inside-work-tree");
  if (status !== 0) return (await refusalOf(folder)) ? [] : [NO_REPOSITORY];
  if (text.trim() !== "true") return [notInWorktree(folder)];
  const place = relative(cwd, folder);
  const memory: SharedFile = {
    folder,
    file: relative(folder, project.context.memoryFile).replaceAll("\\", "/"),
    typed: quoted(relative(cwd, project.context.memoryFile)),
    command: place === "" ? "git" : `git -C ${quoted(place)}`,
    git: (...args) => gitIn(folder, ...args),
  };
  const ignored = await checkIgnored(memory);
  if (ignored) return [ignored];
  const checks = [checkAttributes, checkMerge, checkCommitted, checkElsewhere];
  const found = await Promise.all(checks.map((check) => check(memory)));
  const problems = found.filter((finding) => finding !== undefined);
  if (problems.length > 0) return problems;
  return [ok("shared", "git shares the memory, merges it line by line, and holds all of it.")];
}

/** The memory file, with its paths for git and for the user. */
interface SharedFile {
  /** Absolute path of the project's folder. */
  readonly folder: string;
  /** The path relative to that folder. */
  readonly file: string;
  /** The path as the user would type it. */
  readonly typed: string;
  /** The git command that the user would type for the project. */
  readonly command: string;
  /** Runs git in the folder. */
  readonly git: (...args: readonly string[]) => ReturnType<typeof gitIn>;
}

const NO_REPOSITORY = note(
  "no_repository",
  "No git repository, so the memory isn't shared.",
  "git init, or start the agent in the repository.",
);

/** Reports a bare repository, or the folder around it, because it has no working files to commit. */
function notInWorktree(folder: string): Finding {
  const repository = repositoryAround(folder);
  const all = repository ? workingFolders(repository) : [];
  const worktrees = all.filter((other) => other !== repository?.root);
  const what = `${folder} is not a worktree. git commits nothing from here, so lessons saved here reach no branch.`;
  const known =
    worktrees.length > 0
      ? `the worktrees are ${worktrees.join(", ")}`
      : "git worktree add makes one";
  const fix = `Start the agent in a worktree, as in cd ${quoted(worktrees[0] ?? "WORKTREE")}; ${known}.`;
  return warning("not_a_worktree", what, fix);
}

/** Checks whether git ignores the memory. That makes it private, unless git tracks it anyway. */
async function checkIgnored({ git, file, command }: SharedFile): Promise<Finding | undefined> {
  const { text } = await git("check-ignore", "--verbose", "--no-index", file);
  const [rule = ""] = text.split("\t");
  if (rule === "" || /:\d+:!/.test(rule)) return undefined;
  if ((await git("ls-files", "--", file)).text === "")
    return note(
      "private",
      `${file} is kept private, by ${rule}: it isn't shared. git clean -dx or removing the worktree deletes it. An export is a copy.`,
      "sentinel-memory export --json --output ../memory-copy.json",
    );
  return warning(
    "ignored_but_tracked",
    `git ignores ${file}, by ${rule}, but tracks it, so it is shared. Remove that line if it should be.`,
    `${command} rm -r --cached ${dirname(file)} && ${command} commit -m "Keep the memory private"`,
  );
}

async function checkAttributes({
  git,
  folder,
  file,
  typed,
}: SharedFile): Promise<Finding | undefined> {
  const path = `${CONTEXT_FOLDER}/.gitattributes`;
  // A sparse checkout may lack the file, so read it from the index.
  const source = existsSync(join(folder, path)) ? [] : ["--cached"];
  const { text } = await git("check-attr", ...source, "merge", "text", "filter", "--", file);
  const hold = `Let ${path} hold: ${memoryAttributes(file)}`;
  if (!/merge: union/.test(text) || !/text: set/.test(text)) {
    const what = `${file} does not merge line by line: two branches that log will conflict.`;
    return warning("not_merged_by_line", what, hold);
  }
  const [, filter = "unset"] = /filter: (.+)/.exec(text) ?? [];
  if (filter === "unset" || filter === "unspecified") return undefined;
  return warning(
    "filtered",
    `${file} goes through the filter ${filter}: git stores the filter's output, not the lessons.`,
    `${hold} (sentinel-memory init writes it); then git add --renormalize ${typed} && git commit`,
  );
}

async function checkMerge({ git, file, typed }: SharedFile): Promise<Finding | undefined> {
  const { text } = await git("ls-files", "--unmerged", "--", file);
  if (text === "") return undefined;
  const fix = `Delete the marker lines, or let an agent log something, which does that; then git add ${typed} and end the merge. Both sides read meanwhile.`;
  return broken("unmerged", `${file} is in the middle of a merge.`, fix);
}

async function checkCommitted({ git, file, command }: SharedFile): Promise<Finding | undefined> {
  const { text } = await git("status", "--porcelain", "--", file);
  if (text === "" || /^(?:U.|.U|AA|DD)/.test(text)) return undefined;
  if (text.startsWith("??"))
    return note(
      "untracked",
      `${file} is not in git yet. A git pull that brings one refuses, with --autostash too.`,
      `${command} add ${quoted(file)} && ${command} commit -m "Add the project memory"`,
    );
  return note(
    "uncommitted",
    `${file} has uncommitted changes, so a git pull that touches it fails without --autostash.`,
    `${command} commit -m "Log what was learnt" ${quoted(file)}`,
  );
}

/** Finds lessons on other branches, and uncommitted lessons in other worktrees. */
async function checkElsewhere({ git, file }: SharedFile): Promise<Finding | undefined> {
  const places: string[] = [];
  const { text } = await git("branch", "--no-merged", "HEAD", "--format=%(refname:short)");
  for (const branch of linesOf(text).slice(0, MOST_BRANCHES)) {
    const { status } = await git("diff", "--quiet", `HEAD...${branch}`, "--", file);
    if (status === 1) places.push(branch);
  }
  const root = (await git("rev-parse", "--show-toplevel")).text.trim();
  const prefix = (await git("rev-parse", "--show-prefix")).text.trim();
  const repository = repositoryAround(root);
  for (const worktree of repository ? workingFolders(repository) : []) {
    if (worktree === repository?.root) continue;
    const path = `${prefix}${file}`;
    const changes = await git("-C", worktree, "status", "--porcelain", "--", path);
    if (changes.text !== "") places.push(`the worktree ${worktree} (not committed)`);
  }
  if (places.length === 0) return undefined;
  return note(
    "lessons_elsewhere",
    `Memory that is not in this branch: ${places.join(", ")}`,
    "Merge them, or commit there: lessons of a branch that is thrown away go with it.",
  );
}
