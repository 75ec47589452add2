/** Writes and removes segments, one process at a time. Others keep reading. (docs/design/sessions.md, "The index") */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { faultPoint } from "../../../ground/files/fault-points.ts";
import { withLock } from "../../../ground/files/lock.ts";
import { writePrivateFile } from "../../../ground/files/private-file.ts";
import { STAGING } from "../../../ground/files/sidecar-names.ts";
import type { LogFiles } from "../log-files.ts";
import { purgedBy } from "../purged-list.ts";
import { type Built, buildSegment } from "./build-segment.ts";
import {
  type CoveredFile,
  coverage,
  gapsIn,
  indexFolder,
  type StoredSegment,
  segmentName,
} from "./coverage.ts";
import { encodeSegment } from "./segment.ts";

/** The name of the lock. No file of this name is created. */
const LOCKED = "update";
/** Removing purged words may wait for a step of another process, and no step takes this long. */
const REMOVAL_PATIENCE_MS = 60_000;
const MEGABYTE = 1024 * 1024;
/** The most events in a segment, whole texts included. */
export const SEGMENT_BYTES = 8 * MEGABYTE;
/** A smaller segment is made again with the events after it, so that there are few segments. */
const SMALL_BYTES = MEGABYTE;

/**
 * Writes segments of the newest events without one, up to about `mostBytes`.
 * @returns whether there are more. @throws SentinelError `lock_timeout` or `old_format`, or the file system's error.
 */
export async function updateIndex(files: LogFiles, mostBytes: number): Promise<boolean> {
  if (files.days.list().length === 0) return false;
  makeFolders(files);
  return withIndexLock(files, 0, () => writeNextSegments(files, mostBytes));
}

/** Removes the segments with words of purged or dropped events. */
export async function removeStale(files: LogFiles): Promise<void> {
  await removeUnless(files, () => true);
  faultPoint("index-forgotten");
}

/** Removes the segments of days whose artifacts were dropped. Their events are indexed again. */
export function removeDays(files: LogFiles, days: ReadonlySet<string>): Promise<void> {
  return removeUnless(files, ({ day }) => !days.has(day));
}

/** Removes the segments of a day file, because one of them is damaged or doesn't fit the file. Needs no lock, since it only makes an update index them again. */
export function removeSegmentsOf(files: LogFiles, file: string): void {
  const folder = indexFolder(files);
  for (const name of readdirSync(folder))
    if (name.startsWith(`${file}_`)) rmSync(join(folder, name), { force: true });
}

async function writeNextSegments(files: LogFiles, mostBytes: number): Promise<boolean> {
  const covered = coverage(files);
  removeOthers(files, covered);
  const isPurged = purgedBy((await files.purged.read()).pending);
  const last = new Map(covered.map(({ file, segments }) => [file, segments.at(-1)]));
  let room = mostBytes;
  for (const gap of gapsIn(covered)) {
    if (room <= 0) return true;
    const before = last.get(gap.file);
    const small = before !== undefined && before.textBytes < SMALL_BYTES ? before : undefined;
    const indexing = { artifacts: files.artifacts, isPurged, mostBytes: room };
    const built = buildSegment(gap, small?.from ?? gap.from, indexing);
    // Only a torn last line is left.
    if (built.segment.range.to <= gap.from) continue;
    writeSegment(files, built, small);
    if (built.left !== undefined) return true;
    room -= built.textBytes;
  }
  return false;
}

/** @param replaced a segment whose events the new one has, too. */
function writeSegment(
  files: LogFiles,
  { segment, textBytes }: Built,
  replaced: StoredSegment | undefined,
): void {
  const folder = indexFolder(files);
  const name = segmentName(segment.range, textBytes, randomBytes(8).toString("hex"));
  const path = join(folder, name);
  writePrivateFile(
    path,
    encodeSegment(segment),
    `${path}${STAGING}segment`,
    "index-segment-staged",
  );
  faultPoint("index-segment-written");
  if (replaced !== undefined) rmSync(join(folder, replaced.name), { force: true });
}

/** Removes the segments of some day files, and everything that `removeOthers` does. */
async function removeUnless(
  files: LogFiles,
  isKept: (covered: CoveredFile) => boolean,
): Promise<void> {
  if (!existsSync(indexFolder(files))) return;
  await withIndexLock(files, REMOVAL_PATIENCE_MS, async () => {
    removeOthers(files, coverage(files).filter(isKept));
  });
}

/** Removes all files but the lock and the segments of these day files. */
function removeOthers(files: LogFiles, kept: readonly CoveredFile[]): void {
  const folder = indexFolder(files);
  const names = new Set(kept.flatMap(({ segments }) => segments.map(({ name }) => name)));
  for (const name of readdirSync(folder))
    if (!names.has(name) && !name.startsWith(LOCKED))
      rmSync(join(folder, name), { recursive: true, force: true });
}

/** Makes the folders of the index, but not the session log's, because it may have been deleted meanwhile and must not come back. */
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
