/** The full-text index of one process: the segments on the disk, and newer events in memory. (docs/design/sessions.md, "The index") */
import { join } from "node:path";
import type { Artifacts } from "../artifacts.ts";
import type { LogFiles } from "../log-files.ts";
import { type PurgedNow, purgedBy } from "../purged-list.ts";
import { isBusy, unlessBusy } from "../unless-busy.ts";
import { buildSegment } from "./build-segment.ts";
import {
  areCurrent,
  bytesOf,
  type FileState,
  findGaps,
  type Gap,
  type Lines,
  listFiles,
  overlapAny,
  piecesOf,
  readNewest,
} from "./coverage.ts";
import { inMemory, openSegment, type Segment } from "./segment.ts";
import {
  indexFolder,
  readHeaders,
  removeSegment,
  SEGMENT_BYTES,
  segmentNames,
  TINY_BYTES,
  updateIndex,
} from "./update.ts";
import { View } from "./view.ts";

/** Events that a process indexes in memory at most, whole texts included. A search names the rest. */
const MAX_MEMORY_BYTES = 1024 * 1024;
/** With more segments in memory, their events are indexed again as one. */
const MAX_MEMORY_SEGMENTS = 16;
/** Half a step, because a person or an agent waits for a search. */
const SEARCH_STEP_BYTES = SEGMENT_BYTES / 2;

/** The index at one moment. */
export interface Snapshot {
  readonly view: View;
  readonly files: ReadonlyMap<string, FileState>;
  readonly artifacts: Artifacts;
  /** What isn't indexed, the newest day first. */
  readonly gaps: readonly Gap[];
}

/** What was found at a look at the files. `lines` are indexed next; `left` is too much for now. */
interface Look {
  readonly files: ReadonlyMap<string, FileState>;
  readonly disk: readonly Segment[];
  readonly lines: readonly Lines[];
  readonly left: readonly Gap[];
}

export class SearchIndex {
  readonly #files: LogFiles;
  /** The segments on the disk that were opened, by name. */
  #open: ReadonlyMap<string, Segment> = new Map();
  /** Damaged segments that couldn't be removed yet. */
  readonly #damaged = new Set<string>();
  #memory: readonly Segment[] = [];
  #last: { segments: readonly Segment[]; pending: PurgedNow["pending"]; view: View } | undefined;

  constructor(files: LogFiles) {
    this.#files = files;
  }

  /** Indexes what was appended before this call, unless it's too much. @throws DamagedSegmentError */
  async refresh(): Promise<Snapshot> {
    const { pending } = await this.#files.purged.read();
    let look = this.#look();
    // If the disk is full or another process updates the index, the search answers without.
    if (
      this.#isWorthWriting(look) &&
      (await unlessBusy(updateIndex(this.#files, SEARCH_STEP_BYTES)))
    )
      look = this.#look();
    const { files, disk, lines, left } = look;
    const { artifacts } = this.#files;
    if (lines.length > 0)
      this.#memory = [...this.#memory, inMemory(buildSegment(lines, artifacts, purgedBy(pending)))];
    const view = this.#viewOf([...disk, ...this.#memory], pending);
    return { view, files, artifacts, gaps: left };
  }

  /** Returns what is on the disk, and changes nothing. */
  onDisk(): { readonly chunks: number; readonly missingBytes: number } {
    const files = listFiles(this.#files.days);
    const usable = readHeaders(indexFolder(this.#files)).filter(({ pieces }) =>
      areCurrent(pieces, files),
    );
    const chunks = usable
      .flatMap(({ sessions }) => sessions)
      .reduce((sum, [, ofSession]) => sum + ofSession, 0);
    return { chunks, missingBytes: bytesOf(findGaps(files, piecesOf(usable))) };
  }

  /** Writes a part of what is missing to the disk. @returns whether there is more and no other process writes it. */
  async update(): Promise<boolean> {
    try {
      return await updateIndex(this.#files, SEGMENT_BYTES);
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  /** Removes a damaged segment. @param name of its file; undefined for those in memory. */
  async drop(name: string | undefined): Promise<void> {
    this.#memory = [];
    if (name === undefined) return;
    this.#damaged.add(name);
    await unlessBusy(removeSegment(this.#files, name));
  }

  #look(): Look {
    const files = listFiles(this.#files.days);
    this.#open = this.#openSegments();
    const disk = [...this.#open.values()].filter(({ header }) => areCurrent(header.pieces, files));
    const written = piecesOf(disk.map(({ header }) => header));
    const isNeeded = ({ header: { pieces } }: Segment) =>
      areCurrent(pieces, files) && !overlapAny(pieces, written);
    const isFull = this.#memory.length >= MAX_MEMORY_SEGMENTS;
    this.#memory = isFull ? [] : this.#memory.filter(isNeeded);
    const indexed = piecesOf(this.#memory.map(({ header }) => header));
    const gaps = findGaps(files, [...written, ...indexed]);
    return { files, disk, ...readNewest(gaps, MAX_MEMORY_BYTES - this.#memoryBytes()) };
  }

  #openSegments(): ReadonlyMap<string, Segment> {
    const folder = indexFolder(this.#files);
    const names = segmentNames(folder).filter((name) => !this.#damaged.has(name));
    return new Map(
      names.map((name) => [name, this.#open.get(name) ?? openSegment(join(folder, name))]),
    );
  }

  #memoryBytes(): number {
    return this.#memory.reduce((sum, { header }) => sum + header.textBytes, 0);
  }

  #isWorthWriting({ lines, left }: Look): boolean {
    const read = lines.reduce((sum, { textBytes }) => sum + textBytes, 0);
    return bytesOf(left) + read + this.#memoryBytes() > TINY_BYTES;
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
