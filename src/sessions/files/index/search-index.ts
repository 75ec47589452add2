/** The full-text index of one process: the segments on the disk, and those of newer events in memory. (docs/design/sessions.md, "The index") */
import { join } from "node:path";
import { ignoreMissing } from "../../../ground/files/file-errors.ts";
import type { Artifacts } from "../artifacts.ts";
import type { LogFiles } from "../log-files.ts";
import { type PurgedNow, purgedBy } from "../purged-list.ts";
import { isBusy, unlessBusy } from "../unless-busy.ts";
import { type Built, buildSegment } from "./build-segment.ts";
import {
  type CoveredFile,
  coverage,
  type Gap,
  gapsIn,
  indexFolder,
  type StoredSegment,
  sumBytes,
} from "./coverage.ts";
import { countChunks, openSegment, type Segment } from "./segment.ts";
import { removeSegmentsOf, SEGMENT_BYTES, updateIndex } from "./update.ts";
import { View } from "./view.ts";

/** The most bytes of events that a process indexes in memory, whole texts included. A search reports the rest as not indexed. */
const MAX_MEMORY_BYTES = 1024 * 1024;
/** With more events than this without a segment, a search writes one first. */
const WRITE_BYTES = 256 * 1024;
/** Half a segment, because a person or an agent waits for a search. */
const SEARCH_STEP_BYTES = SEGMENT_BYTES / 2;

/** The index at one moment. */
export interface Snapshot {
  readonly view: View;
  /** The paths of the day files. */
  readonly paths: ReadonlyMap<string, string>;
  readonly artifacts: Artifacts;
  /** Lines that aren't indexed, the newest day first. */
  readonly gaps: readonly Gap[];
}

/** The segments at one moment. */
interface Look extends Pick<Snapshot, "paths" | "gaps"> {
  /** In the order of the day files. */
  readonly segments: readonly Segment[];
  /** The size of the events that are indexed only in memory. */
  readonly memoryBytes: number;
}

export class SearchIndex {
  readonly #files: LogFiles;
  /** The segments on the disk, by name. */
  #stored: ReadonlyMap<string, Segment> = new Map();
  /** The segments in memory, by the gap that they index. */
  #built: ReadonlyMap<string, Built> = new Map();
  #last: { segments: readonly Segment[]; pending: PurgedNow["pending"]; view: View } | undefined;

  constructor(files: LogFiles) {
    this.#files = files;
  }

  /**
   * Indexes the events appended before this call, up to the limit for memory.
   * @throws StaleSegmentError, the file system's error if a file was replaced meanwhile, or SentinelError `old_format`.
   */
  async refresh(): Promise<Snapshot> {
    const { artifacts, purged } = this.#files;
    const { pending } = await purged.read();
    let covered = coverage(this.#files);
    const isBacklog = sumBytes(gapsIn(covered)) > WRITE_BYTES;
    const isWritten = isBacklog && (await this.#write());
    if (isWritten) covered = coverage(this.#files);
    let look = this.#look(covered, pending);
    // A few lines may have whole texts that are too long to index for each search.
    if (!isWritten && look.memoryBytes > WRITE_BYTES && (await this.#write()))
      look = this.#look(coverage(this.#files), pending);
    const { segments, paths, gaps } = look;
    return { view: this.#viewOf(segments, pending), paths, artifacts, gaps };
  }

  /** Counts the chunks on the disk and the bytes without a segment. Changes nothing. */
  onDisk(): { readonly chunks: number; readonly missingBytes: number } {
    const covered = coverage(this.#files);
    const stored = covered.flatMap(({ segments }) => segments);
    const countOf = ({ name }: StoredSegment) =>
      ignoreMissing(() => countChunks(join(indexFolder(this.#files), name))) ?? 0;
    const chunks = stored.reduce((sum, segment) => sum + countOf(segment), 0);
    return { chunks, missingBytes: sumBytes(gapsIn(covered)) };
  }

  /** Writes segments of events that aren't indexed on the disk. @returns whether more are left and no other process writes them. */
  async update(): Promise<boolean> {
    try {
      return await updateIndex(this.#files, SEGMENT_BYTES);
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  /** Forgets and removes the segments of a day file, so that it's indexed again. */
  forget(file: string): void {
    this.#built = new Map();
    removeSegmentsOf(this.#files, file);
  }

  /** If the disk is full or another process updates the index, the search answers without writing. @returns whether it wrote. */
  #write(): Promise<boolean> {
    return unlessBusy(updateIndex(this.#files, SEARCH_STEP_BYTES));
  }

  #look(covered: readonly CoveredFile[], pending: PurgedNow["pending"]): Look {
    this.#openStored(covered);
    const { gaps, memoryBytes } = this.#buildGaps(gapsIn(covered), pending);
    const built = new Map(
      [...this.#built.values()].map(({ segment }) => [segment.range.file, segment]),
    );
    const segmentsOf = ({ file, segments }: CoveredFile): (Segment | undefined)[] => [
      ...segments.map(({ name }) => this.#stored.get(name)),
      built.get(file),
    ];
    return {
      segments: covered.flatMap(segmentsOf).filter((segment) => segment !== undefined),
      paths: new Map(covered.map(({ file, path }) => [file, path])),
      gaps,
      memoryBytes,
    };
  }

  /** Opens the segments that weren't open yet, and closes those that no longer count. */
  #openStored(covered: readonly CoveredFile[]): void {
    const stored = new Map<string, Segment>();
    for (const range of covered.flatMap(({ segments }) => segments)) {
      const path = join(indexFolder(this.#files), range.name);
      stored.set(range.name, this.#stored.get(range.name) ?? openSegment(path, range));
    }
    this.#stored = stored;
  }

  /** Indexes gaps in memory, up to the limit. Keeps the segments of those that haven't changed. @returns what's left. */
  #buildGaps(
    gaps: readonly Gap[],
    pending: PurgedNow["pending"],
  ): Pick<Look, "gaps" | "memoryBytes"> {
    const isPurged = purgedBy(pending);
    const built = new Map<string, Built>();
    const left: Gap[] = [];
    let memoryBytes = 0;
    for (const gap of gaps) {
      const mostBytes = MAX_MEMORY_BYTES - memoryBytes;
      if (mostBytes <= 0) {
        left.push(gap);
        continue;
      }
      const key = `${gap.file} ${gap.from} ${gap.to}`;
      const indexing = { artifacts: this.#files.artifacts, isPurged, mostBytes };
      const one = this.#built.get(key) ?? buildSegment(gap, gap.from, indexing);
      built.set(key, one);
      memoryBytes += one.textBytes;
      if (one.left !== undefined) left.push(one.left);
    }
    this.#built = built;
    return { gaps: left, memoryBytes };
  }

  /** Returns the last view if nothing has changed. */
  #viewOf(segments: readonly Segment[], pending: PurgedNow["pending"]): View {
    const last = this.#last;
    const isSame =
      last?.pending === pending &&
      last.segments.length === segments.length &&
      last.segments.every((segment, at) => segment === segments[at]);
    if (last !== undefined && isSame) return last.view;
    const view = new View(segments, pending.length > 0 ? purgedBy(pending) : undefined);
    this.#last = { segments, pending, view };
    return view;
  }
}
