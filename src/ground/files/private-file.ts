/** Files that only their owner can read. Folders have mode 0700, files 0600. */

import { randomUUID } from "node:crypto";
import {
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { faultPoint } from "./fault-points.ts";
import { fileError, patiently } from "./file-errors.ts";
import { type HeldLock, withLock } from "./lock.ts";
import { newFileError, withFile } from "./read-files.ts";
import {
  flushFolder,
  notArrived,
  readWhole,
  removeStagingLeftovers,
  replaceWhole,
  STAGING,
} from "./replace-file.ts";

export const OWNER_ONLY = 0o600;

/** Makes a folder and its missing parents. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Writes a whole file by flushing and renaming a staging file, so that it's on the disk when this returns. It takes no lock. @param staged runs in between. */
export function writePrivateFile(
  path: string,
  bytes: Buffer,
  staging: string,
  staged: string,
): void {
  try {
    withFile(staging, (file) => writeFlushed(file, bytes), "w", OWNER_ONLY);
    faultPoint(staged);
    patiently(() => renameSync(staging, path));
  } finally {
    rmSync(staging, { force: true });
  }
  flushFolder(dirname(path));
}

function writeFlushed(file: number, bytes: Buffer): void {
  writeSync(file, bytes);
  fsyncSync(file);
  const { size } = fstatSync(file);
  if (size !== bytes.length) {
    throw notArrived(size, bytes.length);
  }
}

/**
 * Writes a new file that only its owner can read. It's flushed, and either complete or absent. It must not exist yet.
 * @param pieces are read only once the file can be created.
 */
export async function writePrivate(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const staging = `${path}${STAGING}${randomUUID()}`;
  try {
    if (existsSync(path)) {
      throw Object.assign(new Error(`${path} is there`), { code: "EEXIST" });
    }
    removeStagingLeftovers(path, readdirSync(dirname(path)));
    const file = await open(staging, "wx", OWNER_ONLY);
    await pipeline(pieces, file.createWriteStream({ flush: true }));
    patiently(() => renameSync(staging, path));
    flushFolder(dirname(path));
  } catch (error) {
    throw newFileError(error, path);
  } finally {
    rmSync(staging, { force: true });
  }
}

/** Runs a function under the lock of a path. Creates its folder if it's missing. */
export async function alone<T>(path: string, work: (lock: HeldLock) => Promise<T>): Promise<T> {
  try {
    makePrivateFolder(dirname(path));
    return await withLock(path, work);
  } catch (error) {
    throw fileError(error, "write_failed", `Writing ${path}`);
  }
}

/** Reads, changes and replaces a small file under its lock. @param change returns undefined to leave it. If it throws, nothing changes. */
export async function changeUserFile(
  path: string,
  change: (text: string | undefined) => string | undefined,
): Promise<void> {
  await alone(path, async (lock) => {
    removeStagingLeftovers(path, readdirSync(dirname(path)));
    const old = await readWhole(path);
    const text = change(old?.bytes.toString("utf8"));
    if (text === undefined) {
      return;
    }
    const rights = old ?? { mode: OWNER_ONLY };
    const bytes = Buffer.from(text);
    const written = replaceWhole(path, bytes, rights, lock.token, () => lock.stillHeld());
    if (written === undefined) {
      throw new Error("another host took the lock meanwhile");
    }
  });
}
