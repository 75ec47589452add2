/** Finds the bytes of the day files that aren't indexed yet, and reads their lines. */
import { statSync } from "node:fs";
import { crc32 } from "node:zlib";
import { groupBy, sumBy } from "../../../ground/core/collections.ts";
import { linesOf } from "../../../ground/files/append-log.ts";
import { ignoreMissing } from "../../../ground/files/file-errors.ts";
import { readAt, withFile } from "../../../ground/files/read-files.ts";
import { LEAST_CUT_BYTES } from "../../storing/cut-content.ts";
import { bytesBehind } from "../../storing/event-texts.ts";
import { type DayFile, type DayFiles, whileReplaced } from "../day-files.ts";
import { readEventLine } from "../event-line.ts";

/** The id of the first event is in these bytes. */
const HEAD_BYTES = 64;

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

/** Indexed bytes of a day file, from the beginning of a line to the end of one. */
export interface Indexed {
  /** The key of the file. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
  /** The size of the events, whole texts in artifacts included. */
  readonly textBytes: number;
}

/** The bytes at the end of a day file that aren't indexed. */
export interface Gap {
  readonly file: FileState;
  readonly from: number;
  readonly to: number;
  /** Where to begin reading: before `from` if the small segment there is written again with more. */
  readonly start: number;
}

export interface Lines extends Indexed {
  readonly bytes: Buffer;
}

/** Lists the day files. @throws the file system's error. */
export function listFiles(days: Pick<DayFiles, "list">): Promise<Files> {
  return whileReplaced(async () => {
    const states = days.list().map(stateOf);
    return new Map(states.map((file) => [file.key, file]));
  });
}

/** The segments that count: those of the current files, each from the end of the one before it. */
export function usable<Segment extends Indexed>(
  segments: readonly Segment[],
  files: Files,
): Segment[] {
  const byFile = groupBy(segments, ({ file }) => file);
  const found: Segment[] = [];
  for (const { key, bytes } of files.values()) {
    const own = byFile.get(key) ?? [];
    let end = 0;
    for (const segment of own.sort((a, b) => a.from - b.from || b.to - a.to)) {
      if (segment.from > end || segment.to <= end || segment.to > bytes) continue;
      found.push(segment);
      end = segment.to;
    }
  }
  return found;
}

/** The bytes that no segment covers, the newest day first. @param smallBytes smaller segments are written again with the bytes after them. */
export function findGaps(files: Files, segments: readonly Indexed[], smallBytes = 0): Gap[] {
  const lastOfFile = new Map(segments.map((segment) => [segment.file, segment]));
  const gaps: Gap[] = [];
  for (const file of files.values()) {
    const last = lastOfFile.get(file.key);
    const from = last?.to ?? 0;
    const start = last && last.textBytes < smallBytes ? last.from : from;
    if (from < file.bytes) gaps.push({ file, from, to: file.bytes, start });
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
    const { file, start, to } = gap;
    const read = room > 0 ? readGap(gap, room) : undefined;
    // The file was purged, or there is no room. The next look finds the file that replaced it.
    if (read === undefined) {
      left.push(gap);
      continue;
    }
    const { bytes, textBytes, isAll } = read;
    const end = start + bytes.length;
    if (bytes.length > 0) lines.push({ file: file.key, from: start, to: end, textBytes, bytes });
    if (!isAll) left.push({ file, from: end, to, start: end });
    room -= textBytes;
  }
  return { lines, left };
}

export const sumBytes = (gaps: readonly Gap[]): number => sumBy(gaps, ({ from, to }) => to - from);

function stateOf({ day, name, path }: DayFile): FileState {
  const { size: bytes } = statSync(path);
  const head = withFile(path, (file) => readAt(file, 0, HEAD_BYTES));
  return { key: `${name}.${crc32(head)}`, day, path, bytes };
}

/** `isAll` if at most a torn line follows. Undefined if the file is missing. */
function readGap(gap: Gap, room: number) {
  const read = ignoreMissing(() =>
    withFile(gap.file.path, (file) => readWholeLines(file, gap, room)),
  );
  if (read === undefined) return undefined;
  const lines = firstLines(read.bytes, gap.from - gap.start, room);
  return { ...lines, isAll: read.reachesEnd && lines.bytes.length === read.bytes.length };
}

/** Reads about `room` bytes more than were indexed, up to the end of a line. */
function readWholeLines(file: number, { start, from, to }: Gap, room: number) {
  for (let length = from - start + room; ; length *= 2) {
    const bytes = readAt(file, start, Math.min(length, to - start));
    const end = bytes.lastIndexOf("\n") + 1;
    const reachesEnd = start + length >= to;
    if (end > from - start || reachesEnd) return { bytes: bytes.subarray(0, end), reachesEnd };
  }
}

/** The first of these lines, up to about `maxBytes` of events, but at least the one at `least`. */
function firstLines(all: Buffer, least: number, maxBytes: number) {
  let textBytes = 0;
  for (const line of linesOf(all)) {
    const size = line.length + hiddenBytes(line);
    const at = line.byteOffset - all.byteOffset;
    if (at > least && textBytes + size > maxBytes) return { bytes: all.subarray(0, at), textBytes };
    textBytes += size;
  }
  return { bytes: all, textBytes };
}

/** The size of the whole texts behind a line. Most lines are too short to have any. */
function hiddenBytes(line: Buffer): number {
  const event = line.length < LEAST_CUT_BYTES ? undefined : readEventLine(line);
  return event === undefined ? 0 : bytesBehind(event);
}
