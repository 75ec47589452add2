/** Bytes, and behind them a checksum for each page, so that damage is noticed where it is read. */
import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { crc32 } from "node:zlib";
import { hasCode } from "../../../ground/files/file-errors.ts";
import { countRead } from "../../../ground/files/read-count.ts";

export const PAGE_BYTES = 4096;
const SUM_BYTES = 4;

/** A segment's bytes are not what was written, or have gone. */
export class DamagedError extends Error {
  /** Of the segment; undefined where it is in memory. */
  readonly file: string | undefined;

  constructor(file: string | undefined) {
    super(`the index is damaged: ${file}`);
    this.file = file;
  }
}

/** Where a segment's bytes are: in a file, or in memory. */
export interface Bytes {
  /** @throws DamagedError */
  read(from: number, length: number): Buffer;
  /** Until it is read again. */
  close(): void;
}

/** The bytes with the checksums behind them, and the checksum of these. */
export function seal(bytes: Buffer) {
  const count = Math.ceil(bytes.length / PAGE_BYTES);
  const sums = Buffer.allocUnsafe(count * SUM_BYTES);
  for (let page = 0; page < count; page++)
    sums.writeUInt32LE(
      crc32(bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)),
      page * SUM_BYTES,
    );
  return { bytes: Buffer.concat([bytes, sums]), sum: crc32(sums) };
}

/** Bytes that nothing damages. */
export function bytesInMemory(bytes: Buffer): Bytes {
  return { read: (from, length) => bytes.subarray(from, from + length), close() {} };
}

/** Sealed bytes in a file, which is open only from the first reading to `close`. @param length without the checksums. */
export function bytesInFile(path: string, length: number, sum: number): Bytes {
  let file: number | undefined;
  let sums: Buffer | undefined;
  const damaged = () => new DamagedError(basename(path));
  const readFile = (from: number, count: number): Buffer => {
    try {
      file ??= openSync(path, "r");
    } catch (error) {
      throw hasCode(error, "ENOENT") ? damaged() : error;
    }
    countRead(count);
    const bytes = Buffer.allocUnsafeSlow(count);
    if (readSync(file, bytes, 0, count, from) < count) throw damaged();
    return bytes;
  };
  const readSums = (): Buffer => {
    if (sums) return sums;
    const read = readFile(length, Math.ceil(length / PAGE_BYTES) * SUM_BYTES);
    if (crc32(read) !== sum) throw damaged();
    sums = read;
    return sums;
  };
  return {
    read(from, count) {
      const first = Math.floor(from / PAGE_BYTES);
      const start = first * PAGE_BYTES;
      const end = Math.min(length, Math.ceil((from + count) / PAGE_BYTES) * PAGE_BYTES);
      if (from + count > length) throw damaged();
      const expected = readSums();
      const bytes = readFile(start, end - start);
      for (let at = 0; at < bytes.length; at += PAGE_BYTES)
        if (
          crc32(bytes.subarray(at, at + PAGE_BYTES)) !==
          expected.readUInt32LE((first + at / PAGE_BYTES) * SUM_BYTES)
        )
          throw damaged();
      return bytes.subarray(from - start, from - start + count);
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
