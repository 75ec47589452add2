/** Writes and removes segments, one process at a time. Others keep reading. (docs/design/sessions.md, "The index") */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { faultPoint } from "../../../ground/files/fault-points.ts";
import { ignoreMissing } from "../../../ground/files/file-errors.ts";
import { withLock } from "../../../ground/files/lock.ts";
import { writePrivateFile } from "../../../ground/files/private-file.ts";
import { STAGING } from "../../../ground/files/replace-file.ts";
import type { LogFiles } from "../log-files.ts";
import { purgedBy } from "../purged-list.ts";
import { buildSegment } from "./build-segment.ts";
import {
  areCurrent,
  comparePieces,
  type Files,
  findGaps,
  type Lines,
  listFiles,
  type Piece,
  readGaps,
} from "./coverage.ts";
import {
  coveredBy,
  encodeSegment,
  SEGMENT_SUFFIX,
  type Segment,
  tryOpenSegment,
} from "./segment.ts";

/** The name of the lock. No file of this name is created. */
const LOCKED = "update";
/** Removing purged words may wait for a step of another process, and no step takes this long. */
const REMOVAL_PATIENCE_MS = 60_000;
const MEGABYTE = 1024 * 1024;
/** The most events in a segment, whole texts included. */
export const SEGMENT_BYTES = 8 * MEGABYTE;
/** A smaller segment is merged with the events after it, so that there are few segments. */
const SMALL_BYTES = MEGABYTE;

export const indexFolder = (files: LogFiles): string => join(files.folder, "index", "search");

/** The names of the segments in a folder, which need not exist. */
export function segmentNames(folder: string): string[] {
  const names = ignoreMissing(() => readdirSync(folder)) ?? [];
  return names.filter((name) => name.endsWith(SEGMENT_SUFFIX)).sort();
}

/** The segments that aren't damaged, and whose events the day files still contain. */
export function usableSegments(files: LogFiles, now: Files): Segment[] {
  const folder = indexFolder(files);
  return segmentNames(folder)
    .map((name) => tryOpenSegment(join(folder, name)))
    .filter((segment) => segment !== undefined)
    .filter(({ header }) => areCurrent(header.pieces, now));
}

/**
 * Writes a segment of the newest events without one, up to about `maxBytes`.
 * @returns whether there are more. @throws SentinelError `lock_timeout`, or the file system's error.
 */
export async function updateIndex(files: LogFiles, maxBytes: number): Promise<boolean> {
  if (files.days.list().length === 0) {
    return false;
  }
  makeFolders(files);
  return withIndexLock(files, 0, () => writeNextSegment(files, maxBytes));
}

/** Removes the segments with words of purged or dropped events. */
export async function removeStaleSegments(files: LogFiles): Promise<void> {
  await removeSegments(files, () => false);
  faultPoint("index-forgotten");
}

/** Removes the segments of days whose artifacts were dropped. Their events are indexed again. */
export function removeSegmentsOfDays(files: LogFiles, days: ReadonlySet<string>): Promise<void> {
  const isOnDay = ({ file }: Piece) => days.has(dayOf(file));
  return removeSegments(files, ({ header }) => header.pieces.some(isOnDay));
}

/** Removes a segment that can't be read. */
export function removeSegment(files: LogFiles, damaged: string): Promise<void> {
  return removeSegments(files, ({ name }) => name === damaged, 0);
}

/** Removes some segments, and everything that `keepUsable` does. */
async function removeSegments(
  files: LogFiles,
  isRemoved: (segment: Segment) => boolean,
  patienceMs = REMOVAL_PATIENCE_MS,
): Promise<void> {
  if (!existsSync(indexFolder(files))) {
    return;
  }
  await withIndexLock(files, patienceMs, async () => {
    keepUsable(files, isRemoved);
  });
}

async function writeNextSegment(files: LogFiles, maxBytes: number): Promise<boolean> {
  const segments = keepUsable(files);
  const full = segments.filter(({ header }) => header.textBytes >= SMALL_BYTES);
  const small = segments.filter((segment) => !full.includes(segment));
  const { lines, left } = readGaps(findGaps(listFiles(files.days), coveredBy(full)), maxBytes);
  if (coverSame(lines, small)) {
    return false;
  }
  const { pending } = await files.purged.read();
  const built = buildSegment(lines, files.artifacts, purgedBy(pending));
  const folder = indexFolder(files);
  const path = join(folder, `${randomBytes(8).toString("hex")}${SEGMENT_SUFFIX}`);
  writePrivateFile(path, encodeSegment(built), `${path}${STAGING}segment`, "index-segment-staged");
  faultPoint("index-segment-written");
  for (const { name } of small) {
    rmSync(join(folder, name ?? ""), { force: true });
  }
  return left.length > 0;
}

/** Whether one segment, or none, already has all of these lines. */
function coverSame(lines: readonly Lines[], segments: readonly Segment[]): boolean {
  const wanted = lines.map(({ piece }) => piece).sort(comparePieces);
  const present: readonly Piece[] = segments[0]?.header.pieces ?? [];
  return segments.length < 2 && JSON.stringify(wanted) === JSON.stringify(present);
}

/**
 * Removes all files but the lock and the segments that can be used: not damaged, of this version,
 * and with the events that the day files still contain. @returns these segments.
 */
function keepUsable(
  files: LogFiles,
  isRemoved: (segment: Segment) => boolean = () => false,
): Segment[] {
  const folder = indexFolder(files);
  const usable = usableSegments(files, listFiles(files.days));
  const segments = usable.filter((segment) => !isRemoved(segment));
  const kept = new Set<string | undefined>(segments.map(({ name }) => name));
  for (const name of readdirSync(folder)) {
    if (!kept.has(name) && !name.startsWith(LOCKED)) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
  return segments;
}

/** The day in the key of a file. */
const dayOf = (file: string): string => file.slice(0, "2026-11-21".length);

/** Makes the folders of the index, but not the session log's, because it may have been deleted meanwhile and must not come back. */
function makeFolders(files: LogFiles): void {
  const folder = indexFolder(files);
  for (const path of [dirname(folder), folder]) {
    if (!existsSync(path)) {
      mkdirSync(path, { mode: 0o700 });
    }
  }
}

function withIndexLock<Result>(
  files: LogFiles,
  patienceMs: number,
  act: () => Promise<Result>,
): Promise<Result> {
  return withLock(join(indexFolder(files), LOCKED), act, patienceMs);
}
