import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../core/errors.ts";

/** Adds up the bytes of all files in a folder and its subfolders. Files removed meanwhile don't count. */
export function folderSize(folder: string): number {
  let bytes = 0;
  for (const entry of tryOr(() => readdirSync(folder, { withFileTypes: true }), [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += folderSize(path);
    else if (entry.isFile()) bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
