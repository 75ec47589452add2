/** Files that only their owner can read. Writing takes no lock. For files that several processes change, use `user-folder.ts`. */
import { fstatSync, fsyncSync, mkdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { faultPoint } from "./fault-points.ts";
import { withFile } from "./open-file.ts";
import { patientlySync } from "./patiently.ts";
import { flushFolder, notArrived } from "./replace-file.ts";

export const OWNER_ONLY = 0o600;

/** Makes a folder and its missing parents. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Writes a whole file by flushing and renaming a staging file, so that it's on the disk when this returns. @param staged runs in between. */
export function writePrivateFile(
  path: string,
  bytes: Buffer,
  staging: string,
  staged: string,
): void {
  try {
    withFile(staging, (file) => writeFlushed(file, bytes), "w", OWNER_ONLY);
    faultPoint(staged);
    patientlySync(() => renameSync(staging, path));
  } finally {
    rmSync(staging, { force: true });
  }
  flushFolder(dirname(path));
}

function writeFlushed(file: number, bytes: Buffer): void {
  writeSync(file, bytes);
  fsyncSync(file);
  const { size } = fstatSync(file);
  if (size !== bytes.length) throw notArrived(size, bytes.length);
}
