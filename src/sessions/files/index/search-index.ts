/** The full-text index of one process: the segments on the disk, and one of newer events in memory. (docs/design/sessions.md, "The index") */

import { join } from "node:path";
import { sumBy } from "../../../ground/core/collections.ts";
import { SentinelError } from "../../../ground/core/errors.ts";
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
import type { Artifacts } from "../artifacts.ts";
import { readEventLine } from "../event-line.ts";
import { ifPossible, type LogFiles } from "../log-files.ts";
import { type PurgedNow, purgedBy } from "../purged-list.ts";
import { buildSegment } from "./build-segment.ts";
import {
  areCurrent,
  comparePieces,
  type Files,
  findGaps,
  type Gap,
  type Lines,
  listFiles,
  readGaps,
  sumBytes,
} from "./coverage.ts";
import { coveredBy, DamagedSegmentError, inMemory, openSegment, type Segment } from "./segment.ts";
import {
  indexFolder,
  removeSegment,
  SEGMENT_BYTES,
  segmentNames,
  updateIndex,
  usableSegments,
} from "./update.ts";
import { View } from "./view.ts";

/** The most bytes of events that a process indexes in memory, whole texts included. A search reports the rest as not indexed. */
const MAX_MEMORY_BYTES = 1024 * 1024;
/** With more events than this without a segment, or too many for the memory, a search writes one first. */
const WRITE_BYTES = 256 * 1024;
/** Half a segment, because a person or an agent waits for a search. */
const SEARCH_STEP_BYTES = SEGMENT_BYTES / 2;

/** The index at one moment. */
export interface Snapshot {
  readonly view: View;
  readonly files: Files;
  readonly artifacts: Artifacts;
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
  /** The segments on the disk that were opened, by name. */
  #open: ReadonlyMap<string, Segment> = new Map();
  /** Damaged segments that couldn't be removed yet. */
  readonly #damaged = new Set<string>();
  #memory: Segment | undefined;
  #last: { segments: readonly Segment[]; pending: PurgedNow["pending"]; view: View } | undefined;

  constructor(files: LogFiles) {
    this.#files = files;
  }

  /** Indexes the events appended before this call, up to the limit for memory. @throws DamagedSegmentError */
  async refresh(): Promise<Snapshot> {
    const { artifacts, purged } = this.#files;
    const { pending } = await purged.read();
    const { files, disk, lines, left } = await this.#lookAndWrite();
    this.#indexInMemory(lines, pending);
    const memory = this.#memory === undefined ? [] : [this.#memory];
    const view = this.#viewOf([...disk, ...memory], pending);
    return { view, files, artifacts, gaps: left };
  }

