import { closeSync, openSync, readSync } from "node:fs";

/** Opens a file, to read where nothing else is said, does something with it, and closes it. @throws the file system's own error. */
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

/** Reads bytes of a file; fewer, where the file ends before. */
export function readAt(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, from));
}
