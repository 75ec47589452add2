/** The full-text index of one process: the segments on the disk, and those of newer events in memory. (docs/design/sessions.md, "The index") */

import { join } from "node:path";
import { sumBy } from "../../../ground/core/collections.ts";
import { hasCode } from "../../../ground/files/file-errors.ts";
import { countRead, readAt, withFile } from "../../../ground/files/read-files.ts";
import type { Event } from "../../kinds/event.ts";
import {
  type FoundChunk,
  MOST_HITS,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
} from "../../store.ts";
import {
  bestOfEachEvent,
  chunksOf,
  eventOfChunk,
  READ_BESIDE,
  saidFirst,
} from "../../storing/chunks.ts";
import { whileReplaced } from "../day-files.ts";
import { readEventLine } from "../event-line.ts";
import { ifPossible, type LogFiles } from "../log-files.ts";
import { type PurgedNow, purgedBy } from "../purged-list.ts";
import { buildSegment } from "./build-segment.ts";
import {
  type Files,
  findGaps,
  type Gap,
  type Lines,
  listFiles,
  readGaps,
  sumBytes,
  usable,
} from "./coverage.ts";
import { openSegment, type Segment } from "./segment.ts";
import { indexFolder, SEGMENT_BYTES, segmentName, segmentsIn, updateIndex } from "./update.ts";
import { View } from "./view.ts";

/** The most bytes of events that a process indexes in memory, whole texts included. A search reports the rest as not indexed. */
const MAX_MEMORY_BYTES = 1024 * 1024;
/** With more events than this without a segment, or too many for the memory, a search writes one first. */
const WRITE_BYTES = 256 * 1024;
/** Half a segment, because a person or an agent waits for a search. */
const SEARCH_STEP_BYTES = SEGMENT_BYTES / 2;

/** The index at one moment. */
interface Snapshot {
  readonly view: View;
  readonly files: Files;
  /** Lines that aren't indexed, the newest day first. */
  readonly gaps: readonly Gap[];
}

/** The files at one moment. `lines` have no segment on the disk. `left` are the bytes beyond the limit for indexing in memory. */
interface Look {
  readonly files: Files;
  readonly disk: readonly Segment[];
  readonly lines: readonly Lines[];
  readonly left: readonly Gap[];
}

export class SearchIndex {
  readonly #files: LogFiles;
  /** The segments that the last search used, by name: those on the disk, and those in memory. */
  #open: ReadonlyMap<string, Segment> = new Map();
  #memory: ReadonlyMap<string, Segment> = new Map();
  /** Whether a line or an artifact was changed after it was indexed. */
  #isStale = false;
  #last: { segments: readonly Segment[]; pending: PurgedNow["pending"]; view: View } | undefined;

  constructor(files: LogFiles) {
    this.#files = files;
  }

