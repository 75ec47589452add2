/** Finds sessions from before a project was renamed. Nothing on disk links the old folder to the new one, so the user gives it. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import { isWithin } from "../../ground/files/paths.ts";
import { repositoryAround } from "../../ground/project/repository.ts";
import { addWorktree } from "../capture/capture-state.ts";
import { allLogs, type FoundLog, mustBeOn } from "../consent/find-log.ts";
import { withLogLock } from "../files/log-lock.ts";
import type { SessionCommandContext } from "./project-log.ts";

/**
 * Adds a former folder to the project, so captures include its sessions. @throws SentinelError `not_recorded`, or `bad_argument` if another
 * project owns the folder.
 */
export async function noteFormerFolder(
  context: SessionCommandContext,
  found: FoundLog,
  was: string,
): Promise<void> {
  const { record } = mustBeOn(found);
  const former = resolve(context.cwd, was);
  const owner = await otherOwnerOf(former, record.id, context);
  if (owner !== undefined) {
    throw new SentinelError(
      "bad_argument",
      `The sessions of ${former} belong to ${owner}; nothing was read.`,
      "Name the folder that this project had before. It must be gone, and no other project may be there.",
    );
  }
  await noteFolder(record.folder, former);
}

/** Adds a folder to those that the project had. Sessions in it belong to the project. */
export async function noteFolder(logFolder: string, folder: string): Promise<void> {
  await withLogLock(logFolder, () => addWorktree(logFolder, folder));
}

/** Another owner of a folder: the folder itself if it exists, or the repository or recorded project around it. */
async function otherOwnerOf(
  folder: string,
  id: string,
  { project, env }: SessionCommandContext,
): Promise<string | undefined> {
  if (existsSync(folder)) {
    return folder;
  }
  const around = repositoryAround(folder);
  if (around && around.common !== repositoryAround(project.folder)?.common) {
    return around.root;
  }
  const projects = (await allLogs(env))
    .filter((log) => log.id !== id)
    .map(({ manifest }) => manifest?.project);
  return projects.find(
    (project) => project !== undefined && (isWithin(project, folder) || isWithin(folder, project)),
  );
}
