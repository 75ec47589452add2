/** Answers from the index: the best chunks, with their texts and neighbours, read from the day files. */
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
import { readEventLine } from "../event-line.ts";
import { sumBytes } from "./coverage.ts";
import type { SearchIndex, Snapshot } from "./search-index.ts";
import { DamagedSegmentError } from "./segment.ts";

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
      if (error instanceof DamagedSegmentError) await index.drop(error.segment);
      else if (!hasCode(error, "ENOENT")) throw error;
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
  while (next !== undefined && eventOfChunk(view.idOf(next)) === event) next = view[side](next);
  return next === undefined ? undefined : readChunk(next, snapshot);
}

/** @throws DamagedSegmentError, or `ENOENT` if the day file is missing. */
function readChunk(chunk: number, snapshot: Snapshot): FoundChunk {
  const { view, artifacts } = snapshot;
  const { part } = view.placeOf(chunk);
  const event = readEvent(chunk, snapshot);
  const found = chunksOf(event)[part - 1] ?? chunksOf(event, (id) => artifacts.read(id))[part - 1];
  // The artifact was dropped after it was indexed.
  if (found === undefined) throw new DamagedSegmentError(view.segmentOf(chunk));
  return { id: found.id, event, text: found.text };
}

/** @throws DamagedSegmentError if the line is of another event, or `ENOENT` if the day file is missing. */
function readEvent(chunk: number, { view, files }: Snapshot): Event {
  const { file, from, bytes } = view.placeOf(chunk);
  countRead(bytes);
  const path = files.get(file)?.path ?? "";
  const event = readEventLine(withFile(path, (open) => readAt(open, from, bytes)));
  if (event?.id !== eventOfChunk(view.idOf(chunk)))
    throw new DamagedSegmentError(view.segmentOf(chunk));
  return event;
}
