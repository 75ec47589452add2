/** Files that git tracks and this checkout lacks, as a sparse one does: they are not missing, and a new file would replace them. */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { SentinelError } from "../core/errors.ts";
import { isFolder, nameBelow } from "../files/named-file.ts";
import { git, linesOf } from "./git.ts";
import { gitRootOf } from "./git-root.ts";

/** A line of `ls-files -v --stage`. The tag S means that the checkout leaves the file out, a small letter that git was told it never changes. */
const ENTRY = /^(?<tag>\S) \d+ (?<blob>\S+) \d\t/;

/**
 * For a memory that is not on the disk, before it is taken for empty. One that its user deleted counts as long as the index has lessons in it,
 * because the next save would take their place without a word. @throws SentinelError `not_checked_out`.
 */
export async function mustNotBeTracked(memoryFile: string): Promise<void> {
  await mustNotBeLeftOut(memoryFile);
  const [folder, root] = repositoryOf(memoryFile);
  if (root === undefined) return;
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
    if (Number(size) === 0) continue;
    const path = typed(root, memoryFile);
    const seen =
      tag === tag.toUpperCase() ? "" : `git update-index --no-assume-unchanged ${path} && `;
    throw notCheckedOut(
      memoryFile,
      `In ${root}: ${seen}git restore --merge ${path}; or git rm --cached ${path} to start with an empty memory.`,
    );
  }
}

/** For a memory that is not on the disk, before `init` writes one. @throws SentinelError `not_checked_out` where a sparse checkout leaves it out. */
export async function mustNotBeLeftOut(memoryFile: string): Promise<void> {
  const [folder, root] = repositoryOf(memoryFile);
  if (root === undefined) return;
  // With the two files that a first save writes: a new one of those would replace the tracked one too.
  const files = [
    memoryFile,
    ...[".gitattributes", ".gitignore"].map((name) => join(dirname(memoryFile), name)),
  ];
  if ((await leftOut(folder, files)).length > 0)
    throw notCheckedOut(memoryFile, await fixFor(root, memoryFile));
}

/** A folder in which git can be asked about a memory, and the root of its repository, if it is in one. */
function repositoryOf(memoryFile: string): [folder: string, root: string | undefined] {
  const context = dirname(memoryFile);
  const folder = isFolder(context) ? context : dirname(context);
  return [folder, isFolder(folder) ? gitRootOf(folder) : undefined];
}

/** Those of some files that git tracks, this checkout leaves out, and the disk lacks. @param folder in the repository. @param files absolute. */
export async function leftOut(folder: string, files: readonly string[]): Promise<string[]> {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length === 0) return [];
  const paths = missing.map((file) => nameBelow(folder, file));
  const { text } = await git(
    folder,
    "-c",
    "core.quotePath=false",
    "ls-files",
    "-t",
    "--",
    ...paths,
  );
  const skipped = new Set(linesOf(text).filter((line) => line.startsWith("S ")));
  return missing.filter((_, at) => skipped.has(`S ${paths[at]}`));
}

/** Outside of a sparse checkout a file can be left out by a mark of its own. */
async function fixFor(root: string, memoryFile: string): Promise<string> {
  const { status } = await git(root, "sparse-checkout", "list");
  if (status === 0) return sparseFix(root, memoryFile);
  const path = typed(root, memoryFile);
  return `In ${root}: git update-index --no-skip-worktree ${path} && git restore ${path}`;
}

/** What brings a file into a sparse checkout, with all that stands beside it. */
export async function sparseFix(root: string, file: string): Promise<string> {
  const folder = dirname(file);
  const { text } = await git(root, "config", "--type=bool", "core.sparseCheckoutCone");
  const isCone = text.trim() === "true";
  // A pattern for the folder alone would not outweigh one that leaves out a file in it.
  const added = isCone
    ? typed(root, folder)
    : `"${nameBelow(root, folder).replaceAll(/[[\]*?\\]/g, "\\$&")}/*"`;
  return `In ${root}: git sparse-checkout add ${added}`;
}

function typed(root: string, path: string): string {
  const name = nameBelow(root, path);
  return /^[\w./-]+$/.test(name) ? name : `"${name}"`;
}

const notCheckedOut = (memoryFile: string, fix: string): SentinelError =>
  new SentinelError(
    "not_checked_out",
    `Git tracks ${memoryFile}, but this checkout does not have the file, so nothing was read or written.`,
    fix,
  );
