/** Finds which bytes of the day files the segments on the disk cover. A segment's name says it, so none is opened. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { groupBy } from "../../../ground/core/group-by.ts";
import { hasCode, ignoreMissing } from "../../../ground/files/file-errors.ts";
import { readAt, withFile } from "../../../ground/files/open-file.ts";
import type { DayFile } from "../day-files.ts";
import type { LogFiles } from "../log-files.ts";
import { type Range, VERSION } from "./segment.ts";

/** A purge can rename files during a listing, but not this often. */
const MAX_TRIES = 20;
/** The id of the first event is in these bytes. */
const HEAD_BYTES = 64;
const SUFFIX = `.v${VERSION}.words`;

/** A segment on the disk. */
export interface StoredSegment extends Range {
  /** The name of its file: `2026-11-21.0-8C29F1D3_0_734003_812345_4f0c….v12.words`. */
  readonly name: string;
  /** The size of its events, whole texts in artifacts included. */
  readonly textBytes: number;
}

/** A day file, and the segments that cover it from its beginning on, in order. */
export interface CoveredFile {
  /**
   * Day, generation and a checksum of the first bytes. A day that was deleted and recorded again
   * gets the name of the old file, so the name alone doesn't identify its bytes.
   */
  readonly file: string;
  /** `2026-11-21`. */
  readonly day: string;
  readonly path: string;
  readonly bytes: number;
  readonly segments: readonly StoredSegment[];
}

/** The end of a day file, which no segment covers. */
export interface Gap extends Range {
  readonly day: string;
  readonly path: string;
}

export const indexFolder = (files: Pick<LogFiles, "folder">): string =>
  join(files.folder, "index", "search");

/** The day files, the earliest first, with their segments. @throws the file system's error. */
export function coverage(files: Pick<LogFiles, "folder" | "days">): CoveredFile[] {
  const names = ignoreMissing(() => readdirSync(indexFolder(files))) ?? [];
  const stored = names.filter((name) => name.endsWith(SUFFIX)).map(readName);
  const byFile = groupBy(stored, ({ file }) => file);
  for (let tries = 1; ; tries++) {
    try {
      return files.days.list().map((day) => coveredFile(day, byFile));
    } catch (error) {
      // A purge renamed or removed a file after it was listed.
      if (!hasCode(error, "ENOENT") || tries === MAX_TRIES) throw error;
    }
  }
}

/** Ranges of events that aren't indexed yet, newest day first. */
export function gapsIn(covered: readonly CoveredFile[]): Gap[] {
  const ends = covered.map(({ file, day, path, bytes, segments }) => {
    return { file, day, path, from: segments.at(-1)?.to ?? 0, to: bytes };
  });
  return ends.filter(({ from, to }) => from < to).reverse();
}

/** The name of a new segment. @param random makes it different from one that covered the same. */
export const segmentName = ({ file, from, to }: Range, textBytes: number, random: string): string =>
  `${file}_${from}_${to}_${textBytes}_${random}${SUFFIX}`;

export const sumBytes = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from, 0);

function readName(name: string): StoredSegment {
  const [file = "", from, to, textBytes] = name.split("_");
  return { name, file, from: Number(from), to: Number(to), textBytes: Number(textBytes) };
}

function coveredFile(
  { name, day, path }: DayFile,
  byFile: ReadonlyMap<string, readonly StoredSegment[]>,
): CoveredFile {
  const bytes = statSync(path).size;
  const head = crc32(withFile(path, (open) => readAt(open, 0, HEAD_BYTES)));
  const file = `${name}-${head.toString(16)}`;
  return { file, day, path, bytes, segments: usable(byFile.get(file) ?? [], bytes) };
}

/** The segments without a gap between them, the longest of those that begin at the same place. */
function usable(stored: readonly StoredSegment[], bytes: number): StoredSegment[] {
  const found: StoredSegment[] = [];
  const present = stored.filter(({ to }) => to <= bytes);
  for (const one of present.toSorted((a, b) => a.from - b.from || b.to - a.to))
    if (one.from === (found.at(-1)?.to ?? 0)) found.push(one);
  return found;
}
