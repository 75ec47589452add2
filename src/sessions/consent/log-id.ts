/**
 * The id of a project's session log. It's in the repository's local git configuration, or in a local file without git. The id alone doesn't
 * turn recording on.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import { localFile, localFileToWrite, removeLocalFile } from "../../ground/files/local-folder.ts";
import { canonicalPath } from "../../ground/files/paths.ts";
import { CONTEXT_FOLDER, contextFolder, LOCAL_FILES } from "../../ground/project/context-folder.ts";
import { git } from "../../ground/project/git.ts";
import {
  configValues,
  projectPath,
  type Repository,
  repositoryAround,
  repositoryNamed,
} from "../../ground/project/repository.ts";

const SECTION = "sentinelMemory";
const KEY = "record";

/** A project. All worktrees of a repository are the same project. */
export interface Home {
  /** The project's path as it's stored and shown. */
  readonly path: string;
  readonly hasGit: boolean;
  /** The folder from which the project was found. */
  readonly folder: string;
}

export function homeOf(folder: string): Home {
  const repository = repositoryAround(folder);
  if (!repository) {
    return { path: canonicalPath(folder), hasGit: false, folder };
  }
  return { path: projectPath(repository), hasGit: true, folder };
}

/** The stored text, which may not be a valid id. Undefined if nothing is stored. @param folder the project's. */
export function readLogId(folder: string): string | undefined {
  const repository = repositoryAround(folder);
  return repository ? idInGit(repository) : idInFolder(folder);
}

/** @throws SentinelError with the reason it can't be written. */
export async function writeLogId({ hasGit, folder }: Home, id: string): Promise<void> {
  if (!hasGit) {
    return writeIdInFolder(localOf(folder), id);
  }
  const { status, message } = await git(
    folder,
    "config",
    "--local",
    "--replace-all",
    `${SECTION}.${KEY}`,
    id,
  );
  if (status === 0) {
    return;
  }
  throw new SentinelError(
    "write_failed",
    `git could not write ${SECTION}.${KEY} into the configuration of ${folder}: ${message.trim()}`,
    "Fix that, then call sentinel-memory sessions on again. Nothing was turned on.",
  );
}

function writeIdInFolder(local: string, id: string): void {
  try {
    writeFileSync(localFileToWrite(local, LOCAL_FILES.record), `${id}\n`);
  } catch (error) {
    throw fileError(error, "write_failed", `Writing ${join(local, LOCAL_FILES.record)}`);
  }
}

/** Removes an id from a project. @param path from the log's manifest. */
export async function removeLogId(path: string, id: string): Promise<void> {
  const repository = repositoryNamed(path);
  if (repository && idInGit(repository) === id) {
    await git(repository.root, "config", "--local", "--unset-all", `${SECTION}.${KEY}`);
  }
  if (idInFolder(path) === id) {
    removeLocalFile(localOf(path), LOCAL_FILES.record);
  }
}

/** Whether the project still exists at this path and has this session log. */
export function stillHolds(path: string, id: string): boolean {
  const repository = repositoryNamed(path);
  return existsSync(path) && [repository && idInGit(repository), idInFolder(path)].includes(id);
}

/** Reads only the repository's own configuration, without its includes. */
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
