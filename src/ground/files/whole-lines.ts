/** Reads the lines of a JSON Lines file that another program appends to, from an offset on, keeping only one in memory. */
import { isUtf8 } from "node:buffer";
import { tryOr } from "../core/errors.ts";
import type { ReadableFile } from "./readable-file.ts";

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

/** The lines from an offset on, except blank and too long ones. A last line without an end counts if it's a complete JSON object. */
export function* wholeLines(
  file: Pick<ReadableFile, "readAt">,
  offset: number,
  mostBytes: number,
): Generator<WholeLine> {
  let pieces: Buffer[] = [];
  let held = 0;
  let at = offset;
  for (;;) {
    // Copied, because the pieces of a line are kept.
    const chunk = file.readAt(at, CHUNK_BYTES);
    if (chunk.length === 0) {
      const last = textOf(pieces, held, mostBytes);
      if (isObject(last.text)) yield { start: at - held, ...last, end: at };
      return;
    }
    for (let start = 0; start < chunk.length; ) {
      const feed = chunk.indexOf(LINE_FEED, start);
      const piece = chunk.subarray(start, feed < 0 ? chunk.length : feed);
      held += piece.length;
      if (held <= mostBytes) pieces.push(piece);
      else pieces = [];
      if (feed < 0) break;
      start = feed + 1;
      const end = at + start;
      const line = { start: end - held - 1, ...textOf(pieces, held, mostBytes), end };
      if (line.text?.trim() !== "") yield line;
      pieces = [];
      held = 0;
    }
    at += chunk.length;
  }
}

/** The line that begins at an offset. Undefined if it's missing or too long. */
export function lineAt(
  file: Pick<ReadableFile, "readAt">,
  offset: number,
  mostBytes: number,
): string | undefined {
  const pieces: Buffer[] = [];
  for (let held = 0; held <= mostBytes; ) {
    const read = file.readAt(offset + held, CHUNK_BYTES);
    const feed = read.indexOf(LINE_FEED);
    pieces.push(feed < 0 ? read : read.subarray(0, feed));
    held += read.length;
    if (feed >= 0) return Buffer.concat(pieces).toString("utf8");
    if (read.length > 0) continue;
    const last = Buffer.concat(pieces).toString("utf8");
    return isObject(last) ? last : undefined;
  }
  return undefined;
}

function isObject(text = ""): boolean {
  if (!text.startsWith("{") || !text.trimEnd().endsWith("}")) return false;
  return tryOr(() => JSON.parse(text), undefined) !== undefined;
}

function textOf(
  pieces: readonly Buffer[],
  length: number,
  mostBytes: number,
): Pick<WholeLine, "text" | "isUtf8"> {
  if (length > mostBytes) return { text: undefined, isUtf8: true };
  if (length === 0) return { text: "", isUtf8: true };
  const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, length);
  return { text: bytes.toString("utf8"), isUtf8: isUtf8(bytes) };
}
