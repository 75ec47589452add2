/** Answers from the index: what ranks best, with its text and what stands around it, read from the files of events. */
import { SentinelError } from "../../../ground/core/errors.ts";
import { hasCode } from "../../../ground/files/file-errors.ts";
import { readAt, withFile } from "../../../ground/files/open-file.ts";
import { countRead } from "../../../ground/files/read-count.ts";
import { type Event, eventText } from "../../kinds/event.ts";
import {
  type FoundChunk,
  MOST_HITS,
  type SearchHit,
  type SearchLimit,
  type SearchQuery,
  type SearchResult,
} from "../../store.ts";
import { bestOfEachEvent, READ_BESIDE, saidFirst } from "../../storing/best-chunks.ts";
import { eventOfChunk } from "../../storing/chunks.ts";
import { artifactsOf } from "../../storing/mentions.ts";
import { readEventLine } from "../event-line.ts";
import { bytesOf } from "./coverage.ts";
import { DamagedError } from "./pages.ts";
import type { Indexed, SearchIndex } from "./search-index.ts";
import type { View } from "./view.ts";

const DEFAULT_HITS = 10;
/** Of files of events, for the texts of one answer. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Every purge, retention or damage met on the way costs one. */
const TRIES = 20;

export function searchLog(index: SearchIndex, query: SearchQuery): Promise<SearchResult> {
  return reading(index, (indexed) => answer(query, indexed));
}

/** The events with these ids, as far as the index knows for certain which they are. */
export function findIndexed(index: SearchIndex, ids: readonly string[]) {
  return reading(index, (indexed) => {
    // Where something is not indexed, an earlier copy of an event may be there, so none is given.
    const isWhole = indexed.gaps.length === 0;
    return { events: isWhole ? ids.flatMap((id) => eventWith(id, indexed) ?? []) : [], isWhole };
  });
}

/** Segments and files of events may be merged, rewritten or dropped by another process between the look and the reading. */
async function reading<Result>(
  index: SearchIndex,
  read: (record: Indexed) => Result,
): Promise<Result> {
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      return read(await index.now());
    } catch (error) {
      if (error instanceof DamagedError) await index.drop(error.file);
      // A file of events that was rewritten or dropped since it was listed.
      else if (!hasCode(error, "ENOENT")) throw error;
    } finally {
      index.endQuery();
    }
  }
  throw new SentinelError(
    "read_failed",
    "The session log kept changing under the search.",
    "Search again.",
  );
}

function eventWith(id: string, record: Indexed): Event | undefined {
  const chunk = record.view.chunkOfEvent(id);
  return chunk === undefined ? undefined : eventAt(record.view.placeOf(chunk), record);
}

function answer(
  { text, limit = DEFAULT_HITS, withNeighbours }: SearchQuery,
  record: Indexed,
): SearchResult {
  const { view, gaps } = record;
  const limits: SearchLimit[] = [];
  const hits: SearchHit[] = [];
  let bytes = 0;
  const read = (one: number): FoundChunk => {
    const found = readChunk(one, record);
    bytes += found.bytes;
    return found.chunk;
  };
  const most = Math.min(limit, MOST_HITS);
  const ranked = bestOfEachEvent(text, view, most + READ_BESIDE);
  if (view.hasUnreadTerms()) limits.push("terms");
  for (const { chunk, score } of ranked) {
    const [before, after] = (["before", "after"] as const).map((side) =>
      withNeighbours ? neighbour(chunk, record, side) : undefined,
    );
    const hit = {
      ...read(chunk),
      score,
      ...(before !== undefined && { before: read(before) }),
      ...(after !== undefined && { after: read(after) }),
    };
    if (bytes > MOST_BYTES) {
      limits.push("bytes");
      break;
    }
    hits.push(hit);
  }
  if (limit > MOST_HITS && hits.length >= MOST_HITS) limits.push("hits");
  const days = [...new Set(gaps.map(({ file }) => file.day))];
  return {
    hits: saidFirst(hits, most),
    chunks: view.count,
    notIndexed: { days, bytes: bytesOf(gaps) },
    limits,
  };
}

/** The nearest chunk of another event of the session. */
function neighbour(chunk: number, { view }: Indexed, side: "before" | "after"): number | undefined {
  const event = eventOfChunk(view.idOf(chunk));
  let next = view[side](chunk);
  while (next !== undefined && eventOfChunk(view.idOf(next)) === event) next = view[side](next);
  return next;
}

/** @returns also how many bytes of files were read for it. */
function readChunk(
  chunk: number,
  record: Indexed,
): { readonly chunk: FoundChunk; readonly bytes: number } {
  const { view, artifacts } = record;
  const place = view.placeOf(chunk);
  const id = view.idOf(chunk);
  const event = eventAt(place, record);
  if (event?.id !== eventOfChunk(id)) throw new DamagedError(view.segmentOf(chunk));
  if (place.artifact === 0)
    return {
      chunk: { id, event, text: eventText(event).slice(place.start, place.end) },
      bytes: place.bytes,
    };
  const artifact = artifactsOf(event)[place.artifact - 1] ?? "";
  const whole = artifacts.read(artifact);
  // Its time was over since it was indexed.
  if (whole === undefined) throw new DamagedError(view.segmentOf(chunk));
  const bytes = place.bytes + artifacts.bytesOnDisk(artifact);
  return { chunk: { id, event, text: whole.slice(place.start, place.end) }, bytes };
}

/** @throws the file system's own error, `ENOENT` for a file that has gone. */
function eventAt(
  { file, from, bytes, shared }: ReturnType<View["placeOf"]>,
  { files }: Indexed,
): Event | undefined {
  countRead(bytes);
  const path = files.get(file)?.path ?? "";
  return readEventLine(
    withFile(path, (open) => readAt(open, from, bytes)).toString(),
    path,
    shared,
  );
}
