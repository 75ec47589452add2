/** Bytes, and behind them a checksum for each page, so that damage is noticed where it is read. */
import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { crc32 } from "node:zlib";
import { hasCode } from "../../../ground/files/file-errors.ts";
import { countRead } from "../../../ground/files/read-count.ts";

const PAGE_BYTES = 4096;
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
    sums.writeUInt32LE(crc32(bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)), page * SUM_BYTES);
  return { bytes: Buffer.concat([bytes, sums]), sum: crc32(sums) };
}

/** Bytes that nothing damages. */
export function bytesInMemory(bytes: Buffer): Bytes {
  return { read: (from, length) => bytes.subarray(from, from + length), close() {} };
}

/** Sealed bytes in a file, which is open only from the first reading to `close`. */
export class BytesInFile implements Bytes {
  readonly #path: string;
  readonly #length: number;
  readonly #sum: number;
  #file: number | undefined;
  #sums: Buffer | undefined;

  /** @param length without the checksums. */
  constructor(path: string, length: number, sum: number) {
    this.#path = path;
    this.#length = length;
    this.#sum = sum;
  }

  read(from: number, length: number): Buffer {
    const first = Math.floor(from / PAGE_BYTES);
    const start = first * PAGE_BYTES;
    const end = Math.min(this.#length, Math.ceil((from + length) / PAGE_BYTES) * PAGE_BYTES);
    if (from + length > this.#length) throw new DamagedError(basename(this.#path));
    const sums = this.#readSums();
    const bytes = this.#readFile(start, end - start);
    for (let at = 0; at < bytes.length; at += PAGE_BYTES)
      if (crc32(bytes.subarray(at, at + PAGE_BYTES)) !== sums.readUInt32LE((first + at / PAGE_BYTES) * SUM_BYTES))
        throw new DamagedError(basename(this.#path));
    return bytes.subarray(from - start, from - start + length);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #readSums(): Buffer {
    if (this.#sums) return this.#sums;
    const sums = this.#readFile(this.#length, Math.ceil(this.#length / PAGE_BYTES) * SUM_BYTES);
    if (crc32(sums) !== this.#sum) throw new DamagedError(basename(this.#path));
    this.#sums = sums;
    return sums;
  }

  #readFile(from: number, length: number): Buffer {
    this.#file ??= this.#open();
    countRead(length);
    const bytes = Buffer.allocUnsafeSlow(length);
    if (readSync(this.#file, bytes, 0, length, from) < length) throw new DamagedError(basename(this.#path));
    return bytes;
  }

  #open(): number {
    try {
      return openSync(this.#path, "r");
    } catch (error) {
      throw hasCode(error, "ENOENT") ? new DamagedError(basename(this.#path)) : error;
    }
  }
}
