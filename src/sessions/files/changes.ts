/** Changes since a cursor: how far each file was read. A file of a segment that was rewritten takes its segment along. */
import { fstatSync, readSync, statSync } from "node:fs";
import { crc32 } from "node:zlib";
import { ignoreMissing } from "../../ground/files/file-errors.ts";
import { fileStamp } from "../../ground/files/file-stamp.ts";
import { readAt, withFile } from "../../ground/files/open-file.ts";
import { countRead } from "../../ground/files/read-count.ts";
import type { Event } from "../kinds/event.ts";
import type { Changes } from "../resume/recent.ts";
import type { DayFile } from "./day-files.ts";
import { eventLinesOf, eventsOf } from "./event-line.ts";
import type { LogFiles } from "./log-files.ts";
import { purgedBy } from "./purged-list.ts";

const LINE_FEED = 0x0a;
/** Of files, in one answer; a longer line is read whole. */
const MOST_BYTES = 8 * 1024 * 1024;

/** The id in a line ends before this. */
const HEAD_BYTES = 64;
const TAIL_BYTES = 512;

/** By segment, which file it was, by its inode, the bytes that were read, and the sum of the ends of these. */
type Position = readonly [inode: string, bytes: number, sum: number];

export interface ChangesRange {
  /** ISO 8601: only segments with events from that day on. Those that come before it are gone for who read them. */
  readonly from?: string;
  /** About the most that is read; there may be more. */
  readonly bytes?: number;
}

/** From the beginning without a cursor, which is one of these files. */
export async function changesSince(
  { days, purged }: LogFiles,
  since?: string,
  { from = "", bytes = MOST_BYTES }: ChangesRange = {},
): Promise<Changes> {
  const before: Record<string, Position> = since === undefined ? {} : JSON.parse(since);
  const positions: Record<string, Position> = {};
  const { pending } = await purged.read();
  const isPending = purgedBy(pending);
  const gone: string[] = [];
  const added: { segment: string; events: Event[] }[] = [];
  let left = bytes;
  let more = false;
  for (const file of days.list(from.slice(0, 10))) {
    const segment = file.name;
    const read = left > 0 ? readFrom(file, before[segment], left) : undefined;
    if (read === undefined) {
      if (before[segment]) positions[segment] = before[segment];
      continue;
    }
    left -= read.bytes;
    more ||= read.isLimited || left <= 0;
    positions[segment] = read.position;
    if (read.isAnother) gone.push(segment);
    const events = read.events.filter((event) => !isPending(event));
    if (events.length > 0) added.push({ segment, events });
  }
  gone.push(...Object.keys(before).filter((segment) => positions[segment] === undefined));
  return { gone, added, cursor: JSON.stringify(positions), more };
}

/** Whole lines from a position on; undefined when the file has gone. */
function readFrom(file: DayFile, from: Position | undefined, most: number) {
  if (from && isUnchanged(file.path, from))
    return { isAnother: false, bytes: 0, events: [], isLimited: false, position: from };
  return ignoreMissing(() =>
    withFile(file.path, (descriptor) => readOn(descriptor, file.path, from, most)),
  );
}

function readOn(descriptor: number, path: string, from: Position | undefined, most: number) {
  const { ino, size, ctimeNs } = fstatSync(descriptor, { bigint: true });
  const isSame =
    from?.[0] === String(ino) &&
    from[1] <= Number(size) &&
    from[2] === sumOfEnds(descriptor, from[1]);
  const start = isSame ? from[1] : 0;
  countRead(Number(size) - start);
  const { bytes, isLimited } = wholeLines(descriptor, start, Number(size), most);
  const end = start + bytes.length;
  const position: Position = [String(ino), end, sumOfEnds(descriptor, end)];
  if (end === Number(size)) readWhole.set(path, `${fileStamp({ ino, size, ctimeNs })} ${position}`);
  const events = eventsOf(eventLinesOf(bytes), path);
  return {
    isAnother: from !== undefined && !isSame,
    bytes: bytes.length,
    events,
    isLimited,
    position,
  };
}

/** By path, how a file was when it was last read to its end, and up to where: one that is as it was need not be opened. */
const readWhole = new Map<string, string>();

function isUnchanged(path: string, position: Position): boolean {
  const known = readWhole.get(path);
  if (known === undefined) return false;
  const info = statSync(path, { bigint: true, throwIfNoEntry: false });
  return info !== undefined && known === `${fileStamp(info)} ${position}`;
}

function wholeLines(descriptor: number, start: number, size: number, most: number) {
  for (let length = Math.min(most, size - start); ; length = Math.min(2 * length, size - start)) {
    const bytes = Buffer.alloc(Math.max(0, length));
    const read = bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, start));
    const end = read.lastIndexOf(LINE_FEED) + 1;
    const isLimited = start + length < size;
    if (end > 0 || !isLimited) return { bytes: read.subarray(0, end), isLimited };
  }
}

/** A checksum of the ends of the first bytes: a day that was dropped and recorded again may get its name and its inode. */
function sumOfEnds(file: number, bytes: number): number {
  const tailFrom = Math.max(0, bytes - TAIL_BYTES);
  const head = readAt(file, 0, Math.min(HEAD_BYTES, bytes));
  return crc32(readAt(file, tailFrom, bytes - tailFrom), crc32(head));
}
