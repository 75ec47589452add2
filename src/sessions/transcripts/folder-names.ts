/** The names that clients make of a folder's path, and whether only one folder has such a name. */
import { readdir } from "node:fs/promises";
import { join, parse, relative } from "node:path";

/** Makes a name of a path, or of a part of one. */
export type NameOf = (path: string) => string;

/** Claude Code replaces each character that is neither letter nor digit with a hyphen. */
export const claudeCodeName: NameOf = (path) => path.replace(/[^a-zA-Z0-9]/g, "-");

/** Cursor replaces each run of such characters with one hyphen, and removes those at both ends. */
export const cursorName: NameOf = (path) =>
  path.replace(/[^a-zA-Z0-9]+/g, "-").replace(/^-|-$/g, "");

const WINDOWS_PATH = /^[a-zA-Z]:[\\/]/;

/** Whether a folder of a client is named after a folder of a project. Case doesn't matter on Windows. */
export function isNamedAfter(name: string, folder: string, nameOf: NameOf): boolean {
  const wanted = nameOf(folder);
  return WINDOWS_PATH.test(folder) ? name.toLowerCase() === wanted.toLowerCase() : name === wanted;
}

/** Whether no other folder has the same name. */
export async function isOnlyFolderNamed(folder: string, nameOf: NameOf): Promise<boolean> {
  const { root } = parse(folder);
  for await (const other of foldersNamed(nameOf(relative(root, folder)), root, nameOf)) {
    if (other !== folder) {
      return false;
    }
  }
  return true;
}

/** @param name the part of the name that belongs to folders below the root. */
async function* foldersNamed(name: string, root: string, nameOf: NameOf): AsyncGenerator<string> {
  for (const entry of await readdir(root, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory() && !entry.isSymbolicLink()) {
      continue;
    }
    const folder = join(root, entry.name);
    const part = nameOf(entry.name);
    if (part === name) {
      yield folder;
    }
    if (part === "") {
      // Links could lead round in circles.
      if (entry.isDirectory()) {
        yield* foldersNamed(name, folder, nameOf);
      }
    } else if (part === name) {
      yield* foldersNamed("", folder, nameOf);
    } else if (name.startsWith(`${part}-`)) {
      yield* foldersNamed(name.slice(part.length + 1), folder, nameOf);
    }
  }
}
