/** Brings the segments up to date in bounded steps, the newest day first; one process at a time, while others read on. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { groupBy } from "../../../ground/core/group-by.ts";
import { reach } from "../../../ground/files/fault-points.ts";
import { ifThere } from "../../../ground/files/file-errors.ts";
import { withLock } from "../../../ground/files/lock.ts";
import { writePrivateFile } from "../../../ground/files/private-file.ts";
import { STAGING } from "../../../ground/files/sidecar-names.ts";
import { dayInName, monthOf } from "../day-files.ts";
import type { LogFiles } from "../log-files.ts";
import { takenBy } from "../purged-list.ts";
import { buildSegment } from "./build-segment.ts";
import { type FileNow, filesNow, gapsIn, PieceCheck, takeLast } from "./coverage.ts";
import { openSegment } from "./disk-segments.ts";
import { type Manifest, readManifest, type SegmentFile, writeManifest } from "./manifest.ts";
import { toMerge } from "./merge-policy.ts";
import { mergeSegments } from "./merge-segments.ts";
import { DamagedError } from "./pages.ts";
import type { Segment } from "./segment.ts";
import type { Covering } from "./view.ts";
import type { WrittenSegment } from "./write-segment.ts";

/** What the lock is named after; no such file is made. */
const LOCKED = "update";
const SEGMENT = ".segment";
/** Longer than any step takes: what was purged must leave the index. */
const FORGETTING_PATIENCE_MS = 60_000;

export interface Effort {
  /** Of files of events, in one step; a longer line is read whole. */
  readonly stepBytes: number;
  /** Of segments that become one, at most. */
  readonly mostMergedBytes: number;
}

export const indexFolder = (files: LogFiles): string => join(files.folder, "index", "search");

/** Indexes a part; nothing more of a damaged segment. @returns whether there is more. @throws SentinelError `lock_timeout`; the file system's error. */
export async function updateIndex(files: LogFiles, effort: Effort): Promise<boolean> {
  const folder = indexFolder(files);
  if (files.days.list().length === 0) return false;
  makeFolders(files);
  return withIndexLock(folder, async () => {
    try {
      return await updateUnderLock(files, folder, effort);
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      keepOnly(folder, ({ name }) => name !== error.file);
      return false;
    }
  });
}

/** Not the session log's own: one that was deleted meanwhile must not come back. */
function makeFolders(files: LogFiles): void {
  for (const folder of [dirname(indexFolder(files)), indexFolder(files)])
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
}

async function updateUnderLock(files: LogFiles, folder: string, effort: Effort): Promise<boolean> {
  const now = filesNow(files.days);
  let manifest = dropStale(folder, now);
  const { pending } = await files.purged.read();
  const covered = manifest.segments.flatMap(({ pieces }) => pieces);
  const months = groupBy(gapsIn(now, covered), ({ file }) => monthOf(file.day));
  const growing = new Set([...now.keys()].slice(-1).map(monthOf));
  let more = false;
  for (const [month, gaps] of months) {
    const { taken, left } = takeLast(gaps, effort.stepBytes);
    months.delete(month);
    if (taken.length === 0) continue;
    const built = ifThere(() => buildSegment(taken, files.artifacts, takenBy(pending)));
    // A file was rewritten meanwhile: the next step finds what it is now.
    if (built === undefined) return true;
    manifest = publish(folder, manifest, [], built);
    if (left.length > 0) growing.add(month);
    more = left.length > 0 || months.size > 0;
    break;
  }
  for (;;) {
    const group = toMerge(manifest.segments.map(sizedOf), growing, effort.mostMergedBytes).map(
      ({ file }) => file,
    );
    if (group.length === 0) break;
    const merged = withOpen(folder, group, (covering) => mergeSegments(covering, now));
    manifest = publish(folder, manifest, group, merged);
  }
  return more;
}

