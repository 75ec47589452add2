/** A checksum of the first and last bytes of a file, to know it again: a day that was dropped and recorded anew may get its name and its inode. */
import { crc32 } from "node:zlib";
import { readAt } from "../../ground/files/open-file.ts";

/** The id in a line ends before this. */
const HEAD_BYTES = 64;
const TAIL_BYTES = 512;

export function sumOfEnds(bytes: Buffer): number {
  return crc32(bytes.subarray(-TAIL_BYTES), crc32(bytes.subarray(0, HEAD_BYTES)));
}

/** The same of bytes in a file. @param file its descriptor. */
export function sumOfEndsIn(file: number, from: number, to: number): number {
  const tailFrom = Math.max(from, to - TAIL_BYTES);
  const head = readAt(file, from, Math.min(HEAD_BYTES, to - from));
  return crc32(readAt(file, tailFrom, to - tailFrom), crc32(head));
}
