import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileError, hasCode } from "./file-errors.ts";

/** The paths of the JSON Lines files below a folder, sorted. @throws SentinelError `read_failed`. */
export async function jsonLinesIn(folder: string, ending = ".jsonl"): Promise<string[]> {
  const names = await namesIn(folder, { recursive: true });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

/** The sorted names in a folder, which may be missing, and with `recursive` also below it. @throws SentinelError `read_failed`. */
export async function namesIn(folder: string, { recursive = false } = {}): Promise<string[]> {
  try {
    return (await readdir(folder, { recursive })).sort();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw fileError(error, "read_failed", `reading ${folder}`);
  }
}
