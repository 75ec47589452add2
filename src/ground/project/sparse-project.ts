/** A project in a folder of a repository, whose memory a sparse checkout leaves out: another memory must not be taken for its own. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { CONTEXT_FOLDER, contextFolder } from "./context-folder.ts";
import { gitRootOf } from "./git-root.ts";

/** The nearest folder from one upward, below another, that has such a memory; undefined where there is none. It asks git only in a sparse checkout. */
export function sparseProject(start: string, end: string): string | undefined {
  const root = start === end ? undefined : gitRootOf(start);
  if (root === undefined || !existsSync(join(gitFolderOf(root), "info", "sparse-checkout"))) return undefined;
  const folders: string[] = [];
  for (let folder = start; folder !== end; folder = dirname(folder)) folders.push(folder);
  const memories = folders.map((folder) =>
    relative(root, contextFolder(join(folder, CONTEXT_FOLDER)).memoryFile).replaceAll(sep, "/"),
  );
  const args = ["-c", "core.quotePath=false", "ls-files", "-t", "--", ...memories];
  // Loaded here, because a server or a hook seldom needs it and takes long to load it.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  const skipped = new Set((stdout ?? "").split("\n"));
  return folders.find((_, at) => skipped.has(`S ${memories[at]}`));
}

/** Where git keeps what belongs to this worktree: a file in the place of the folder leads there. */
function gitFolderOf(root: string): string {
  const path = join(root, ".git");
  if (statSync(path).isDirectory()) return path;
  const [, folder = ""] = /^gitdir: (.+)/.exec(readFileSync(path, "utf8")) ?? [];
  return resolve(root, folder);
}
