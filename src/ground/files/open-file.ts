import { closeSync, openSync, readSync } from "node:fs";

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
