/** Finds the bytes of the day files that aren't indexed yet, and reads their lines. */
import { statSync } from "node:fs";
import { crc32 } from "node:zlib";
import { groupBy, sumBy } from "../../../ground/core/collections.ts";
import { compare } from "../../../ground/core/text.ts";
import { linesOf } from "../../../ground/files/append-log.ts";
import { hasCode, ignoreMissing } from "../../../ground/files/file-errors.ts";
import { readAt, withFile } from "../../../ground/files/read-files.ts";
import { LEAST_CUT_BYTES } from "../../storing/cut-content.ts";
import { bytesBehind } from "../../storing/event-texts.ts";
import type { DayFile, DayFiles } from "../day-files.ts";
import { readEventLine } from "../event-line.ts";

/** A purge can replace files during a listing, but not this often. */
const MAX_TRIES = 20;
/** The id of the first event is in these bytes. */
const HEAD_BYTES = 64;
/** Keys sort by generation. */
const GENERATION_DIGITS = 9;

/** The state of a day file at one moment. */
interface FileState {
  /**
   * Day, generation and a checksum of the first bytes. A day that was deleted and recorded again
   * gets the name of the old file, so the name alone doesn't identify its bytes.
   */
  readonly key: string;
  /** `2026-11-21`. */
  readonly day: string;
  readonly path: string;
  readonly bytes: number;
}

/** The day files by key, the earliest first. */
export type Files = ReadonlyMap<string, FileState>;

/** Bytes of a day file, from the beginning of a line to the end of one. */
export interface Piece {
  /** The key of the file. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** Bytes of a day file that aren't indexed. */
export interface Gap {
  readonly file: FileState;
  readonly from: number;
  readonly to: number;
}

/** The lines of a piece. */
export interface Lines {
  readonly piece: Piece;
  readonly bytes: Buffer;
  /** The size of the events, whole texts in artifacts included. */
  readonly textBytes: number;
}

/** Lists the day files. @throws the file system's error. */
export function listFiles(days: Pick<DayFiles, "list">): Files {
  for (let tries = 1; ; tries++) {
    try {
      const states = days.list().map(stateOf);
      return new Map(states.map((file) => [file.key, file]));
    } catch (error) {
      // A purge or retention removed a file after it was listed.
      if (!hasCode(error, "ENOENT") || tries === MAX_TRIES) {
        throw error;
      }
    }
  }
}

/** The bytes that no piece covers, the newest day first. */
export function findGaps(files: Files, covered: readonly Piece[]): Gap[] {
  const byFile = groupBy(covered, ({ file }) => file);
  const gaps: Gap[] = [];
  for (const file of files.values()) {
    const pieces = (byFile.get(file.key) ?? []).toSorted((a, b) => a.from - b.from);
    let end = 0;
    for (const { from, to } of pieces) {
      if (from > end) {
        gaps.push({ file, from: end, to: from });
      }
      end = Math.max(end, to);
    }
    if (end < file.bytes) {
      gaps.push({ file, from: end, to: file.bytes });
    }
  }
  return gaps.reverse();
}

/**
 * Reads lines of the gaps in order, up to about `maxBytes` of events, whole texts included.
 * A longer line is read whole. @returns also the gaps that remain, without torn last lines.
 */
export function readGaps(
  gaps: readonly Gap[],
  maxBytes: number,
): { readonly lines: readonly Lines[]; readonly left: readonly Gap[] } {
  const lines: Lines[] = [];
  const left: Gap[] = [];
  let room = maxBytes;
  for (const gap of gaps) {
    const read = room > 0 ? readGap(gap, room) : { lines: undefined, left: gap };
    if (read.left !== undefined) {
      left.push(read.left);
    }
    if (read.lines === undefined) {
      continue;
    }
    lines.push(read.lines);
    room -= read.lines.textBytes;
  }
  return { lines, left };
}

/** Whether the files still contain these bytes. */
export function areCurrent(pieces: readonly Piece[], files: Files): boolean {
  return pieces.every(({ file, to }) => (files.get(file)?.bytes ?? -1) >= to);
}

/** The order in which a segment lists its pieces. */
export const comparePieces = (a: Piece, b: Piece): number =>
  compare(a.file, b.file) || a.from - b.from;

export const sumBytes = (ranges: readonly Pick<Gap, "from" | "to">[]): number =>
  sumBy(ranges, ({ from, to }) => to - from);

function stateOf({ day, generation, path }: DayFile): FileState {
  const number = String(generation).padStart(GENERATION_DIGITS, "0");
  const { size: bytes } = statSync(path);
  const head = withFile(path, (file) => readAt(file, 0, HEAD_BYTES));
  const key = `${day}.${number} ${crc32(head)}`;
  return { key, day, path, bytes };
}

function readGap(
  gap: Gap,
  room: number,
): { readonly lines: Lines | undefined; readonly left: Gap | undefined } {
  const { file, from, to } = gap;
  const read = ignoreMissing(() => withFile(file.path, (open) => readWholeLines(open, gap, room)));
  // The file was purged. The next look finds the one that replaced it.
  if (read === undefined) {
    return { lines: undefined, left: gap };
  }
  const { bytes, textBytes } = firstLines(read.bytes, room);
  const end = from + bytes.length;
  const piece = { file: file.key, from, to: end };
  // At most a torn line is left.
  const isFinished = read.reachesEnd && bytes.length === read.bytes.length;
  return {
    lines: bytes.length > 0 ? { piece, bytes, textBytes } : undefined,
    left: isFinished || end === to ? undefined : { file, from: end, to },
  };
}

/** Reads about `room` bytes up to the end of a line. `reachesEnd` if only a torn line may follow in the gap. */
function readWholeLines(
  file: number,
  { from, to }: Gap,
  room: number,
): { readonly bytes: Buffer; readonly reachesEnd: boolean } {
  for (let length = Math.min(room, to - from); ; length = Math.min(2 * length, to - from)) {
    const bytes = readAt(file, from, length);
    const end = bytes.lastIndexOf("\n") + 1;
    const reachesEnd = length === to - from;
    if (end > 0 || reachesEnd) {
      return { bytes: bytes.subarray(0, end), reachesEnd };
    }
  }
}

/** The first of these lines, at least one, up to about `maxBytes` of events. */
function firstLines(all: Buffer, maxBytes: number): Pick<Lines, "bytes" | "textBytes"> {
  let textBytes = 0;
  for (const line of linesOf(all)) {
    const size = line.length + hiddenBytes(line);
    if (textBytes > 0 && textBytes + size > maxBytes) {
      return { bytes: all.subarray(0, line.byteOffset - all.byteOffset), textBytes };
    }
    textBytes += size;
  }
  return { bytes: all, textBytes };
}

/** The size of the whole texts behind a line. Most lines are too short to have any. */
function hiddenBytes(line: Buffer): number {
  const event = line.length < LEAST_CUT_BYTES ? undefined : readEventLine(line);
  return event === undefined ? 0 : bytesBehind(event);
}
