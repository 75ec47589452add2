/** Writes and removes segments, one process at a time; others keep reading. (docs/design/sessions.md, "The index") */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { faultPoint } from "../../../ground/files/fault-points.ts";
import { ignoreMissing } from "../../../ground/files/file-errors.ts";
import { withLock } from "../../../ground/files/lock.ts";
import { writePrivateFile } from "../../../ground/files/private-file.ts";
import { STAGING } from "../../../ground/files/sidecar-names.ts";
import type { LogFiles } from "../log-files.ts";
import { purgedBy } from "../purged-list.ts";
import { buildSegment } from "./build-segment.ts";
import { areCurrent, findGaps, listFiles, overlapAny, piecesOf, readNewest } from "./coverage.ts";
import {
  type BuiltSegment,
  encodeSegment,
  readHeader,
  SEGMENT_SUFFIX,
  type SegmentHeader,
} from "./segment.ts";

/** The lock is named after it. No such file is made. */
const LOCKED = "update";
/** Removing purged words may wait for a step of another process, and no step takes this long. */
const REMOVAL_PATIENCE_MS = 60_000;
const KILOBYTE = 1024;
/** A segment has about this much of events, whole texts included. */
export const SEGMENT_BYTES = 8 * KILOBYTE * KILOBYTE;
/** A segment that is smaller than this is indexed again with the events that come after it. */
export const TINY_BYTES = 256 * KILOBYTE;
/** So are those that are smaller than this, once they have half the size of a whole one together. */
const SMALL_BYTES = SEGMENT_BYTES / 4;

export interface SegmentFile extends SegmentHeader {
  readonly name: string;
}

export const indexFolder = (files: LogFiles): string => join(files.folder, "index", "search");

/** The names of the segments in a folder, which need not exist. */
export function segmentNames(folder: string): string[] {
  const names = ignoreMissing(() => readdirSync(folder)) ?? [];
  return names.filter((name) => name.endsWith(SEGMENT_SUFFIX)).sort();
}

/** Returns what the segments in a folder cover, without opening the rest of them. */
export function readHeaders(folder: string): SegmentFile[] {
  return segmentNames(folder).flatMap((name) => {
    const header = readHeader(join(folder, name));
    return header === undefined ? [] : { name, ...header };
  });
}

/**
 * Writes a segment of the newest events that have none, up to about `maxBytes`.
 * @returns whether there are more. @throws SentinelError `lock_timeout`; the file system's error.
 */
export async function updateIndex(files: LogFiles, maxBytes: number): Promise<boolean> {
  if (files.days.list().length === 0) return false;
  makeFolders(files);
  return withIndexLock(files, 0, () => writeNextSegment(files, maxBytes));
}

/** Removes the segments with words of purged or dropped events. */
export async function removeStale(files: LogFiles): Promise<void> {
  await removing(files, () => true);
  faultPoint("index-forgotten");
}

/** Removes the segments of days whose artifacts were dropped. Their events are indexed again. */
export function removeDays(files: LogFiles, days: ReadonlySet<string>): Promise<void> {
  return removing(files, ({ pieces }) => !pieces.some(({ file }) => days.has(file.slice(0, 10))));
}

/** Removes a segment that can't be read. */
export function removeSegment(files: LogFiles, damaged: string): Promise<void> {
  return removing(files, ({ name }) => name !== damaged, 0);
}

async function removing(
  files: LogFiles,
  isKept: (segment: SegmentFile) => boolean,
  patienceMs = REMOVAL_PATIENCE_MS,
): Promise<void> {
  if (existsSync(indexFolder(files)))
    await withIndexLock(files, patienceMs, async () => {
      keepUsable(files, isKept);
    });
}

async function writeNextSegment(files: LogFiles, maxBytes: number): Promise<boolean> {
  const now = listFiles(files.days);
  const segments = keepUsable(files);
  const missing = readNewest(findGaps(now, piecesOf(segments)), maxBytes);
  if (missing.lines.length === 0) return false;
  const joined = segmentsToJoin(segments);
  const others = piecesOf(segments.filter((segment) => !joined.includes(segment)));
  const later = missing.left.map(({ file, from, to }) => ({ file: file.key, from, to }));
  const { lines } = readNewest(findGaps(now, [...others, ...later]), Number.POSITIVE_INFINITY);
  const { pending } = await files.purged.read();
  const built = ignoreMissing(() => buildSegment(lines, files.artifacts, purgedBy(pending)));
  // A purge replaced a file meanwhile: the next step reads the new one.
  if (built === undefined || lines.length === 0) return true;
  writeSegment(indexFolder(files), built, joined);
  return missing.left.length > 0;
}

/** Returns the segments whose events are indexed again with the missing ones, so that there are few segments. */
function segmentsToJoin(segments: readonly SegmentFile[]): SegmentFile[] {
  const small = segments.filter(({ textBytes }) => textBytes < SMALL_BYTES);
  const bytes = small.reduce((sum, { textBytes }) => sum + textBytes, 0);
  if (bytes >= SEGMENT_BYTES / 2) return small;
  return small.filter(({ textBytes }) => textBytes < TINY_BYTES);
}

/** Writes a segment, and removes those whose events are in it now. */
function writeSegment(folder: string, built: BuiltSegment, joined: readonly SegmentFile[]): void {
  const path = join(folder, `${randomBytes(8).toString("hex")}${SEGMENT_SUFFIX}`);
  const staging = `${path}${STAGING}segment`;
  writePrivateFile(path, encodeSegment(built), staging, "index-segment-staged");
  faultPoint("index-segment-written");
  for (const { name } of joined) rmSync(join(folder, name), { force: true });
}

/**
 * Removes all files but the lock and the segments that can be used: not damaged, of this version,
 * and with the events that the day files still contain. @returns these segments.
 */
function keepUsable(
  files: LogFiles,
  isKept: (segment: SegmentFile) => boolean = () => true,
): SegmentFile[] {
  const folder = indexFolder(files);
  const now = listFiles(files.days);
  const current = readHeaders(folder).filter(({ pieces }) => areCurrent(pieces, now));
  const usable = current.filter((one) => isKept(one) && !isReplaced(one, current));
  const names = new Set(usable.map(({ name }) => name));
  for (const name of readdirSync(folder))
    if (!names.has(name) && !name.startsWith(LOCKED))
      rmSync(join(folder, name), { recursive: true, force: true });
  return usable;
}

/** A process that was killed may have left a segment that a larger one replaces. */
function isReplaced(segment: SegmentFile, all: readonly SegmentFile[]): boolean {
  return all.some(
    (other) => other.textBytes > segment.textBytes && overlapAny(other.pieces, segment.pieces),
  );
}

/** Doesn't make the folder of the session log: one that was deleted meanwhile must not come back. */
function makeFolders(files: LogFiles): void {
  const folder = indexFolder(files);
  for (const path of [dirname(folder), folder])
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
}

function withIndexLock<Result>(
  files: LogFiles,
  patienceMs: number,
  act: () => Promise<Result>,
): Promise<Result> {
  return withLock(join(indexFolder(files), LOCKED), act, patienceMs);
}
