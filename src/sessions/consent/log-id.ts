/** The id of a project's session log: in the local configuration of its repository, without git in a local file. Alone it turns nothing on. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { canonicalPath } from "../../ground/files/canonical-path.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import { localFile, localFileToWrite, removeLocalFile } from "../../ground/files/local-folder.ts";
import { CONTEXT_FOLDER, contextFolder, LOCAL_FILES } from "../../ground/project/context-folder.ts";
import { git } from "../../ground/project/git.ts";
import {
  configValues,
  namesProject,
  projectPath,
  type Repository,
  repositoryAround,
  repositoryNamed,
} from "../../ground/project/repository.ts";

const SECTION = "sentinelMemory";
const KEY = "record";

/** A project as a session log knows it: all worktrees of a repository are one. */
export type Home = Readonly<ReturnType<typeof homeOf>>;

/** @returns also its `path`, as people call the project, and the `folder` from which it was looked at. */
export function homeOf(folder: string) {
  const repository = repositoryAround(folder);
  if (!repository) return { path: canonicalPath(folder), hasGit: false, folder };
  return { path: projectPath(repository), hasGit: true, folder };
}

/** The path to note for a project. Earlier releases noted git's own folder, also when the working folder lies elsewhere. */
export function pathToNote(noted: string, { folder, path }: Home): string {
  const isRight = namesProject(noted, folder) && noted !== repositoryAround(folder)?.common;
  return isRight ? noted : path;
}

/** The text in the place of the id, which need not be an id; undefined if there is none. @param folder the project's. */
export function readLogId(folder: string): string | undefined {
  const repository = repositoryAround(folder);
  return repository ? idInGit(repository) : idInFolder(folder);
}

/** @throws SentinelError why it cannot be written. */
export async function writeLogId({ hasGit, folder }: Home, id: string): Promise<void> {
  if (!hasGit) return writeIdInFolder(localOf(folder), id);
  const { status, message } = await git(
    folder,
    "config",
    "--local",
    "--replace-all",
    `${SECTION}.${KEY}`,
    id,
  );
  if (status === 0) return;
  throw new SentinelError(
    "write_failed",
    `git could not write ${SECTION}.${KEY} into the configuration of ${folder}: ${message.trim()}`,
    "Remove what keeps git from it, then call sentinel-memory sessions on again; nothing was turned on.",
  );
}

function writeIdInFolder(local: string, id: string): void {
  try {
    writeFileSync(localFileToWrite(local, LOCAL_FILES.record), `${id}\n`);
  } catch (error) {
    throw fileError(error, "write_failed", `Writing ${join(local, LOCAL_FILES.record)}`);
  }
}

/** Removes an id from the project that a session log names. @param path as the log's manifest has it. */
export async function removeLogId(path: string, id: string): Promise<void> {
  const repository = repositoryNamed(path);
  if (repository && idInGit(repository) === id)
    await git(repository.root, "config", "--local", "--unset-all", `${SECTION}.${KEY}`);
  if (idInFolder(path) === id) removeLocalFile(localOf(path), LOCAL_FILES.record);
}

/** Whether the project that was at this path is still there, with this session log. */
export function stillHolds(path: string, id: string): boolean {
  const repository = repositoryNamed(path);
  return existsSync(path) && [repository && idInGit(repository), idInFolder(path)].includes(id);
}

/** Only the repository's own configuration counts, without what it includes. */
function idInGit({ common }: Repository): string | undefined {
  const ids = configValues(common, SECTION.toLowerCase(), KEY);
  return ids.length > 0 ? ids.join(" ") : undefined;
}

const idInFolder = (folder: string): string | undefined =>
  tryOr(
    () => readFileSync(localFile(localOf(folder), LOCAL_FILES.record), "utf8").trim(),
    undefined,
  );

const localOf = (folder: string): string => contextFolder(join(folder, CONTEXT_FOLDER)).local;
