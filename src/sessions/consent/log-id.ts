/** The id of a project's session log: in the local configuration of its repository, without git in a local file. Alone it turns nothing on. */
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { orElse, SentinelError } from "../../ground/core/errors.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import { localFile, localFileToWrite, removeLocalFile } from "../../ground/files/local-folder.ts";
import { CONTEXT_FOLDER, contextFolder, LOCAL_FILES } from "../../ground/project/context-folder.ts";
import { git, linesOf } from "../../ground/project/git.ts";
import { gitRootOf } from "../../ground/project/git-root.ts";

/** The key in the local git configuration. */
const RECORD_KEY = "sentinelMemory.record";

/** A project as a session log knows it: all worktrees of a repository are one. */
export type Home = Readonly<Awaited<ReturnType<typeof homeOf>>>;

/** @returns also its `path`, that of the repository, without git the project's, and the `folder` from which it was looked at. @throws SentinelError `not_recorded` where there is a repository and git cannot be run. */
export async function homeOf(folder: string) {
  const { status, text } = await git(folder, "rev-parse", "--path-format=absolute", "--git-common-dir");
  if (status === -1 && gitRootOf(resolve(folder)) !== undefined)
    throw new SentinelError(
      "not_recorded",
      `${folder} is in a git repository, and git cannot be run, so its session log is not known.`,
      "See that git is in the PATH of the program that starts this.",
    );
  const common = linesOf(text).at(-1);
  if (status !== 0 || common === undefined) return { path: realpathSync(folder), hasGit: false, folder };
  const shared = realpathSync(resolve(folder, common));
  return { path: basename(shared) === ".git" ? dirname(shared) : shared, hasGit: true, folder };
}

/** What stands where the id belongs; undefined where nothing does. It need not be an id. */
export async function readLogId({ hasGit, folder }: Home): Promise<string | undefined> {
  return hasGit ? idInGit(folder) : idInFolder(folder);
}

/** @throws SentinelError why it cannot be written. */
export async function writeLogId({ hasGit, folder }: Home, id: string): Promise<void> {
  if (!hasGit) return writeIdInFolder(localOf(folder), id);
  const { status, message } = await git(folder, "config", "--local", "--replace-all", RECORD_KEY, id);
  if (status === 0) return;
  throw new SentinelError(
    "write_failed",
    `git could not write ${RECORD_KEY} into the configuration of ${folder}: ${message.trim()}`,
    "Remove what keeps git from it, then call sentinel-memory record on again; nothing was turned on.",
  );
}

function writeIdInFolder(local: string, id: string): void {
  try {
    writeFileSync(localFileToWrite(local, LOCAL_FILES.record), `${id}\n`);
  } catch (error) {
    throw fileError(error, "write_failed", `Writing ${join(local, LOCAL_FILES.record)}`);
  }
}

export async function removeLogId({ hasGit, folder }: Home): Promise<void> {
  if (hasGit) await git(folder, "config", "--local", "--unset-all", RECORD_KEY);
  else removeLocalFile(localOf(folder), LOCAL_FILES.record);
}

/** Whether the project that was at this path is still there, with this session log. */
export async function stillHolds(path: string, id: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  return [await idInGit(path), idInFolder(path)].includes(id);
}

/** Only the repository's own configuration counts, without what it includes. */
async function idInGit(folder: string): Promise<string | undefined> {
  const { status, text } = await git(folder, "config", "--local", "--no-includes", "--get-all", RECORD_KEY);
  const ids = linesOf(text);
  return status === 0 && ids.length > 0 ? ids.join(" ") : undefined;
}

const idInFolder = (folder: string): string | undefined =>
  orElse(() => readFileSync(localFile(localOf(folder), LOCAL_FILES.record), "utf8").trim(), undefined);

const localOf = (folder: string): string => contextFolder(join(folder, CONTEXT_FOLDER)).local;
