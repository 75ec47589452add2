/**
 * Reads and replaces whole files, so that a reader sees either the old or the new one (docs/design/lessons.md, "Writing"). All of it is synchronous,
 * because passing ten steps to threads took most of a write's time while other writers waited.
 */

import {
  type BigIntStats,
  fstatSync,
  fsyncSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import writeFileAtomic, { type Options } from "write-file-atomic";
import { SentinelError, tryOr } from "../core/errors.ts";
import { faultPoint } from "./fault-points.ts";
import { hasCode, ignoreMissing, patiently } from "./file-errors.ts";
import { canonicalPath } from "./paths.ts";
import { countRead, withFile } from "./read-files.ts";

/** The suffix of a file's lock next to it, which is a folder. A claim or a tombstone adds a token to that name. */
export const LOCK = ".lock";
/** The start of a staging file's suffix, followed by a token. Git ignores both, and the next save removes old ones. */
export const STAGING = ".staging-";

/** Properties of a file. */
export interface FileInfo {
  /** Differs if the file's bytes may have changed. */
  readonly stamp: string;
  /** The time its bytes last changed, in ms since 1970. */
  readonly changedMs: number;
  /** In bytes. */
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** The access rights of a file. Without an owner, it belongs to its writer. */
export type Rights = Pick<FileInfo, "mode"> & Partial<Pick<FileInfo, "uid" | "gid">>;

export interface FileImage extends FileInfo {
  readonly bytes: Buffer;
}

const READ_TRIES = 5;

/** Resolves a path through symbolic links. The last one needn't lead to an existing file. */
export function realTarget(path: string): string {
  let target = path;
  for (let hops = 0; hops < 40; hops++) {
    const folder = realFolder(dirname(target));
    target = join(folder, basename(target));
    const info = lstatSync(target, { throwIfNoEntry: false });
    if (!info?.isSymbolicLink()) {
      return target;
    }
    target = resolve(folder, readlinkSync(target));
  }
  throw Object.assign(new Error(`too many symbolic links: ${path}`), { code: "ELOOP" });
}

/** Returns the properties of a regular file without reading it. Undefined if it's missing. */
export function lookAt(path: string): FileInfo | undefined {
  const info = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (info && !info.isFile()) {
    throw new SentinelError(
      "not_a_file",
      `${path} is not a file.`,
      "Move it away, then call again.",
    );
  }
  return info && toInfo(info);
}

/** Reads a regular file. Undefined if it's missing. */
export async function readWhole(path: string): Promise<FileImage | undefined> {
  for (let tries = 1; ; tries++) {
    const before = lookAt(path);
    if (!before) {
      return undefined;
    }
    const image = ignoreMissing(() =>
      withFile(path, (file) => {
        const bytes = readFileSync(file);
        countRead(bytes.length);
        return { bytes, ...toInfo(fstatSync(file, { bigint: true })) };
      }),
    );
    // A file edited while it's read has a different stamp afterwards. One that is being replaced may be missing.
    if (image?.stamp === before.stamp || tries === READ_TRIES) {
      return image;
    }
    await sleep(tries);
  }
}

/**
 * Replaces a file, then flushes its folder. @param rights of the old file. Without them, the system's defaults apply.
 * @param stillOurs asked right before the rename. If it returns false, nothing is replaced. @returns the new stamp, or undefined.
 */
export function replaceWhole(
  path: string,
  bytes: Buffer,
  rights: Rights | undefined,
  token: string,
  stillOurs: () => boolean,
): string | undefined {
  const staging = `${path}${STAGING}${token}`;
  let replaced = false;
  try {
    writeFileAtomic.sync(staging, bytes, optionsOf(rights));
    faultPoint("staged");
    mustHaveArrived(staging, bytes);
    const before = statSync(staging, { bigint: true });
    faultPoint("verified");
    if (!stillOurs()) {
      return undefined;
    }
    patiently(() => {
      faultPoint("renaming");
      renameSync(staging, path);
    });
    replaced = true;
    faultPoint("renamed");
    flushFolder(dirname(path));
    const after = statSync(path, { bigint: true, throwIfNoEntry: false });
    // Take the stamp only from our file, because another process may have replaced it just now.
    return before.ino === after?.ino && before.mtimeNs === after.mtimeNs
      ? toInfo(after).stamp
      : "unknown";
  } catch (error) {
    // A process that took our lock over has removed our staging file.
    if (!replaced && hasCode(error, "ENOENT") && !stillOurs()) {
      return undefined;
    }
    throw error;
  } finally {
    if (!replaced) {
      rmSync(staging, { force: true });
    }
  }
}

/** Removes the staging files of dead writers. Call it only under the lock. */
export function removeStagingLeftovers(path: string, names: readonly string[]): void {
  for (const name of names) {
    if (name.startsWith(basename(path) + STAGING)) {
      rmSync(join(dirname(path), name), { force: true });
    }
  }
}

const realFolder = (path: string): string => tryOr(() => canonicalPath(path), path);

function optionsOf(rights: Rights | undefined): Options {
  if (!rights) {
    return {};
  }
  const { mode, uid, gid } = rights;
  return uid === undefined || gid === undefined ? { mode } : { mode, chown: { uid, gid } };
}

/** Compares the file on the disk with the bytes to write, because a short write isn't always reported. */
function mustHaveArrived(staging: string, bytes: Buffer): void {
  const arrived = readFileSync(staging);
  if (!arrived.equals(bytes)) {
    throw notArrived(arrived.length, bytes.length);
  }
}

/** Returns the error for a full disk or a file size limit, which may only show as a short write. */
export const notArrived = (arrived: number, bytes: number): Error =>
  Object.assign(new Error(`${arrived} of ${bytes} bytes arrived`), { code: "ENOSPC" });

/** Flushes a folder, so that files created or renamed in it survive a loss of power. */
export function flushFolder(folder: string): void {
  // Windows can't open a folder. There the system offers only the rename.
  if (process.platform === "win32") {
    return;
  }
  withFile(folder, (descriptor) => {
    try {
      fsyncSync(descriptor);
    } catch (error) {
      // Some network file systems can't flush a folder. The rename has happened anyway.
      if (!hasCode(error, "EINVAL", "ENOTSUP", "EPERM")) {
        throw error;
      }
    }
  });
}

/** Device, inode, size and times to the nanosecond: a file replaced twice can have its first inode and millisecond again. */
function toInfo(info: BigIntStats): FileInfo {
  return {
    stamp: [info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(" "),
    changedMs: Number(info.mtimeMs),
    size: Number(info.size),
    mode: Number(info.mode & 0o7777n),
    uid: Number(info.uid),
    gid: Number(info.gid),
  };
}