/** Removes the segments that cover what was purged or dropped, and what others left half-way. */
export async function forgetStale(files: LogFiles): Promise<void> {
  const folder = indexFolder(files);
  if (!existsSync(folder)) return;
  await withIndexLock(
    folder,
    async () => dropStale(folder, filesNow(files.days)),
    FORGETTING_PATIENCE_MS,
  );
  reach("index-forgotten");
}

/** Removes the segments of days of which artifacts went; what these days still hold is indexed again. */
export async function forgetDays(files: LogFiles, days: ReadonlySet<string>): Promise<void> {
  const folder = indexFolder(files);
  if (days.size === 0 || !existsSync(folder)) return;
  const isOfOthers = ({ pieces }: SegmentFile) =>
    !pieces.some(({ file }) => days.has(dayInName(file)));
  await withIndexLock(folder, async () => keepOnly(folder, isOfOthers), FORGETTING_PATIENCE_MS);
}

/** Removes a segment that cannot be read. */
export function removeSegment(files: LogFiles, name: string): Promise<Manifest> {
  const folder = indexFolder(files);
  return withIndexLock(folder, async () => keepOnly(folder, (segment) => segment.name !== name));
}

function dropStale(folder: string, now: ReadonlyMap<string, FileNow>): Manifest {
  const check = new PieceCheck();
  return keepOnly(folder, ({ pieces }) => check.holds(pieces, now));
}

/** Opens none of them, so that what is removed goes, also where another one is damaged. Its suspects go with the next segment. */
function keepOnly(folder: string, isKept: (segment: SegmentFile) => boolean): Manifest {
  const { segments, suspects } = readManifest(folder);
  const next = { segments: segments.filter(isKept), suspects };
  if (next.segments.length < segments.length) writeManifest(folder, next);
  sweep(folder, next.segments);
  return next;
}

function stillInTwo(ids: ReadonlySet<string>, covering: readonly Covering[]): string[] {
  return [...ids].filter(
    (id) => covering.filter(({ segment }) => segment.chunkOfEvent(id) !== undefined).length > 1,
  );
}

function withOpen<Result>(
  folder: string,
  files: readonly SegmentFile[],
  act: (covering: readonly Covering[]) => Result,
): Result {
  const covering = files.map((file) => openSegment(folder, file));
  try {
    return act(covering);
  } finally {
    for (const { segment } of covering) segment.close();
  }
}

/** Without waiting, where nothing else is asked for: another process that is at it does the same. */
const withIndexLock = <Result>(
  folder: string,
  act: () => Promise<Result>,
  patienceMs = 0,
): Promise<Result> => withLock(join(folder, LOCKED), act, patienceMs);

/** Adds a segment to the manifest, in place of others. */
function publish(
  folder: string,
  manifest: Manifest,
  replaced: readonly SegmentFile[],
  { layout, bytes, pieces }: WrittenSegment,
): Manifest {
  const added = { name: `${randomBytes(8).toString("hex")}${SEGMENT}`, layout, pieces };
  const path = join(folder, added.name);
  writePrivateFile(path, bytes, `${path}${STAGING}segment`, "index-segment-staged");
  reach("index-segment-written");
  const segments = [...manifest.segments.filter((segment) => !replaced.includes(segment)), added];
  const suspects = withOpen(folder, segments, (covering) => {
    const segment = covering.at(-1)?.segment as Segment;
    const found = covering.slice(0, -1).flatMap((other) => segment.eventsAlsoIn(other.segment));
    return stillInTwo(new Set([...manifest.suspects, ...found]), covering);
  });
  const next = { segments, suspects };
  writeManifest(folder, next);
  reach("index-manifest-written");
  sweep(folder, next.segments);
  return next;
}

/** Removes the files that no manifest names. */
function sweep(folder: string, segments: readonly SegmentFile[]): void {
  const names = new Set(segments.map(({ name }) => name));
  for (const name of readdirSync(folder))
    if (name.includes(STAGING) || (name.endsWith(SEGMENT) && !names.has(name)))
      rmSync(join(folder, name), { force: true });
}

function sizedOf(file: SegmentFile) {
  return { file, month: monthOf(file.pieces[0]?.file ?? ""), bytes: file.layout.bytes };
}
