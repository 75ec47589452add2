/** Finds the bytes of the day files that aren't indexed yet, and reads their lines. */
import { statSync } from "node:fs";
import { groupBy } from "../../../ground/core/group-by.ts";
import { linesOf } from "../../../ground/files/append-log.ts";
import { hasCode, ignoreMissing } from "../../../ground/files/file-errors.ts";
import { readAt, withFile } from "../../../ground/files/open-file.ts";
import { bytesBehind, LEAST_CUT_BYTES } from "../../storing/hidden-texts.ts";
import type { DayFile, DayFiles } from "../day-files.ts";
import { readEventLine } from "../event-line.ts";

const LINE_FEED = 0x0a;
/** A purge of every day takes longer than this many listings. */
const MAX_LIST_TRIES = 20;
/** Where the first event of a file is looked for: mostly it begins in the first number of bytes. */
const HEAD_BYTES = 1_024;
const MAX_HEAD_BYTES = 64 * HEAD_BYTES;
const FIRST_ULID = /(?:^|\n)\{"id":"evt_([0-9A-Z]{26})/;
/** Keys sort by number as texts. */
const GENERATION_DIGITS = 9;

/** A day file as it is at one moment. */
export interface FileState {
  /**
   * Day, generation and first event. A day that was deleted and recorded again gets the name of
   * the old file, so the name alone doesn't identify its bytes.
   */
  readonly key: string;
  /** `2026-11-21`. */
  readonly day: string;
  readonly path: string;
  readonly bytes: number;
}

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
  readonly path: string;
  readonly bytes: Buffer;
  /** The size of the events, whole texts in artifacts included. */
  readonly textBytes: number;
}

/** Lists the day files by key, the earliest first. @throws the file system's error. */
export function listFiles(days: Pick<DayFiles, "list">): ReadonlyMap<string, FileState> {
  for (let tries = 1; ; tries++) {
    try {
      return new Map(
        days
          .list()
          .map(stateOf)
          .map((file) => [file.key, file]),
      );
    } catch (error) {
      // A purge renamed or removed a file after it was listed.
      if (!hasCode(error, "ENOENT") || tries === MAX_LIST_TRIES) throw error;
    }
  }
}

/** Returns the bytes that no piece covers, the newest day first. */
export function findGaps(files: ReadonlyMap<string, FileState>, covered: readonly Piece[]): Gap[] {
  const byFile = groupBy(covered, ({ file }) => file);
  const gaps: Gap[] = [];
  for (const file of files.values()) {
    const pieces = [...(byFile.get(file.key) ?? [])].sort((a, b) => a.from - b.from);
    let end = 0;
    for (const { from, to } of pieces) {
      if (from > end) gaps.push({ file, from: end, to: from });
      end = Math.max(end, to);
    }
    if (end < file.bytes) gaps.push({ file, from: end, to: file.bytes });
  }
  return gaps.reverse();
}

/**
 * Reads the last lines of the gaps, up to about `maxBytes` of events, whole texts included.
 * A longer line is read whole. @returns also the gaps that remain, without torn last lines.
 */
export function readNewest(
  gaps: readonly Gap[],
  maxBytes: number,
): { readonly lines: Lines[]; readonly left: Gap[] } {
  const lines: Lines[] = [];
  const left: Gap[] = [];
  let room = maxBytes;
  for (const gap of gaps) {
    const last = room > 0 ? readLastLines(gap, room) : undefined;
    if (last === undefined) {
      left.push(gap);
      continue;
    }
    if (gap.from < last.piece.from) left.push({ ...gap, to: last.piece.from });
    if (last.bytes.length > 0) lines.push(last);
    room -= last.textBytes;
  }
  return { lines, left };
}

/** Says whether the files still hold these bytes. */
export function areCurrent(
  pieces: readonly Piece[],
  files: ReadonlyMap<string, FileState>,
): boolean {
  return pieces.every(({ file, to }) => (files.get(file)?.bytes ?? -1) >= to);
}

const overlap = (a: Piece, b: Piece): boolean =>
  a.file === b.file && a.from < b.to && b.from < a.to;

/** Says whether any bytes are in both lists. */
export const overlapAny = (some: readonly Piece[], others: readonly Piece[]): boolean =>
  some.some((piece) => others.some((other) => overlap(piece, other)));

export const piecesOf = (covering: readonly { readonly pieces: readonly Piece[] }[]): Piece[] =>
  covering.flatMap(({ pieces }) => pieces);

export const bytesOf = (ranges: readonly Pick<Piece, "from" | "to">[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from, 0);

function stateOf({ day, generation, path }: DayFile): FileState {
  const { size, ino, birthtimeMs } = statSync(path);
  const number = String(generation).padStart(GENERATION_DIGITS, "0");
  const first = firstUlid(path, `${path} ${ino} ${birthtimeMs}`);
  return { key: `${day}.${number} ${first}`, day, path, bytes: size };
}

/** The first events of files, by path, inode and time of birth: the beginning of a file never changes. */
const knownFirsts = new Map<string, string>();

/** Returns the ULID of the first event; empty if there is none yet. */
function firstUlid(path: string, identity: string): string {
  const known = knownFirsts.get(identity);
  if (known !== undefined) return known;
  for (let length = HEAD_BYTES; length <= MAX_HEAD_BYTES; length *= 8) {
    const head = withFile(path, (file) => readAt(file, 0, length)).toString("latin1");
    const first = FIRST_ULID.exec(head)?.[1];
    if (first === undefined) continue;
    knownFirsts.set(identity, first);
    return first;
  }
  return "";
}

/** Reads the last whole lines of a gap. @returns undefined if the file is gone. */
function readLastLines({ file, from, to }: Gap, maxBytes: number): Lines | undefined {
  for (let length = Math.min(maxBytes, to - from); ; length = Math.min(2 * length, to - from)) {
    const bytes = ignoreMissing(() =>
      withFile(file.path, (open) => readAt(open, to - length, length)),
    );
    if (bytes === undefined) return undefined;
    const isAll = length === to - from;
    const start = isAll ? 0 : bytes.indexOf(LINE_FEED) + 1;
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    // The bytes hold no whole line, because one is longer than the limit.
    if (end <= start && !isAll) continue;
    const last = lastWithin(bytes.subarray(start, Math.max(start, end)), maxBytes);
    const pieceEnd = to - length + end;
    const piece = { file: file.key, from: pieceEnd - last.bytes.length, to: pieceEnd };
    return { piece, path: file.path, ...last };
  }
}

/** Returns the last of these lines, at least one, up to about `maxBytes` of events. */
function lastWithin(lines: Buffer, maxBytes: number): Pick<Lines, "bytes" | "textBytes"> {
  let textBytes = 0;
  for (const line of linesOf(lines).reverse()) {
    const size = line.length + hiddenBytes(line);
    if (textBytes > 0 && textBytes + size > maxBytes) {
      const end = line.byteOffset - lines.byteOffset + line.length + 1;
      return { bytes: lines.subarray(end), textBytes };
    }
    textBytes += size;
  }
  return { bytes: lines, textBytes };
}

/** Returns the size of the whole texts behind a line. Most lines are too short to have any. */
function hiddenBytes(line: Buffer): number {
  const event = line.length < LEAST_CUT_BYTES ? undefined : readEventLine(line);
  return event === undefined ? 0 : bytesBehind(event);
}
