/** Finds a project in a subfolder whose memory a sparse checkout omits, so that no other memory is used instead. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { nameBelow } from "../files/paths.ts";
import { CONTEXT_FOLDER, contextFolder } from "./context-folder.ts";
import { gitRootOf } from "./git-root.ts";
import { repositoryAround } from "./repository.ts";

/** Returns the nearest folder with such a memory, from `start` upward and below `end`, or undefined. It runs git only in a sparse checkout. */
export function sparseProject(start: string, end: string): string | undefined {
  const root = start === end ? undefined : gitRootOf(start);
  if (root === undefined || !isSparse(root)) return undefined;
  const folders: string[] = [];
  for (let folder = start; folder !== end; folder = dirname(folder)) folders.push(folder);
  const memories = folders.map((folder) =>
    nameBelow(root, contextFolder(join(folder, CONTEXT_FOLDER)).memoryFile),
  );
  const args = ["-c", "core.quotePath=false", "ls-files", "-t", "--", ...memories];
  // Loaded here, because it loads slowly and a server or hook rarely needs it.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  const skipped = new Set((stdout ?? "").split("\n"));
  return folders.find((_, at) => skipped.has(`S ${memories[at]}`));
}

/** Whether a checkout is sparse, read from git's folder, because running git would slow down every start. */
export function isSparse(root: string): boolean {
  const repository = repositoryAround(root);
  return repository !== undefined && existsSync(join(repository.own, "info", "sparse-checkout"));
}
