import { closeSync, fchmodSync, fchownSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { hasCode } from "./file-errors.ts";

/** Opens a file, reads of it, and closes it. @throws the file system's own error. */
export function withFile<Result>(path: string, read: (file: number) => Result): Result {
  const file = openSync(path, "r");
  try {
    return read(file);
  } finally {
    closeSync(file);
  }
}

/** Reads bytes of a file; fewer, where the file ends before. */
export function readAt(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, from));
}

/** The first bytes of a file as text; a character that is cut at the end is damaged. @throws the file system's own error. */
export const headOf = (path: string, bytes: number): string =>
  withFile(path, (file) => readAt(file, 0, bytes).toString("utf8"));

/** Who may do what with a file; without an owner it belongs to the one who writes it. */
export interface Rights {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Writes a whole file and flushes it.
 * @param rights without, it gets what the system gives.
 * @throws the file system's own error; `ENOSPC` also where a full disk shows as a short write.
 */
export function writeFlushed(path: string, bytes: Buffer, rights?: Rights): void {
  const file = openSync(path, "w", rights?.mode);
  try {
    if (rights) giveRights(file, rights);
    writeSync(file, bytes);
    fsyncSync(file);
    const { size } = fstatSync(file);
    if (size !== bytes.length)
      throw Object.assign(new Error(`${size} of ${bytes.length} bytes arrived`), { code: "ENOSPC" });
  } finally {
    closeSync(file);
  }
}

function giveRights(file: number, { mode, uid, gid }: Rights): void {
  try {
    if (uid !== undefined && gid !== undefined) fchownSync(file, uid, gid);
  } catch (error) {
    // Only root may give a file away, and some systems do not know owners.
    if (!hasCode(error, "EPERM", "EINVAL", "ENOSYS")) throw error;
  }
  fchmodSync(file, mode);
}
