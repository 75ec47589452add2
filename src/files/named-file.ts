/** Files that a person names, and files that a command reads without a lock. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { SentinelError } from "../core/errors.ts";
import { hasCode } from "./file-errors.ts";

/** The bytes of a file; undefined when there is none. */
export async function readBytes(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw namedFileError(error, "read_failed", `Reading ${path}`);
  }
}

/** Writes a file that a person named, which must not be there yet. */
export async function writeText(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    if (hasCode(error, "EEXIST"))
      throw new SentinelError("not_a_file", `${path} is there already.`, "Name another file, or remove it.");
    throw namedFileError(error, "write_failed", `Writing ${path}`);
  }
}

/** In bytes; 0 when there is none. */
export async function sizeOfFile(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

function namedFileError(error: unknown, code: "read_failed" | "write_failed", doing: string): SentinelError {
  const cause = error instanceof Error ? error.message : String(error);
  return new SentinelError(code, `${doing}: ${cause}`, "Name a file that this user can read or write there.", {
    cause: error,
  });
}
