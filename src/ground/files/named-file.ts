/** Files and folders that the user names, and files that a command reads without a lock. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { SentinelError, tryOr } from "../core/errors.ts";
import { composed } from "../core/text.ts";
import { fileError, hasCode } from "./file-errors.ts";

/** Reads a file. Undefined if it's missing. @throws SentinelError `not_a_file`, or another if it can't be read. */
export async function readBytes(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    if (hasCode(error, "EISDIR"))
      throw new SentinelError("not_a_file", `${path} is a folder.`, "Name a file in it.");
    throw fileError(error, "read_failed", `Reading ${path}`);
  }
}

/** Writes a new file with a name from the user. It must not exist yet. */
export async function writeText(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    throw newFileError(error, path);
  }
}

/** Converts an error of writing a new file. @param path as the user typed it. */
export function newFileError(error: unknown, path: string): SentinelError {
  const isTaken = hasCode(error, "EEXIST", "EISDIR");
  if (isTaken && isFolder(path))
    return new SentinelError(
      "not_a_file",
      `${path} is a folder.`,
      "Name a file in it that is not there yet.",
    );
  if (isTaken)
    return new SentinelError(
      "bad_argument",
      `${path} is there already.`,
      "Name another file, or move it away.",
    );
  if (hasCode(error, "ENOENT", "ENOTDIR"))
    return new SentinelError(
      "not_found",
      `${dirname(resolve(path))} is not a folder.`,
      "Make that folder, or name another one.",
    );
  return fileError(error, "write_failed", `Writing ${path}`);
}

/** Returns the size of a file in bytes, or 0 if it's missing. */
export const sizeOfFile = async (path: string): Promise<number> =>
  (await stat(path).catch(() => undefined))?.size ?? 0;

/** Whether a path is a folder. */
export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Returns a path with each name as on the disk, regardless of Unicode form. Undefined if it doesn't exist. */
export function pathOnDisk(path: string): string | undefined {
  if (existsSync(path)) return path;
  const parent = dirname(path) === path ? undefined : pathOnDisk(dirname(path));
  if (parent === undefined) return undefined;
  const wanted = composed(basename(path));
  const name = tryOr(() => readdirSync(parent), []).find((one) => composed(one) === wanted);
  return name === undefined ? undefined : join(parent, name);
}

/** Whether a path is the folder or inside it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(composed(folder), composed(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Returns a path relative to a folder, with forward slashes on every platform, as in git and in lessons. */
export const nameBelow = (folder: string, path: string): string =>
  relative(folder, path).replaceAll(sep, "/");
