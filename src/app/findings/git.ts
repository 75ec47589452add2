/** Checks whether git shares the memory: the repository is readable, the memory is tracked and merged by line, and no lessons are only on other branches. */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { nameBelow, quoted } from "../../ground/files/paths.ts";
import { CONTEXT_FOLDER } from "../../ground/project/context-folder.ts";
import { git as gitIn, linesOf, refusalOf } from "../../ground/project/git.ts";
import { memoryAttributes } from "../../ground/project/git-files.ts";
import { repositoryAround, workingFolders } from "../../ground/project/repository.ts";
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
  if (status !== 0) {
    return (await refusalOf(folder)) ? [] : [NO_REPOSITORY];
  }
  if (text.trim() !== "true") {
    return [notInWorktree(folder)];
  }
  const place = relative(cwd, folder);
  const file = nameBelow(folder, project.context.memoryFile);
  const memory: SharedFile = {
    folder,
    file,
    command: place === "" ? "git" : `git -C ${quoted(place)}`,
    ask: async (...args) => (await gitIn(folder, ...args, "--", file)).text,
  };
  const ignored = await checkIgnored(memory);
  if (ignored) {
    return [ignored];
  }
  const checks = [checkAttributes, checkMerge, checkCommitted, checkElsewhere];
  const found = await Promise.all(checks.map((check) => check(memory)));
  const problems = found.filter((finding) => finding !== undefined);
  if (problems.length > 0) {
    return problems;
  }
  return [ok("shared", "git shares the memory, merges it line by line, and holds all of it.")];
}

/** The memory file, with its paths for git and for the user. */
interface SharedFile {
  /** Absolute path of the project's folder. */
  readonly folder: string;
  /** The path relative to that folder. */
  readonly file: string;
  /** The git command that the user would type for the project. */
  readonly command: string;
  /** Asks git about the file. */
  readonly ask: (...args: readonly string[]) => Promise<string>;
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
  const known = worktrees.map(quoted).join(", ") || "git worktree add makes one";
  const fix = `Start the agent in a worktree: ${known}`;
  return warning("not_a_worktree", what, fix);
}

/** Checks whether git ignores the memory. That makes it private, unless git tracks it anyway. */
async function checkIgnored({ ask, file, command }: SharedFile): Promise<Finding | undefined> {
  const [rule = ""] = (await ask("check-ignore", "--verbose", "--no-index")).split("\t");
  if (rule === "" || /:\d+:!/.test(rule)) {
    return undefined;
  }
  if ((await ask("ls-files")) === "") {
    return note(
      "private",
      `${file} is kept private, by ${rule}: it isn't shared. git clean -dx or removing the worktree deletes it. An export is a copy.`,
      "sentinel-memory export --json --output ../memory-copy.json",
    );
  }
  return warning(
    "ignored_but_tracked",
    `git ignores ${file}, by ${rule}, but tracks it, so it is shared. Remove that line if it should be.`,
    `${command} rm -r --cached ${dirname(file)} && ${command} commit -m "Keep the memory private"`,
  );
}

async function checkAttributes({
  ask,
  folder,
  file,
  command,
}: SharedFile): Promise<Finding | undefined> {
  const path = `${CONTEXT_FOLDER}/.gitattributes`;
  // A sparse checkout may lack the file, so read it from the index.
  const source = existsSync(join(folder, path)) ? [] : ["--cached"];
  const text = await ask("check-attr", ...source, "merge", "text", "filter");
  const wanted = [/merge: union/, /text: set/, /filter: un(?:set|specified)/];
  if (wanted.every((attribute) => attribute.test(text))) {
    return undefined;
  }
  const what = `${file} does not merge line by line, or git filters it: two branches that log will conflict.`;
  const fix = `Let ${path} hold: ${memoryAttributes(file)}; then ${command} add --renormalize ${quoted(file)}`;
  return warning("not_merged_by_line", what, fix);
}

async function checkMerge({ ask, file, command }: SharedFile): Promise<Finding | undefined> {
  if ((await ask("ls-files", "--unmerged")) === "") {
    return undefined;
  }
  const fix = `sentinel-memory doctor --fix removes the marker lines; then ${command} add ${quoted(file)}, and end the merge or rebase. Until then both sides are read.`;
  return broken("unmerged", `${file} is in the middle of a merge.`, fix);
}

async function checkCommitted({ ask, file, command }: SharedFile): Promise<Finding | undefined> {
  const text = await ask("status", "--porcelain");
  if (text === "" || /^(?:U.|.U|AA|DD)/.test(text)) {
    return undefined;
  }
  const isNew = text.startsWith("??");
  const what = isNew
    ? `${file} is not in git yet. A git pull that brings one refuses, with --autostash too.`
    : `${file} has uncommitted changes, so a git pull that touches it fails without --autostash.`;
  const name = quoted(file);
  const fix = `${command} add ${name} && ${command} commit -m "Log what was learnt" ${name}`;
  return note(isNew ? "untracked" : "uncommitted", what, fix);
}

/** Finds lessons on other branches, and uncommitted lessons in other worktrees. */
async function checkElsewhere({ folder, file }: SharedFile): Promise<Finding | undefined> {
  const places: string[] = [];
  const { text } = await gitIn(
    folder,
    "branch",
    "--no-merged",
    "HEAD",
    "--format=%(refname:short)",
  );
  for (const branch of linesOf(text).slice(0, MOST_BRANCHES)) {
    const { status } = await gitIn(folder, "diff", "--quiet", `HEAD...${branch}`, "--", file);
    if (status === 1) {
      places.push(branch);
    }
  }
  const prefix = (await gitIn(folder, "rev-parse", "--show-prefix")).text.trim();
  const repository = repositoryAround(folder);
  for (const worktree of repository ? workingFolders(repository) : []) {
    if (worktree === repository?.root) {
      continue;
    }
    const changes = await gitIn(worktree, "status", "--porcelain", "--", `${prefix}${file}`);
    if (changes.text !== "") {
      places.push(`the worktree ${worktree} (not committed)`);
    }
  }
  if (places.length === 0) {
    return undefined;
  }
  return note(
    "lessons_elsewhere",
    `Memory that is not in this branch: ${places.join(", ")}`,
    "Merge them, or commit there: lessons of a branch that is thrown away go with it.",
  );
}
