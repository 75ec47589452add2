/** Detects files that git tracks but a sparse checkout omits. A new file would replace them. */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { SentinelError } from "../core/errors.ts";
import { isFolder, nameBelow, quoted } from "../files/paths.ts";
import { CONTEXT_FOLDER, contextFolder } from "./context-folder.ts";
import { git, gitNow, linesOf } from "./git.ts";
import { gitRootOf, repositoryAround } from "./repository.ts";

/** A line of `ls-files -v --stage`. Tag S means that the checkout omits the file. A lowercase tag means git was told to assume it never changes. */
const ENTRY = /^(?<tag>\S) \d+ (?<blob>\S+) \d\t/;

/**
 * Checks that a memory missing from the disk is really empty. If the user deleted it but the index still
 * has lessons, the next save would replace them. @throws SentinelError `not_checked_out`.
 */
export async function mustNotBeTracked(memoryFile: string): Promise<void> {
  await mustNotBeLeftOut(memoryFile);
  const [folder, root] = repositoryOf(memoryFile);
  if (root === undefined) {
    return;
  }
  const { text } = await git(
    folder,
    "ls-files",
    "-v",
    "--stage",
    "--",
    relative(folder, memoryFile),
  );
  for (const line of linesOf(text)) {
    const { tag = "", blob = "" } = ENTRY.exec(line)?.groups ?? {};
    const { text: size } = await git(folder, "cat-file", "-s", blob);
    if (Number(size) === 0) {
      continue;
    }
    const path = typed(root, memoryFile);
    const seen =
      tag === tag.toUpperCase() ? "" : `git update-index --no-assume-unchanged ${path} && `;
    throw notCheckedOut(
      memoryFile,
      `In ${root}: ${seen}git restore --merge ${path}; or git rm --cached ${path} to start with an empty memory.`,
    );
  }
}

/** Checks that no sparse checkout omits the memory that `init` is about to write. @throws SentinelError `not_checked_out`. */
export async function mustNotBeLeftOut(memoryFile: string): Promise<void> {
  const [folder, root] = repositoryOf(memoryFile);
  if (root === undefined) {
    return;
  }
  // A first save writes the other two files as well.
  const files = [
    memoryFile,
    ...[".gitattributes", ".gitignore"].map((name) => join(dirname(memoryFile), name)),
  ];
  if (leftOut(folder, files).length > 0) {
    throw notCheckedOut(memoryFile, await fixFor(root, memoryFile));
  }
}

/** Returns an existing folder of a memory, and the root of its repository, if any. */
function repositoryOf(memoryFile: string): [folder: string, root: string | undefined] {
  const context = dirname(memoryFile);
  const folder = isFolder(context) ? context : dirname(context);
  return [folder, isFolder(folder) ? gitRootOf(folder) : undefined];
}

/** Returns the files that git tracks but this checkout omits. It's synchronous, because a project is found that way. @param folder in the repository. @param files absolute. */
export function leftOut(folder: string, files: readonly string[]): string[] {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length === 0) {
    return [];
  }
  const paths = missing.map((file) => nameBelow(folder, file));
  const args = ["-c", "core.quotePath=false", "ls-files", "-t", "--", ...paths];
  const listed = new Set(linesOf(gitNow(folder, ...args)));
  return missing.filter((_, at) => listed.has(`S ${paths[at]}`));
}

/** Returns the command that restores the memory. Even outside a sparse checkout, a skip-worktree mark can omit a single file. */
async function fixFor(root: string, memoryFile: string): Promise<string> {
  const { status } = await git(root, "sparse-checkout", "list");
  if (status === 0) {
    return sparseFix(root, memoryFile);
  }
  const path = typed(root, memoryFile);
  return `In ${root}: git update-index --no-skip-worktree ${path} && git restore ${path}`;
}

/** Returns the command that adds a file's folder to a sparse checkout. */
export async function sparseFix(root: string, file: string): Promise<string> {
  const folder = dirname(file);
  const { text } = await git(root, "config", "--type=bool", "core.sparseCheckoutCone");
  const isCone = text.trim() === "true";
  // A pattern for just the folder wouldn't override one that omits a file in it.
  const added = isCone
    ? typed(root, folder)
    : quoted(`${nameBelow(root, folder).replaceAll(/[[\]*?\\]/g, "\\$&")}/*`);
  return `In ${root}: git sparse-checkout add ${added}`;
}

/** Returns a path for a command in the root. */
const typed = (root: string, path: string): string => quoted(nameBelow(root, path));

const notCheckedOut = (memoryFile: string, fix: string): SentinelError =>
  new SentinelError(
    "not_checked_out",
    `Git tracks ${memoryFile}, but this checkout does not have the file, so nothing was read or written.`,
    fix,
  );

/** Returns the nearest folder whose memory a sparse checkout omits, so that no other memory is used instead. @param start the first folder. The search continues with its parents. @param end isn't searched. */
export function sparseProject(start: string, end: string): string | undefined {
  const root = start === end ? undefined : gitRootOf(start);
  if (root === undefined || !isSparse(root)) {
    return undefined;
  }
  const memories: string[] = [];
  for (let folder = start; folder !== end; folder = dirname(folder)) {
    memories.push(contextFolder(join(folder, CONTEXT_FOLDER)).memoryFile);
  }
  const [nearest] = leftOut(root, memories);
  return nearest && dirname(dirname(nearest));
}

/** Whether a checkout is sparse, read from git's folder, because running git would slow down every start. */
export function isSparse(root: string): boolean {
  const repository = repositoryAround(root);
  return repository !== undefined && existsSync(join(repository.own, "info", "sparse-checkout"));
}
