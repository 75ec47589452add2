/** How far a transcript has been read. One that was cut or replaced since is read from its beginning: what was read has the same ids. */
import { createHash } from "node:crypto";
import type { ReadableFile } from "../../ground/files/readable-file.ts";
import { newState, type ReadingState } from "./reading-state.ts";

export interface Cursor {
  /** Where the first line begins that has not been read. */
  readonly offset: number;
  /** What stands before it: SHA-256 of the last bytes. */
  readonly before: string;
  /** Size and time of the last change, as the file was when it was read to its end. */
  readonly stamp?: string;
  /** While the file is read again from its beginning: events before this offset may be stored already. */
  readonly againTo?: number;
  /** The agreed times that lay in the past when it was read; one that is agreed to later makes it be read again. */
  readonly past: readonly string[];
  /** Revision of the reader that did not understand a part; a newer one reads the file again. */
  readonly missedBy?: number;
  readonly state: ReadingState;
}

/** What a file has as long as nobody writes to it. */
export function stampOf({
  size,
  mtimeMs,
}: {
  readonly size: number;
  readonly mtimeMs: number;
}): string {
  return `${size} ${mtimeMs}`;
}

/** When the file was changed last, in ms since 1970; undefined while it is not read to its end. */
export function changedAt({ stamp }: Cursor): number | undefined {
  return stamp === undefined ? undefined : Number(stamp.split(" ")[1]);
}

const FINGERPRINT_BYTES = 1024;

export function startOfFile(past: readonly string[], againTo: number): Cursor {
  return { offset: 0, before: "", past, againTo, state: newState() };
}

/** From the beginning of a file that was read: what was lost of its events comes back, and none comes twice. */
export function readAgain({ past, offset, againTo = 0 }: Cursor): Cursor {
  return startOfFile(past, Math.max(offset, againTo));
}

/** Whether a file still begins with what was read. */
export function isContinued(file: ReadableFile, { offset, before }: Cursor): boolean {
  return offset === 0 || bytesBefore(file, offset) === before;
}

export function bytesBefore(file: ReadableFile, offset: number): string {
  const length = Math.min(offset, FINGERPRINT_BYTES);
  return createHash("sha256")
    .update(file.readAt(offset - length, length))
    .digest("hex")
    .slice(0, 32);
}
