import { dirname } from "node:path/posix";
import { SentinelError } from "../../ground/core/errors.ts";
import {
  LOCAL,
  MANIFEST,
  type Manifest,
  readInitManifest,
  writeInitManifest,
  writtenAgain,
} from "./init-manifest.ts";
import { type Step, takeAll } from "./plan.ts";
import type { ProjectFiles } from "./project-files.ts";

/** Writes what a plan of init says. @returns the steps with their outcome. @throws SentinelError when the manifest cannot be written. */
export async function applyInit(
  steps: readonly Step[],
  files: ProjectFiles,
): Promise<readonly Step[]> {
  if (changesOf(steps).length === 0) return steps;
  const earlier = readInitManifest(files);
  const folders = new Set([...earlier.folders, ...(await writeInitManifest(files, earlier))]);
  const done: Step[] = [];
  const noted: Record<string, Manifest["files"][string]> = { ...earlier.files };
  for (const step of steps) {
    const { edits, path, before, after } = step;
    if (before === after) {
      done.push(step);
      continue;
    }
    if (after === undefined) {
      done.push(await attempt(step, () => carryOut(step, files)));
      delete noted[path];
      continue;
    }
    const tried = await attempt(step, async () => {
      for (const folder of await files.write(path, after)) folders.add(folder);
    });
    done.push(tried);
    if (tried.problem || edits.some(({ isOurs }) => isOurs)) continue;
    noted[path] = writtenAgain(noted[path], before, withoutOurs(step, noted[path]), after);
    for (const folder of await writeInitManifest(files, { files: noted, folders: [...folders] }))
      folders.add(folder);
  }
  await writeInitManifest(files, { files: noted, folders: [...folders] });
  removeEmptied(done, files);
  return done;
}

/** A file before this init without our parts, which another init put in: an earlier one, or that of a teammate. */
function withoutOurs({ edits, before }: Step, written: Manifest["files"][string] | undefined) {
  try {
    return takeAll(edits, before, {
      inManifest: written !== undefined,
      before: written?.before ?? undefined,
    });
  } catch (error) {
    if (error instanceof SentinelError) return before;
    throw error;
  }
}

/**
 * Writes what a plan of uninstall says, and removes folders it leaves empty. @param options.keepsMemory whether trash and state stay beside a memory.
 * @returns the steps with their outcome: one that failed left its file alone, and the manifest stays for another try.
 */
export async function applyUninstall(
  steps: readonly Step[],
  files: ProjectFiles,
  { keepsMemory }: { readonly keepsMemory: boolean },
): Promise<readonly Step[]> {
  const done = await carryOutAll(steps, files);
  const { folders } = readInitManifest(files);
  if (done.every(({ problem }) => !problem)) files.remove(keepsMemory ? MANIFEST : LOCAL);
  removeEmptied(done, files, folders);
  return done;
}

/** Writes or removes the file of each step; one that fails leaves its file alone and says why. */
export async function carryOutAll(steps: readonly Step[], files: ProjectFiles): Promise<Step[]> {
  const done: Step[] = [];
  for (const step of steps)
    done.push(step.before === step.after ? step : await attempt(step, () => carryOut(step, files)));
  return done;
}

/** Removes the folders that are empty without the files that are gone. @param others that may be too. */
export function removeEmptied(
  done: readonly Step[],
  files: ProjectFiles,
  others: readonly string[] = [],
): void {
  const gone = changesOf(done).filter(({ after }) => after === undefined);
  const emptied = new Set([...others, ...gone.flatMap(({ path }) => foldersAbove(path))]);
  const deepestFirst = [...emptied].sort((a, b) => b.split("/").length - a.split("/").length);
  for (const folder of deepestFirst) files.removeIfEmpty(folder);
}

/** Writes the file of a step, or removes it. */
export async function carryOut({ path, after }: Step, files: ProjectFiles): Promise<void> {
  if (after === undefined) files.remove(path);
  else await files.write(path, after);
}

/** Does a step; one that fails leaves its file alone and says why. */
export async function attempt(step: Step, work: () => Promise<void>): Promise<Step> {
  try {
    await work();
    return step;
  } catch (error) {
    if (error instanceof SentinelError) return { ...step, after: step.before, problem: error };
    throw error;
  }
}

/** The steps that change their file. */
export const changesOf = (steps: readonly Step[]): Step[] =>
  steps.filter(({ before, after }) => before !== after);

/** The steps that a person reads of: those that change their file or cannot. */
export function notable(steps: readonly Step[]): Step[] {
  return steps.filter(({ before, after, problem }) => before !== after || problem);
}

/** The steps that change a part of ours that was there already, as an init of a newer version does. */
export function updatesOf(steps: readonly Step[]): Step[] {
  return changesOf(steps).filter(
    ({ edits, before }) =>
      before !== undefined && takeAll(edits, before, { inManifest: true }) !== before,
  );
}

/** The folders above a file, the innermost first. @param path from the project's folder, and so are they. */
export function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...foldersAbove(folder)];
}