  /** Tries again if another process replaced a segment or a day file before it was read. */
  async search(query: SearchQuery): Promise<SearchResult> {
    const search = async () => {
      try {
        return this.#answer(query, await this.#refresh());
      } catch (error) {
        // An open segment may be damaged, or not be the one on the disk any more.
        this.#open = new Map();
        throw error;
      }
    };
    const result = await whileReplaced(search);
    if (!this.#isStale) return result;
    this.#isStale = false;
    this.#open = new Map();
    this.#memory = new Map();
    return whileReplaced(search);
  }

  /** Counts the chunks on the disk and the bytes without a segment. */
  async onDisk(): Promise<{ readonly chunks: number; readonly missingBytes: number }> {
    const files = await listFiles(this.#files.days);
    const segments = this.#usable(files);
    const { count: chunks } = new View(segments, () => false);
    return { chunks, missingBytes: sumBytes(findGaps(files, segments)) };
  }

  /** Writes segments of events that aren't indexed on the disk. @returns whether more are left and no other process writes them. */
  async update(): Promise<boolean> {
    try {
      return await updateIndex(this.#files, SEGMENT_BYTES);
    } catch (error) {
      // Another process does the same, or has just made or removed the folder.
      if (hasCode(error, "lock_timeout", "ENOENT", "EEXIST")) return false;
      throw error;
    }
  }

  /** Indexes the events appended before this call, up to the limit for memory. */
  async #refresh(): Promise<Snapshot> {
    const { pending } = await this.#files.purged.read();
    const { files, disk, lines, left } = await this.#lookAndWrite();
    const isPurged = purgedBy(pending);
    const memory = lines.map(
      (some) => this.#memory.get(segmentName(some)) ?? this.#build(some, isPurged),
    );
    this.#open = byName(disk);
    this.#memory = byName(memory);
    const segments = [...disk, ...memory];
    return { view: this.#viewOf(segments, pending), files, gaps: left };
  }

  #build(some: Lines, isPurged: (event: Event) => boolean): Segment {
    const { columns, lists } = buildSegment(some, this.#files.artifacts, isPurged);
    return { ...columns, readList: (from, end) => lists.subarray(from, end) };
  }

  /** If the disk is full or another process updates the index, the search answers without writing. */
  async #lookAndWrite(): Promise<Look> {
    const look = await this.#look();
    const textBytes = sumBy(look.lines, (some) => some.textBytes);
    if (look.left.length === 0 && textBytes <= WRITE_BYTES) return look;
    const isWritten = await ifPossible(updateIndex(this.#files, SEARCH_STEP_BYTES));
    return isWritten ? this.#look() : look;
  }

  async #look(): Promise<Look> {
    const files = await listFiles(this.#files.days);
    const disk = this.#usable(files);
    return { files, disk, ...readGaps(findGaps(files, disk), MAX_MEMORY_BYTES) };
  }

  /** Opens the segments that weren't open yet. */
  #usable(files: Files): Segment[] {
    const folder = indexFolder(this.#files);
    const segments = segmentsIn(folder, files).map((indexed) => {
      const name = segmentName(indexed);
      return this.#open.get(name) ?? openSegment(join(folder, name));
    });
    return usable(
      segments.filter((segment) => segment !== undefined),
      files,
    );
  }

  /** Returns the last view if nothing has changed. */
  #viewOf(segments: readonly Segment[], pending: PurgedNow["pending"]): View {
    const last = this.#last;
    const isSame =
      last?.pending === pending &&
      last.segments.length === segments.length &&
      last.segments.every((segment, at) => segment === segments[at]);
    if (last !== undefined && isSame) return last.view;
    const view = new View(segments, purgedBy(pending));
    this.#last = { segments, pending, view };
    return view;
  }

  #answer(query: SearchQuery, { view, files, gaps }: Snapshot): SearchResult {
    const { text, limit = DEFAULT_HITS, withNeighbours = false } = query;
    const most = Math.min(limit, MOST_HITS);
    const read = (chunk: number | undefined) =>
      chunk === undefined ? undefined : this.#readChunk(chunk, view, files);
    const hits: SearchHit[] = [];
    for (const { chunk, score } of bestOfEachEvent(text, view, most + READ_BESIDE)) {
      const found = read(chunk);
      const before = withNeighbours ? read(neighbourOf(chunk, view, "before")) : undefined;
      const after = withNeighbours ? read(neighbourOf(chunk, view, "after")) : undefined;
      if (found) hits.push({ ...found, score, before, after });
    }
    const days = [...new Set(gaps.map(({ file }) => file.day))];
    return {
      hits: saidFirst(hits, most),
      chunks: view.count,
      notIndexed: { days, bytes: sumBytes(gaps) },
      isCut: limit > MOST_HITS && hits.length >= MOST_HITS,
    };
  }

  /** Undefined for a stale chunk. @throws `ENOENT` if the day file is missing. */
  #readChunk(chunk: number, view: View, files: Files): FoundChunk | undefined {
    const { file, start, size } = view.lineOf(chunk);
    const id = view.idOf(chunk);
    countRead(size);
    const path = files.get(file)?.path ?? "";
    const event = readEventLine(withFile(path, (open) => readAt(open, start, size)));
    const part = view.partOf(chunk) - 1;
    const wholeOf = (artifact: string) => this.#files.artifacts.read(artifact);
    if (event?.id === eventOfChunk(id)) {
      const found = chunksOf(event)[part] ?? chunksOf(event, wholeOf)[part];
      if (found) return { id, event, text: found.text };
    }
    this.#isStale = true;
    return undefined;
  }
}

const DEFAULT_HITS = 10;

const byName = (segments: readonly Segment[]): ReadonlyMap<string, Segment> =>
  new Map(segments.map((segment) => [segmentName(segment), segment]));

/** The nearest chunk of another event of the session. */
function neighbourOf(chunk: number, view: View, side: "before" | "after"): number | undefined {
  const event = eventOfChunk(view.idOf(chunk));
  let next = view[side](chunk);
  while (next !== undefined && eventOfChunk(view.idOf(next)) === event) next = view[side](next);
  return next;
}
