/** Writes and removes segments, one process at a time. Others keep reading. (docs/design/sessions.md, "The index") */
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
import { type Files, findGaps, type Indexed, listFiles, readGaps, usable } from "./coverage.ts";
import { encodeSegment, VERSION } from "./segment.ts";

/** The name of the lock. No file of this name is created. */
const LOCKED = "update";
/** Removing purged words may wait for a step of another process, and no step takes this long. */
const REMOVAL_PATIENCE_MS = 60_000;
const MEGABYTE = 1024 * 1024;
/** The most events in a segment, whole texts included. */
export const SEGMENT_BYTES = 8 * MEGABYTE;
/** A smaller segment is written again with the events after it, so that there are few segments. */
const SMALL_BYTES = MEGABYTE;
const NAME = new RegExp(`^(.+)_(\\d+)_(\\d+)_(\\d+)\\.v${VERSION}\\.words$`);

export const indexFolder = (files: LogFiles): string => join(files.folder, "index", "search");

/** The name of a segment's file, which contains the bytes that it covers. */
export const segmentName = ({ file, from, to, textBytes }: Indexed): string =>
  `${file}_${from}_${to}_${textBytes}.v${VERSION}.words`;

/** The segments on the disk that count, without opening them. */
export function segmentsIn(folder: string, now: Files): Indexed[] {
  const names = ignoreMissing(() => readdirSync(folder)) ?? [];
  const segments: Indexed[] = [];
  for (const name of names) {
    const [, file, ...numbers] = NAME.exec(name) ?? [];
    const [from = 0, to = 0, textBytes = 0] = numbers.map(Number);
    if (file !== undefined) segments.push({ file, from, to, textBytes });
  }
  return usable(segments, now);
}

/**
 * Writes segments of the newest events without one, up to about `maxBytes`.
 * @returns whether there are more. @throws SentinelError `lock_timeout`, or the file system's error.
 */
export async function updateIndex(files: LogFiles, maxBytes: number): Promise<boolean> {
  if (files.days.list().length === 0) return false;
  makeFolders(files);
  return withIndexLock(files, 0, () => writeSegments(files, maxBytes));
}

/** Removes the segments with words of purged or dropped events. */
export async function removeStaleSegments(files: LogFiles): Promise<void> {
  await removeSegmentsOfDays(files, new Set());
  faultPoint("index-forgotten");
}

/** Removes the segments of days whose artifacts were dropped, and all that don't count. The events of these days are indexed again. */
export async function removeSegmentsOfDays(
  files: LogFiles,
  days: ReadonlySet<string>,
): Promise<void> {
  if (!existsSync(indexFolder(files))) return;
  await withIndexLock(files, REMOVAL_PATIENCE_MS, async () => {
    const now = await listFiles(files.days);
    keepOf(files, new Map([...now].filter(([, { day }]) => !days.has(day))));
  });
}

async function writeSegments(files: LogFiles, maxBytes: number): Promise<boolean> {
  const folder = indexFolder(files);
  const now = await listFiles(files.days);
  const { lines, left } = readGaps(findGaps(now, keepOf(files, now), SMALL_BYTES), maxBytes);
  const { pending } = await files.purged.read();
  for (const some of lines) {
    const { columns, lists } = buildSegment(some, files.artifacts, purgedBy(pending));
    const path = join(folder, segmentName(some));
    writePrivateFile(
      path,
      encodeSegment(columns, lists),
      `${path}${STAGING}segment`,
      "index-segment-staged",
    );
    faultPoint("index-segment-written");
  }
  keepOf(files, now);
  return left.length > 0;
}

/** Removes all files but the lock and the segments of these day files that count. @returns these segments. */
function keepOf(files: LogFiles, now: Files): Indexed[] {
  const folder = indexFolder(files);
  const segments = segmentsIn(folder, now);
  const kept = new Set(segments.map(segmentName));
  for (const name of readdirSync(folder))
    if (!kept.has(name) && !name.startsWith(LOCKED))
      rmSync(join(folder, name), { recursive: true, force: true });
  return segments;
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
