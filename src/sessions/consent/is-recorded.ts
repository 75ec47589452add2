/** Whether a project is recorded: a quick look without git, loaded with every start; no where anything is unusual. */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { composed } from "../../ground/core/text.ts";
import {
  CONTEXT_FOLDER,
  contextFolder,
  LOCAL_FILES,
  logsFolder,
  MANIFEST_NAME,
  placesFile,
} from "../../ground/project/context-folder.ts";
import { gitRootOf } from "../../ground/project/git-root.ts";
import type { LogManifest } from "./manifest.ts";
import type { Places } from "./places.ts";

/** As git writes it: a section, and below it the key. */
const ID_IN_CONFIG = /^\[sentinelmemory\]\s*$(?:\n[^[\n]*)*?\n\s*record\s*=\s*(\w+)/im;

/** @param folder the project's. */
export function isRecorded(folder: string): boolean {
  try {
    const places: Places = JSON.parse(readFileSync(placesFile(), "utf8"));
    const { path, id } = homeOf(folder);
    const file = join(logsFolder(places), id, MANIFEST_NAME);
    const manifest: LogManifest = JSON.parse(readFileSync(file, "utf8"));
    const isOn = manifest.intervals.some(({ off }) => off === undefined);
    const isHere = composed(manifest.project) === composed(path);
    return isOn && manifest.id === id && (isHere || !existsSync(manifest.project));
  } catch {
    return false;
  }
}

/** The repository, or without one the project, and the id of its session log. */
function homeOf(folder: string): { path: string; id: string } {
  const root = gitRootOf(folder);
  if (root !== undefined) return homeInGit(join(root, ".git"));
  const file = join(contextFolder(join(folder, CONTEXT_FOLDER)).local, LOCAL_FILES.record);
  return { path: realpathSync(folder), id: readFileSync(file, "utf8").trim() };
}

function homeInGit(git: string): { path: string; id: string } {
  const shared = sharedFolder(git);
  const [, id = ""] = ID_IN_CONFIG.exec(readFileSync(join(shared, "config"), "utf8")) ?? [];
  return { path: basename(shared) === ".git" ? dirname(shared) : shared, id };
}

/** Of a worktree it is the repository's; `.git` is a file there. */
function sharedFolder(git: string): string {
  const isFile = statSync(git).isFile();
  const [, named = ""] = (isFile && /^gitdir: (.+)$/m.exec(readFileSync(git, "utf8"))) || [];
  const folder = isFile ? resolve(dirname(git), named) : git;
  const common = join(folder, "commondir");
  return realpathSync(existsSync(common) ? resolve(folder, readFileSync(common, "utf8").trim()) : folder);
}
