/** Whether git shares the memory: it is not ignored, is committed, merges line by line, and lies nowhere else unmerged. */
import { execFile } from "node:child_process";
import { relative } from "node:path";
import { type Diagnosis, ok, type Patient } from "./diagnosis.ts";

/** From more branches than this on only the first are looked at. */
const MOST_BRANCHES = 50;

export async function checkGit({ project, files }: Patient): Promise<Diagnosis[]> {
  const git = (...args: string[]) => run(files.folder, args);
  if ((await git("rev-parse", "--is-inside-work-tree")).status !== 0) {
    const fix = "git init, or start the agent in the repository.";
    return [{ status: "note", what: "No git repository: the memory is shared with nobody.", fix }];
  }
  const file = relative(files.folder, project.memoryFile).replaceAll("\\", "/");
  const found = await Promise.all([
    ignored(git, file),
    attributes(git, file),
    unmerged(git, file),
    uncommitted(git, file),
    elsewhere(git, file),
  ]);
  const problems = found.flatMap((problem) => problem ?? []);
  return problems.length > 0 ? problems : [ok("git shares the memory, merges it line by line, and holds all of it.")];
}

type Git = (...args: string[]) => Promise<{ status: number; text: string }>;

async function ignored(git: Git, file: string): Promise<Diagnosis | undefined> {
  const { status, text } = await git("check-ignore", "--verbose", "--no-index", file);
  if (status !== 0) return undefined;
  const rule = text.split("\t")[0] ?? "";
  return {
    status: "broken",
    what: `git ignores ${file}, by ${rule}`,
    fix: "Take that line out, and commit the memory.",
  };
}

async function attributes(git: Git, file: string): Promise<Diagnosis | undefined> {
  const { text } = await git("check-attr", "merge", "text", "--", file);
  if (/merge: union/.test(text) && /text: set/.test(text)) return undefined;
  return {
    status: "warning",
    what: `${file} does not merge line by line: two branches that log will conflict.`,
    fix: "Let .context/.gitattributes hold: memory_log.jsonl text eol=lf merge=union",
  };
}

async function unmerged(git: Git, file: string): Promise<Diagnosis | undefined> {
  const { text } = await git("ls-files", "--unmerged", "--", file);
  if (text === "") return undefined;
  const fix = `Delete the marker lines, or let an agent log something, which does that; then git add ${file} and end the merge. Both sides read meanwhile.`;
  return { status: "broken", what: `${file} is in the middle of a merge.`, fix };
}

async function uncommitted(git: Git, file: string): Promise<Diagnosis | undefined> {
  const { text } = await git("status", "--porcelain", "--", file);
  if (text === "" || /^(?:U.|.U|AA|DD)/.test(text)) return undefined;
  if (text.startsWith("??")) {
    const what = `${file} is not in git yet; a git pull that brings one refuses.`;
    return {
      status: "note",
      what,
      fix: `git add ${file} && git commit; --autostash does not help, it leaves such files out.`,
    };
  }
  const what = `${file} holds what is not committed; a git pull that touches it refuses.`;
  return { status: "note", what, fix: `Commit ${file}, or call git pull --rebase --autostash.` };
}

/** Lessons that were logged on other branches, or in other worktrees and never committed there. */
async function elsewhere(git: Git, file: string): Promise<Diagnosis | undefined> {
  const { text } = await git("branch", "--no-merged", "HEAD", "--format=%(refname:short)");
  const branches: string[] = [];
  for (const branch of linesOf(text).slice(0, MOST_BRANCHES))
    if ((await git("diff", "--quiet", `HEAD...${branch}`, "--", file)).status === 1) branches.push(branch);
  const here = (await git("rev-parse", "--show-toplevel")).text.trim();
  const prefix = (await git("rev-parse", "--show-prefix")).text.trim();
  const worktrees = linesOf((await git("worktree", "list", "--porcelain")).text)
    .flatMap((line) => (line.startsWith("worktree ") ? [line.slice("worktree ".length)] : []))
    .filter((folder) => folder !== here);
  for (const folder of worktrees)
    if ((await git("-C", folder, "status", "--porcelain", "--", `${prefix}${file}`)).text !== "")
      branches.push(`the worktree ${folder} (not committed)`);
  if (branches.length === 0) return undefined;
  const fix = "Merge them, or commit there: lessons of a branch that is thrown away go with it.";
  return { status: "note", what: `Memory that is not in this branch: ${branches.join(", ")}`, fix };
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

function run(cwd: string, args: readonly string[]): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    execFile("git", [...args], { cwd }, (error, text) =>
      resolve({ status: error ? (typeof error.code === "number" ? error.code : -1) : 0, text }),
    );
  });
}
