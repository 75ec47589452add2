/**
 * One file, read whole and replaced whole: a reader sees the old one or the new one (docs/design/lessons.md, "Writing"). All of it is synchronous:
 * handing ten steps to threads was most of a write while all others waited.
 */
import {
  type BigIntStats,
  fstatSync,
  fsyncSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import writeFileAtomic from "write-file-atomic";
import { SentinelError, tryOr } from "../core/errors.ts";
import { canonicalPath } from "./canonical-path.ts";
import { faultPoint } from "./fault-points.ts";
import { hasCode, ignoreMissing } from "./file-errors.ts";
import { withFile } from "./open-file.ts";
import { patiently } from "./patiently.ts";
import { countRead } from "./read-count.ts";
import { STAGING } from "./sidecar-names.ts";

/** Properties of a file; when its bytes may have changed, `stamp` has. */
export type FileInfo = Readonly<ReturnType<typeof toInfo>>;

/** Who may do what with a file; without an owner it belongs to the one who writes it. */
export type Rights = Pick<FileInfo, "mode"> & Partial<Pick<FileInfo, "uid" | "gid">>;

export interface FileImage extends FileInfo {
  readonly bytes: Buffer;
}

const READ_TRIES = 5;
/** What is read back at a time: a piece of memory of this size stays in the processor's cache. */
const PART_BYTES = 128 * 1024;

/** The file a path means, through symbolic links, whether or not the last of them leads to a file yet. */
export function realTarget(path: string): string {
  let target = path;
  for (let hops = 0; hops < 40; hops++) {
    const folder = realFolder(dirname(target));
    target = join(folder, basename(target));
    const info = lstatSync(target, { throwIfNoEntry: false });
    if (!info?.isSymbolicLink()) return target;
    target = resolve(folder, readlinkSync(target));
  }
  throw Object.assign(new Error(`too many symbolic links: ${path}`), { code: "ELOOP" });
}

/** Looks at a regular file without reading it; undefined when there is none. */
export function lookAt(path: string): FileInfo | undefined {
  const info = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (info && !info.isFile())
    throw new SentinelError(
      "not_a_file",
      `${path} is not a file.`,
      "Move it away, then call again.",
    );
  return info && toInfo(info);
}

/** Reads a regular file, or undefined when there is none. */
export async function readWhole(path: string): Promise<FileImage | undefined> {
  for (let tries = 1; ; tries++) {
    const before = lookAt(path);
    if (!before) return undefined;
    const image = ignoreMissing(() =>
      withFile(path, (file) => {
        const bytes = readFileSync(file);
        countRead(bytes.length);
        return { bytes, ...toInfo(fstatSync(file, { bigint: true })) };
      }),
    );
    // A file that is edited in place while it is read has another stamp afterwards; one that is being replaced may have gone.
    if (image?.stamp === before.stamp || tries === READ_TRIES) return image;
    await sleep(tries);
  }
}

/**
 * Replaces a file, then flushes its folder. @param rights of the old file; without, the new one gets what the system gives.
 * @param stillOurs asked right before the rename; false means that nothing is replaced. @returns the new stamp; undefined where nothing was replaced.
 */
export async function replaceWhole(
  path: string,
  bytes: Buffer,
  rights: Rights | undefined,
  token: string,
  stillOurs: () => boolean,
): Promise<string | undefined> {
  const staging = `${path}${STAGING}${token}`;
  let replaced = false;
  try {
    writeFileAtomic.sync(staging, bytes, optionsOf(rights));
    faultPoint("staged");
    mustHaveArrived(staging, bytes);
    const before = statSync(staging, { bigint: true });
    faultPoint("verified");
    if (!stillOurs()) return undefined;
    await patiently(() => {
      faultPoint("renaming");
      renameSync(staging, path);
    });
    replaced = true;
    faultPoint("renamed");
    flushFolder(dirname(path));
    const after = statSync(path, { bigint: true, throwIfNoEntry: false });
    // Take the stamp only from what we wrote: somebody else may have replaced or removed the file in this moment.
    return before.ino === after?.ino && before.mtimeNs === after.mtimeNs
      ? toInfo(after).stamp
      : "unknown";
  } catch (error) {
    // A process that took our lock over has removed our staging file.
    if (!replaced && hasCode(error, "ENOENT") && !stillOurs()) return undefined;
    throw error;
  } finally {
    if (!replaced) rmSync(staging, { force: true });
  }
}

/** Removes the staging files of writers that died; call it only under the lock. */
export function removeStagingLeftovers(path: string, names: readonly string[]): void {
  for (const name of names) {
    if (name.startsWith(basename(path) + STAGING))
      rmSync(join(dirname(path), name), { force: true });
  }
}

const realFolder = (path: string): string => tryOr(() => canonicalPath(path), path);

function optionsOf(rights: Rights | undefined): {
  mode?: number;
  chown?: { uid: number; gid: number };
} {
  if (!rights) return {};
  const { mode, uid, gid } = rights;
  return { mode, ...(uid !== undefined && gid !== undefined && { chown: { uid, gid } }) };
}

/** A write that ends early is not always reported: compare what is on disk with what should be. */
function mustHaveArrived(staging: string, bytes: Buffer): void {
  withFile(staging, (file) => {
    const part = Buffer.allocUnsafe(Math.min(PART_BYTES, bytes.length + 1));
    let arrived = 0;
    for (;;) {
      const length = readSync(file, part);
      if (length === 0) break;
      if (!part.subarray(0, length).equals(bytes.subarray(arrived, arrived + length)))
        throw notArrived(arrived, bytes.length);
      arrived += length;
    }
    if (arrived < bytes.length) throw notArrived(arrived, bytes.length);
  });
}

/** The error of a full disk, or a limit on the size of files, which may show as a short write. */
export const notArrived = (arrived: number, bytes: number): Error =>
  Object.assign(new Error(`${arrived} of ${bytes} bytes arrived`), { code: "ENOSPC" });

/** Flushes a folder, so that files created or renamed in it survive a loss of power. */
export function flushFolder(folder: string): void {
  // Windows cannot open a folder; there the rename is all that the system offers.
  if (process.platform === "win32") return;
  withFile(folder, (descriptor) => {
    try {
      fsyncSync(descriptor);
    } catch (error) {
      // Some network file systems cannot flush a folder; the rename has happened all the same.
      if (!hasCode(error, "EINVAL", "ENOTSUP", "EPERM")) throw error;
    }
  });
}

/** Device, inode, size and times to the nanosecond: a file replaced twice can have its first inode and millisecond again. */
function toInfo(info: BigIntStats) {
  return {
    stamp: [info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(" "),
    /** When its bytes last changed, in ms since 1970. */
    changedMs: Number(info.mtimeMs),
    /** In bytes. */
    size: Number(info.size),
    mode: Number(info.mode & 0o7777n),
    uid: Number(info.uid),
    gid: Number(info.gid),
  };
}