  /** Counts the chunks on the disk and the bytes without a segment. Changes nothing. */
  onDisk(): { readonly chunks: number; readonly missingBytes: number } {
    const files = listFiles(this.#files.days);
    const segments = usableSegments(this.#files, files);
    const chunks = sumBy(segments, (segment) => segment.chunks);
    return { chunks, missingBytes: sumBytes(findGaps(files, coveredBy(segments))) };
  }

  /** Writes a segment of events that aren't indexed on the disk. @returns whether more are left and no other process writes them. */
  async update(): Promise<boolean> {
    try {
      return await updateIndex(this.#files, SEGMENT_BYTES);
    } catch (error) {
      // Another process does the same, or has just made or removed the folder.
      if (hasCode(error, "lock_timeout", "ENOENT", "EEXIST")) {
        return false;
      }
      throw error;
    }
  }

  /** Removes a damaged segment. @param name of its file, undefined for the one in memory. */
  async drop(name: string | undefined): Promise<void> {
    this.#memory = undefined;
    if (name === undefined) {
      return;
    }
    this.#damaged.add(name);
    await ifPossible(removeSegment(this.#files, name));
  }

  /** If the disk is full or another process updates the index, the search answers without writing. */
  async #lookAndWrite(): Promise<Look> {
    const look = this.#look();
    if (look.left.length === 0 && textBytesOf(look.lines) <= WRITE_BYTES) {
      return look;
    }
    const isWritten = await ifPossible(updateIndex(this.#files, SEARCH_STEP_BYTES));
    return isWritten ? this.#look() : look;
  }

  #look(): Look {
    const files = listFiles(this.#files.days);
    const disk = this.#currentSegments(files);
    return { files, disk, ...readGaps(findGaps(files, coveredBy(disk)), MAX_MEMORY_BYTES) };
  }

  /** Opens the segments that weren't open yet. @returns those whose events the day files still contain. */
  #currentSegments(files: Files): Segment[] {
    const folder = indexFolder(this.#files);
    const opened = new Map<string, Segment>();
    for (const name of segmentNames(folder)) {
      if (!this.#damaged.has(name)) {
        opened.set(name, this.#open.get(name) ?? openSegment(join(folder, name)));
      }
    }
    this.#open = opened;
    return [...opened.values()].filter(({ header }) => areCurrent(header.pieces, files));
  }

  /** Keeps the segment in memory if it has the same lines. */
  #indexInMemory(lines: readonly Lines[], pending: PurgedNow["pending"]): void {
    const pieces = JSON.stringify(lines.map(({ piece }) => piece).sort(comparePieces));
    if (lines.length === 0) {
      this.#memory = undefined;
    } else if (pieces !== JSON.stringify(this.#memory?.header.pieces)) {
      this.#memory = inMemory(buildSegment(lines, this.#files.artifacts, purgedBy(pending)));
    }
  }

  /** Returns the last view if nothing has changed. */
  #viewOf(segments: readonly Segment[], pending: PurgedNow["pending"]): View {
    const last = this.#last;
    const isSame =
      last?.pending === pending &&
      last.segments.length === segments.length &&
      last.segments.every((segment, at) => segment === segments[at]);
    if (last !== undefined && isSame) {
      return last.view;
    }
    const view = new View(segments, pending.length > 0 ? purgedBy(pending) : undefined);
    this.#last = { segments, pending, view };
    return view;
  }
}

const textBytesOf = (lines: readonly Lines[]): number => sumBy(lines, ({ textBytes }) => textBytes);

const DEFAULT_HITS = 10;
/** The most tries of a search. Each purge, retention or damage during a search costs one. */
const MAX_TRIES = 20;

/**
 * Tries again if another process replaced a segment or a day file before it was read.
 * @throws SentinelError `read_failed` if the log keeps changing.
 */
export async function searchLog(index: SearchIndex, query: SearchQuery): Promise<SearchResult> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      return answer(query, await index.refresh());
    } catch (error) {
      if (error instanceof DamagedSegmentError) {
        await index.drop(error.segment);
      } else if (!hasCode(error, "ENOENT")) {
        throw error;
      }
    }
  }
  throw new SentinelError(
    "read_failed",
    "The session log kept changing during the search.",
    "Search again.",
  );
}

function answer(query: SearchQuery, snapshot: Snapshot): SearchResult {
  const { text, limit = DEFAULT_HITS, withNeighbours = false } = query;
  const { view, gaps } = snapshot;
  const most = Math.min(limit, MOST_HITS);
  const hits: SearchHit[] = [];
  for (const { chunk, score } of bestOfEachEvent(text, view, most + READ_BESIDE)) {
    const found = readChunk(chunk, snapshot);
    const before = withNeighbours ? readNeighbour(chunk, snapshot, "before") : undefined;
    const after = withNeighbours ? readNeighbour(chunk, snapshot, "after") : undefined;
    hits.push({ ...found, score, before, after });
  }
  const days = [...new Set(gaps.map(({ file }) => file.day))];
  return {
    hits: saidFirst(hits, most),
    chunks: view.count,
    notIndexed: { days, bytes: sumBytes(gaps) },
    isCut: limit > MOST_HITS && hits.length >= MOST_HITS,
  };
}

/** Reads the nearest chunk of another event of the session. */
function readNeighbour(
  chunk: number,
  snapshot: Snapshot,
  side: "before" | "after",
): FoundChunk | undefined {
  const { view } = snapshot;
  const event = eventOfChunk(view.idOf(chunk));
  let next = view[side](chunk);
  while (next !== undefined && eventOfChunk(view.idOf(next)) === event) {
    next = view[side](next);
  }
  return next === undefined ? undefined : readChunk(next, snapshot);
}

/** @throws DamagedSegmentError, or `ENOENT` if the day file is missing. */
function readChunk(chunk: number, snapshot: Snapshot): FoundChunk {
  const { view, artifacts } = snapshot;
  const { part } = view.placeOf(chunk);
  const event = readEvent(chunk, snapshot);
  const found = chunksOf(event)[part - 1] ?? chunksOf(event, (id) => artifacts.read(id))[part - 1];
  // The artifact was dropped after it was indexed.
  if (found === undefined) {
    throw new DamagedSegmentError(view.segmentOf(chunk));
  }
  return { id: found.id, event, text: found.text };
}

/** @throws DamagedSegmentError if the line is of another event, or `ENOENT` if the day file is missing. */
function readEvent(chunk: number, { view, files }: Snapshot): Event {
  const { file, from, bytes } = view.placeOf(chunk);
  countRead(bytes);
  const path = files.get(file)?.path ?? "";
  const event = readEventLine(withFile(path, (open) => readAt(open, from, bytes)));
  if (event?.id !== eventOfChunk(view.idOf(chunk))) {
    throw new DamagedSegmentError(view.segmentOf(chunk));
  }
  return event;
}
