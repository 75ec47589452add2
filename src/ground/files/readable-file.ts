/** Text files of other programs, read from an offset. Files compressed with Zstandard are unpacked in memory. */

import { isUtf8 } from "node:buffer";
import { closeSync, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import zlib from "node:zlib";
import { parseJson, tryOr } from "../core/errors.ts";
import { readAt, withFile } from "./read-files.ts";

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
  if (!isCompressed(path)) {
    return head.toString("utf8");
  }
  // With this flag it returns the text so far if its input ends in the middle.
  const options = { finishFlush: (zlib.constants as { ZSTD_e_flush?: number }).ZSTD_e_flush };
  const unpacked = tryOr(() => unpack?.(head, options), undefined);
  return (unpacked ?? Buffer.alloc(0)).subarray(0, bytes).toString("utf8");
}

const LINE_FEED = 0x0a;
const CHUNK_BYTES = 256 * 1024;

export interface WholeLine {
  readonly start: number;
  /** Undefined for a line that is too long to be read. */
  readonly text: string | undefined;
  /** Whether its bytes are UTF-8. Other bytes become U+FFFD in the text. */
  readonly isUtf8: boolean;
  /** The offset of the next line. */
  readonly end: number;
}

/** The lines of a JSON Lines file from an offset on, except blank ones. Only one is in memory. A last line without an end counts if it's a complete JSON object. */
export function* wholeLines(
  file: Pick<ReadableFile, "readAt">,
  offset: number,
  mostBytes: number,
): Generator<WholeLine> {
  const open = new OpenLine(mostBytes);
  let at = offset;
  for (;;) {
    const chunk = file.readAt(at, CHUNK_BYTES);
    if (chunk.length === 0) {
      break;
    }
    let from = 0;
    for (let feed = chunk.indexOf(LINE_FEED); feed >= 0; feed = chunk.indexOf(LINE_FEED, from)) {
      open.add(chunk.subarray(from, feed));
      const line = open.end(at + feed, at + feed + 1);
      if (line.text?.trim() !== "") {
        yield line;
      }
      from = feed + 1;
    }
    open.add(chunk.subarray(from));
    at += chunk.length;
  }
  const last = open.end(at, at);
  if (isObject(last.text)) {
    yield last;
  }
}

/** Collects the bytes of a line. */
class OpenLine {
  readonly #mostBytes: number;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= this.#mostBytes) {
      this.#pieces.push(piece);
    } else {
      this.#pieces = [];
    }
  }

  /** Returns the line and begins the next one. @param textEnd the offset after its text. @param end the offset after its line feed. */
  end(textEnd: number, end: number): WholeLine {
    const bytes = Buffer.concat(this.#pieces);
    const isRead = bytes.length === this.#length;
    const start = textEnd - this.#length;
    this.#pieces = [];
    this.#length = 0;
    if (!isRead) {
      return { start, text: undefined, isUtf8: true, end };
    }
    return { start, text: bytes.toString("utf8"), isUtf8: isUtf8(bytes), end };
  }
}

/** The line that begins at an offset. Undefined if it's missing, blank or too long. */
export function lineAt(
  file: Pick<ReadableFile, "readAt">,
  offset: number,
  mostBytes: number,
): string | undefined {
  const [line] = wholeLines(file, offset, mostBytes);
  return line?.start === offset ? line.text : undefined;
}

function isObject(text = ""): boolean {
  if (!text.startsWith("{") || !text.trimEnd().endsWith("}")) {
    return false;
  }
  return parseJson(text) !== undefined;
}
