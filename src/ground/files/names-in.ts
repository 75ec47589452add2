import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileError, hasCode } from "./file-errors.ts";

/** Returns the sorted paths of the JSON Lines files in a folder and its subfolders. @throws SentinelError `read_failed`. */
export async function jsonLinesIn(folder: string, ending = ".jsonl"): Promise<string[]> {
  const names = await namesIn(folder, { recursive: true });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

/** Returns the sorted names in a folder, including subfolders if `recursive`. The folder may be missing. @throws SentinelError `read_failed`. */
export async function namesIn(folder: string, { recursive = false } = {}): Promise<string[]> {
  try {
    return (await readdir(folder, { recursive })).sort();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw fileError(error, "read_failed", `reading ${folder}`);
  }
}
