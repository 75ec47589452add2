/** Carries out plans. A step that fails leaves its file alone, and the others go on. */
import { dirname } from "node:path/posix";
import { SERVER_NAME } from "../../ground/clients/client.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { CONTEXT_FOLDER, LOCAL_FILES, LOCAL_FOLDER } from "../../ground/project/context-folder.ts";
import { CREATED_LIST, remainingList } from "./created-list.ts";
import type { ProjectFiles } from "./project-files.ts";
import type { Step } from "./step.ts";

/** The folder of this machine's own files: the trash, the state of the hooks. */
export const LOCAL = `${CONTEXT_FOLDER}/${LOCAL_FOLDER}`;

/**
 * Writes a plan of `init`, whose first step may be the list of created files. @returns the steps
 * with their outcome. @throws SentinelError if the list can't be written. Nothing is written then.
 */
export async function applyInit(steps: readonly Step[], files: ProjectFiles): Promise<Step[]> {
  const done: Step[] = [];
  for (const step of steps) {
    const tried = await tryStep(step, files);
    if (step.path === CREATED_LIST && tried.problem) throw tried.problem;
    done.push(tried);
  }
  removeEmptied(done, files);
  return done;
}

/**
 * Carries out a plan of `uninstall`. Files that fail stay in the list of created files, for another
 * try. @param keepsMemory whether the trash stays too.
 */
export async function applyUninstall(
  steps: readonly Step[],
  files: ProjectFiles,
  { keepsMemory }: { readonly keepsMemory: boolean },
): Promise<Step[]> {
  const done = await carryOutAll(steps, files);
  const list = remainingList(done, files);
  if (list.before !== list.after) done.push(await tryStep(list, files));
  if (done.every(({ problem }) => !problem))
    files.remove(keepsMemory ? `${LOCAL}/${LOCAL_FILES.command}` : LOCAL);
  removeEmptied(done, files, [LOCAL]);
  return done;
}

/** Carries out each step that changes its file. */
export async function carryOutAll(steps: readonly Step[], files: ProjectFiles): Promise<Step[]> {
  const done: Step[] = [];
  for (const step of steps) done.push(await tryStep(step, files));
  return done;
}

/** Removes the folders that were emptied. @param others paths that are removed, too. */
export function removeEmptied(
  done: readonly Step[],
  files: ProjectFiles,
  others: readonly string[] = [],
): void {
  const removed = changesOf(done).filter(({ after }) => after === undefined);
  const paths = [...removed.map(({ path }) => path), ...others];
  const folders = paths.flatMap((path) => foldersAbove(path));
  for (const folder of folders) files.removeIfEmpty(folder);
}

/** Writes or removes a step's file. @returns the step, with its problem if that failed. */
export async function tryStep(step: Step, files: ProjectFiles): Promise<Step> {
  const { path, before, after } = step;
  try {
    if (after === undefined && before !== undefined) files.remove(path);
    if (after !== undefined && before !== after) await files.write(path, after);
    return step;
  } catch (problem) {
    if (problem instanceof SentinelError) return { ...step, after: before, problem };
    throw problem;
  }
}

/** The steps that change their file. */
export const changesOf = (steps: readonly Step[]): Step[] =>
  steps.filter(({ before, after }) => before !== after);

/** The steps to show: those that change their file or can't. */
export const notable = (steps: readonly Step[]): Step[] =>
  steps.filter(({ before, after, problem }) => before !== after || problem);

/** The steps that change one of our parts that was there already, as a newer version does. */
export const updatesOf = (steps: readonly Step[]): Step[] =>
  changesOf(steps).filter(({ before }) => before?.includes(SERVER_NAME));

/** The folders above a file, the innermost first. Both are paths from the project's folder. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...foldersAbove(folder)];
}
