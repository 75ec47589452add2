/** Whether git shares the memory: not ignored, committed, merged line by line, and without unmerged lessons elsewhere. */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { CONTEXT_FOLDER } from "../../ground/project/context-folder.ts";
import { git as gitIn, linesOf, refusalOf } from "../../ground/project/git.ts";
import { memoryAttributes } from "../../ground/project/git-files.ts";
import { repositoryAround, workingFolders } from "../../ground/project/repository.ts";
import { quoted } from "../../ground/terminal/shell.ts";
import { broken, type CheckContext, type Diagnosis, note, ok, warning } from "./diagnosis.ts";

/** Of more branches than this only the first are checked. */
const MOST_BRANCHES = 50;

export async function checkGit({ project, files, cwd }: CheckContext): Promise<Diagnosis[]> {
  const git: Git = (...args) => gitIn(files.folder, ...args);
  const { status, text } = await git("rev-parse", "--is-inside-work-tree");
  if (status !== 0) return [await noAnswer(files.folder)];
  if (text.trim() !== "true") return [notInWorktree(files.folder)];
  const file = relative(files.folder, project.context.memoryFile).replaceAll("\\", "/");
  const typed = quoted(relative(cwd, project.context.memoryFile));
  const place = relative(cwd, files.folder);
  const command = place === "" ? "git" : `git -C ${quoted(place)}`;
  const kept = await keptPrivate(git, file, command);
  if (kept) return [kept];
  const found = await Promise.all([
    attributes(git, file, typed, files.folder),
    unmerged(git, file, typed),
    uncommitted(git, file, command),
    elsewhere(git, file),
  ]);
  const problems = found.flatMap((problem) => problem ?? []);
  return problems.length > 0
    ? problems
    : [ok("git shares the memory, merges it line by line, and holds all of it.")];
}

type Git = (...args: readonly string[]) => ReturnType<typeof gitIn>;

/** Why git says nothing: there is no repository, or there is one that it refuses to read. */
async function noAnswer(folder: string): Promise<Diagnosis> {
  const refusal = await refusalOf(folder);
  if (refusal) return warning(refusal.message, refusal.fix);
  return note(
    "No git repository, so the memory isn't shared.",
    "git init, or start the agent in the repository.",
  );
}

/** A bare repository, or the folder around it, has no files of its own that git could commit. */
function notInWorktree(folder: string): Diagnosis {
  const repository = repositoryAround(folder);
  const worktrees = repository
    ? workingFolders(repository).filter((other) => other !== repository.root)
    : [];
  const what = `${folder} is not a worktree. git commits nothing from here, so lessons saved here reach no branch.`;
  const [first = "WORKTREE"] = worktrees;
  const known =
    worktrees.length > 0
      ? `the worktrees are ${worktrees.join(", ")}`
      : "git worktree add makes one";
  return warning(what, `Start the agent in a worktree, as in cd ${quoted(first)}; ${known}.`);
}

/** A memory that git ignores is kept private on purpose, unless git tracks it all the same. */
/** @param command how the person calls git for the project. */
async function keptPrivate(
  git: Git,
  file: string,
  command: string,
): Promise<Diagnosis | undefined> {
  const { text } = await git("check-ignore", "--verbose", "--no-index", file);
  const [rule = ""] = text.split("\t");
  if (rule === "" || /:\d+:!/.test(rule)) return undefined;
  if ((await git("ls-files", "--", file)).text !== "") {
    const fix = `${command} rm -r --cached ${dirname(file)} && ${command} commit -m "Keep the memory private"`;
    const what = `git ignores ${file}, by ${rule}, but tracks it, so it is shared. Remove that line if it should be.`;
    return warning(what, fix);
  }
  return note(
    `${file} is kept private, by ${rule}: it isn't shared. git clean -dx or removing the worktree deletes it. An export is a copy.`,
    "sentinel-memory export --json --output ../memory-copy.json",
  );
}

async function attributes(
  git: Git,
  file: string,
  typed: string,
  folder: string,
): Promise<Diagnosis | undefined> {
  const path = `${CONTEXT_FOLDER}/.gitattributes`;
  // A sparse checkout may lack the file, which the index has.
  const source = existsSync(join(folder, path)) ? [] : ["--cached"];
  const { text } = await git("check-attr", ...source, "merge", "text", "filter", "--", file);
  const hold = `Let ${path} hold: ${memoryAttributes(file)}`;
  if (!/merge: union/.test(text) || !/text: set/.test(text))
    return warning(
      `${file} does not merge line by line: two branches that log will conflict.`,
      hold,
    );
  const [, filter = "unset"] = /filter: (.+)/.exec(text) ?? [];
  if (filter === "unset" || filter === "unspecified") return undefined;
  const what = `${file} goes through the filter ${filter}: git stores the filter's output, not the lessons.`;
  return warning(
    what,
    `${hold} (sentinel-memory init writes it); then git add --renormalize ${typed} && git commit`,
  );
}

async function unmerged(git: Git, file: string, typed: string): Promise<Diagnosis | undefined> {
  const { text } = await git("ls-files", "--unmerged", "--", file);
  if (text === "") return undefined;
  const fix = `Delete the marker lines, or let an agent log something, which does that; then git add ${typed} and end the merge. Both sides read meanwhile.`;
  return broken(`${file} is in the middle of a merge.`, fix);
}

/** @param command how the person calls git for the project. */
async function uncommitted(
  git: Git,
  file: string,
  command: string,
): Promise<Diagnosis | undefined> {
  const { text } = await git("status", "--porcelain", "--", file);
  if (text === "" || /^(?:U.|.U|AA|DD)/.test(text)) return undefined;
  if (text.startsWith("??"))
    return note(
      `${file} is not in git yet. A git pull that brings one refuses, with --autostash too.`,
      `${command} add ${quoted(file)} && ${command} commit -m "Add the project memory"`,
    );
  const what = `${file} has uncommitted changes, so a git pull that touches it fails without --autostash.`;
  return note(what, `${command} commit -m "Log what was learnt" ${quoted(file)}`);
}

/** Lessons that were logged on other branches, or in other worktrees and never committed there. */
async function elsewhere(git: Git, file: string): Promise<Diagnosis | undefined> {
  const { text } = await git("branch", "--no-merged", "HEAD", "--format=%(refname:short)");
  const branches: string[] = [];
  for (const branch of linesOf(text).slice(0, MOST_BRANCHES))
    if ((await git("diff", "--quiet", `HEAD...${branch}`, "--", file)).status === 1)
      branches.push(branch);
  const here = (await git("rev-parse", "--show-toplevel")).text.trim();
  const prefix = (await git("rev-parse", "--show-prefix")).text.trim();
  const repository = repositoryAround(here);
  for (const folder of repository ? workingFolders(repository) : [])
    if (
      folder !== repository?.root &&
      (await git("-C", folder, "status", "--porcelain", "--", `${prefix}${file}`)).text !== ""
    )
      branches.push(`the worktree ${folder} (not committed)`);
  if (branches.length === 0) return undefined;
  const fix = "Merge them, or commit there: lessons of a branch that is thrown away go with it.";
  return note(`Memory that is not in this branch: ${branches.join(", ")}`, fix);
}
