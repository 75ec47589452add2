/** Why a folder has no hooks of the session log, and what brings them there. */
import type { Problem } from "../../ground/core/errors.ts";
import { isTracked } from "../../ground/project/git.ts";
import { ProjectFiles } from "./project-files.ts";
import { handsOver, hasSessionHooks, type Installation, SESSION_HOOK_FILES } from "./session-hooks.ts";

/** Undefined where the hooks are as they would be written today. */
export async function missingHooks(folder: string, installation: Installation): Promise<Problem | undefined> {
  if (hasSessionHooks(folder, installation)) return undefined;
  const files = new ProjectFiles(folder);
  const own = SESSION_HOOK_FILES.filter((path) => !handsOver(files, path));
  for (const path of own) if (await isTracked(path, folder)) return inGit(path);
  return { what: "This folder has no current hooks of the session log.", fix: "sentinel-memory record on" };
}

/** A file that git tracks is shared, so nothing of one person is written there. */
export function inGit(path: string): Problem {
  return {
    what: `${path} is in git, and hooks of one person do not belong there, so only sentinel-memory record capture reads sessions of this folder.`,
    fix: `Each person's own ${path} does not belong in git either: git rm --cached ${path}, commit that, then sentinel-memory record on.`,
  };
}
