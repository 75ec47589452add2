/** Carries out a plan and keeps the note of it. */
import { LOCAL, MANIFEST, type Manifest, noteOf, readManifest, writeManifest } from "./manifest.ts";
import type { Part } from "./part.ts";
import { type Step, takeAll } from "./plan.ts";
import type { ProjectFiles } from "./project-files.ts";

/** Writes what a plan of init says, and notes it for uninstall. */
export async function applyInit(steps: readonly Step[], parts: readonly Part[], files: ProjectFiles): Promise<void> {
  const earlier = readManifest(files);
  const noted: Record<string, Manifest["files"][string]> = { ...earlier.files };
  const folders = new Set(earlier.folders);
  for (const { path, before, after } of changesOf(steps)) {
    if (after === undefined) continue;
    for (const folder of await files.write(path, after)) folders.add(folder);
    const ours = parts.filter((part) => part.path === path);
    noted[path] = noteOf(noted[path], before, takeAll(ours, before), after);
    for (const folder of await writeManifest(files, { files: noted, folders: [...folders] })) folders.add(folder);
  }
  if (changesOf(steps).length > 0) await writeManifest(files, { files: noted, folders: [...folders] });
}

/**
 * Writes what a plan of uninstall says, and removes the folders that are empty by that.
 *
 * @param keepsMemory whether there is a memory, whose trash and state stay beside it.
 */
export async function applyUninstall(steps: readonly Step[], files: ProjectFiles, keepsMemory: boolean): Promise<void> {
  const { folders } = readManifest(files);
  const emptied = new Set(folders);
  for (const { path, after } of changesOf(steps)) {
    if (after !== undefined) await files.write(path, after);
    else {
      files.remove(path);
      for (let folder = parentOf(path); folder !== "."; folder = parentOf(folder)) emptied.add(folder);
    }
  }
  files.remove(keepsMemory ? MANIFEST : LOCAL);
  const deepestFirst = [...emptied].sort((a, b) => b.split("/").length - a.split("/").length);
  for (const folder of deepestFirst) files.removeIfEmpty(folder);
}

export function changesOf(steps: readonly Step[]): Step[] {
  return steps.filter(({ before, after }) => before !== after);
}

function parentOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end < 0 ? "." : path.slice(0, end);
}
