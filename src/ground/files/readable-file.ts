/** Text files of other programs, read from an offset. Files compressed with Zstandard are unpacked in memory. */
import { closeSync, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import zlib from "node:zlib";
import { tryOr } from "../core/errors.ts";
import { readAt, withFile } from "./open-file.ts";

export const COMPRESSED = ".zst";
export const isCompressed = (path: string): boolean => path.endsWith(COMPRESSED);

/** Node has this function since 22.15. */
const unpack = (zlib as { zstdDecompressSync?: (bytes: Buffer, options?: object) => Buffer })
  .zstdDecompressSync;
export const CAN_UNPACK = unpack !== undefined;

/** The largest block of Zstandard. */
const BLOCK_BYTES = 132 * 1024;

export interface ReadableFile {
  /** Describes the file on disk, which may be compressed. */
  readonly info: Stats;
  /** The size of the text. */
  size(): number;
  /** Returns fewer bytes at the end of the file. */
  readAt(from: number, length: number): Buffer;
  /** Whether the file couldn't be unpacked, so none of it can be read. */
  isDamaged(): boolean;
  close(): void;
}

/** @throws the file system's own error. */
export function openReadable(path: string): ReadableFile {
  const file = openSync(path, "r");
  const info = fstatSync(file);
  const close = () => closeSync(file);
  if (!isCompressed(path)) {
    const readPlain = (from: number, length: number) => readAt(file, from, length);
    return { info, size: () => info.size, readAt: readPlain, isDamaged: () => false, close };
  }
  let unpacked: Buffer | undefined;
  let isDamaged = false;
  const whole = (): Buffer => {
    if (unpacked === undefined) {
      unpacked = tryOr(() => unpack?.(readFileSync(file)), undefined);
      isDamaged = unpacked === undefined;
      unpacked ??= Buffer.alloc(0);
    }
    return unpacked;
  };
  const readUnpacked = (from: number, length: number) => whole().subarray(from, from + length);
  return {
    info,
    size: () => whole().length,
    readAt: readUnpacked,
    isDamaged: () => isDamaged,
    close,
  };
}

/** The first bytes of a file as text, whose last character may be cut. @throws the file system's error. */
export function headOf(path: string, bytes: number): string {
  const head = withFile(path, (file) => readAt(file, 0, isCompressed(path) ? BLOCK_BYTES : bytes));
  if (!isCompressed(path)) return head.toString("utf8");
  // With this flag it returns the text so far if its input ends in the middle.
  const options = { finishFlush: (zlib.constants as { ZSTD_e_flush?: number }).ZSTD_e_flush };
  const unpacked = tryOr(() => unpack?.(head, options), undefined);
  return (unpacked ?? Buffer.alloc(0)).subarray(0, bytes).toString("utf8");
}
