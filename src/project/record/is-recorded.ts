/**
 * Whether sessions of a project are recorded, looked up in a few small files and without git, for those who keep a client waiting. It knows
 * less than `findRecord`: where it says no, that may still find a record.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isUlid } from "../../core/ulid.ts";
import { CONTEXT_FOLDER, contextFolder, LOCAL_FILES } from "../context-folder.ts";
import { gitRootOf } from "../git-root.ts";
import { isOn, readManifest } from "./manifest.ts";
import { readPlacesFile, recordsFolder } from "./places-file.ts";

/** As git writes it: a section, and below it the key. */
const ID_IN_CONFIG = /^\[sentinelmemory\]\s*$(?:\n[^[\n]*)*?\n\s*record\s*=\s*(\w+)/im;

/** @param folder the project's. */
export function isRecorded(folder: string): boolean {
  try {
    const places = readPlacesFile();
    // `record on` writes that file.
    if (places === "broken" || places.data === undefined) return false;
    const { path, id } = homeWithoutGit(folder);
    const manifest = isUlid(id) ? readManifest(join(recordsFolder({ data: places.data }), id)) : undefined;
    if (typeof manifest !== "object" || manifest.id !== id || !isOn(manifest)) return false;
    return manifest.project === path || !existsSync(manifest.project);
  } catch {
    return false;
  }
}

/** What `homeOf` and `readRecordId` ask git for. */
function homeWithoutGit(folder: string): { path: string; id: string } {
  const root = gitRootOf(folder);
  if (root === undefined) {
    const file = join(contextFolder(join(folder, CONTEXT_FOLDER)).local, LOCAL_FILES.record);
    return { path: realpathSync(folder), id: readFileSync(file, "utf8").trim() };
  }
  const shared = sharedGitFolder(join(root, ".git"));
  const [, id = ""] = ID_IN_CONFIG.exec(readFileSync(join(shared, "config"), "utf8")) ?? [];
  return { path: basename(shared) === ".git" ? dirname(shared) : shared, id };
}

/** Of a worktree it is the repository's; `.git` is a file there. */
function sharedGitFolder(git: string): string {
  let folder = git;
  try {
    const [, named = ""] = /^gitdir: (.+)$/m.exec(readFileSync(git, "utf8")) ?? [];
    folder = resolve(dirname(git), named);
  } catch {
    // It is a folder.
  }
  const common = join(folder, "commondir");
  return realpathSync(existsSync(common) ? resolve(folder, readFileSync(common, "utf8").trim()) : folder);
}
