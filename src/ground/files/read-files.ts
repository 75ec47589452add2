/** Reads files and folders without a lock, counts the bytes read, and writes new files. */

import { AsyncLocalStorage } from "node:async_hooks";
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { SentinelError, tryOr } from "../core/errors.ts";
import { fileError, hasCode } from "./file-errors.ts";
import { isFolder } from "./paths.ts";

/** Reads a file. Undefined if it's missing. @throws SentinelError `not_a_file`, or another if it can't be read. */
export async function readBytes(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) {
      return undefined;
    }
    if (hasCode(error, "EISDIR")) {
      throw new SentinelError("not_a_file", `${path} is a folder.`, "Name a file in it.");
    }
    throw fileError(error, "read_failed", `Reading ${path}`);
  }
}

/** Returns the value in a JSON file, without counting its bytes. Undefined if the file is missing or invalid. */
export const readJson = (path: string) =>
  tryOr(() => JSON.parse(readFileSync(path, "utf8")), undefined);

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
  if (isTaken && isFolder(path)) {
    return new SentinelError(
      "not_a_file",
      `${path} is a folder.`,
      "Name a file in it that is not there yet.",
    );
  }
  if (isTaken) {
    return new SentinelError(
      "bad_argument",
      `${path} is there already.`,
      "Name another file, or move it away.",
    );
  }
  if (hasCode(error, "ENOENT", "ENOTDIR")) {
    return new SentinelError(
      "not_found",
      `${dirname(resolve(path))} is not a folder.`,
      "Make that folder, or name another one.",
    );
  }
  return fileError(error, "write_failed", `Writing ${path}`);
}

/** Returns the size of a file in bytes, or 0 if it's missing. */
export const sizeOfFile = async (path: string): Promise<number> =>
  (await stat(path).catch(() => undefined))?.size ?? 0;

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
    if (hasCode(error, "ENOENT", "ENOTDIR")) {
      return [];
    }
    throw fileError(error, "read_failed", `reading ${folder}`);
  }
}

/** Adds up the bytes of all files in a folder and its subfolders. Files removed meanwhile don't count. */
export function folderSize(folder: string): number {
  let bytes = 0;
  for (const entry of tryOr(() => readdirSync(folder, { withFileTypes: true }), [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      bytes += folderSize(path);
    } else if (entry.isFile()) {
      bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return bytes;
}

/** Opens a file, by default for reading, passes it to a function, and closes it. @throws the file system's error. */
export function withFile<Result>(
  path: string,
  act: (file: number) => Result,
  flags = "r",
  mode?: number,
): Result {
  const file = openSync(path, flags, mode);
  try {
    return act(file);
  } finally {
    closeSync(file);
  }
}

/** Reads bytes from a file. Returns fewer at its end. */
export function readAt(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, from));
}

/** The cost of an answer, in bytes read from a memory or a session log. */
export interface ReadCount {
  readonly bytes: number;
  /** The number of times a file was opened or part of it was read. */
  readonly reads: number;
}

const counts = new AsyncLocalStorage<{ bytes: number; reads: number }>();

/** Runs a function that can query the bytes and reads counted for it so far. */
export function countingReads<Result>(
  work: (soFar: () => ReadCount) => Promise<Result>,
): Promise<Result> {
  const count = { bytes: 0, reads: 0 };
  return counts.run(count, () => work(() => ({ ...count })));
}

/** Adds one read to the surrounding `countingReads`, if any. */
export function countRead(bytes: number): void {
  const count = counts.getStore();
  if (!count) {
    return;
  }
  count.bytes += bytes;
  count.reads += 1;
}
