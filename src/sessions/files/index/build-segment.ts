/** Indexes the lines of some events as a segment. */

import { crc32 } from "node:zlib";
import { countEach, sumBy } from "../../../ground/core/collections.ts";
import { compare } from "../../../ground/core/text.ts";
import { linesOf } from "../../../ground/files/append-log.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";
import { type Event, identityIn } from "../../kinds/event.ts";
import { chunksOf } from "../../storing/chunks.ts";
import type { Artifacts } from "../artifacts.ts";
import { readEventLine } from "../event-line.ts";
import { comparePieces, type Lines } from "./coverage.ts";
import { type BuiltSegment, type ChunkRow, toPosting } from "./segment.ts";

/** An event and the location of its line. */
interface EventLine extends Pick<ChunkRow, "piece" | "from" | "bytes"> {
  readonly event: Event;
}

/** Data of the chunks, in the order of the segment. */
interface Collected {
  readonly rows: number[];
  readonly ulids: string[];
  readonly sessions: Map<string, number>;
  /** By term. */
  readonly postings: Map<string, number[]>;
}

/**
 * Indexes the events of some lines. If an event is in them twice, the earliest counts.
 * @param isPurged an event that must not be indexed.
 */
export function buildSegment(
  lines: readonly Lines[],
  artifacts: Artifacts,
  isPurged: (event: Event) => boolean,
): BuiltSegment {
  const ordered = lines.toSorted((a, b) => comparePieces(a.piece, b.piece));
  const collected: Collected = {
    rows: [],
    ulids: [],
    sessions: new Map(),
    postings: new Map(),
  };
  for (const line of eventsInOrder(ordered, isPurged)) {
    addEvent(collected, line, artifacts);
  }
  const { rows, ulids, sessions, postings } = collected;
  const { lists, ...dictionary } = dictionaryOf(postings);
  return {
    header: {
      pieces: ordered.map(({ piece }) => piece),
      textBytes: sumBy(lines, ({ textBytes }) => textBytes),
      sessions: [...sessions],
    },
    columns: {
      rows: Uint32Array.from(rows),
      ulids: Buffer.from(ulids.join(""), "latin1"),
      ...dictionary,
    },
    lists,
  };
}

/** The events by session and then by time, each once. */
function eventsInOrder(
  allLines: readonly Lines[],
  isPurged: (event: Event) => boolean,
): EventLine[] {
  const byIdentity = new Map<string, EventLine>();
  for (const [piece, { piece: place, bytes: content }] of allLines.entries()) {
    for (const line of linesOf(content)) {
      const event = readEventLine(line);
      if (event === undefined || isPurged(event)) {
        continue;
      }
      const known = byIdentity.get(identityIn(event.id));
      if (known !== undefined && known.event.id <= event.id) {
        continue;
      }
      const from = place.from + line.byteOffset - content.byteOffset;
      byIdentity.set(identityIn(event.id), { event, piece, from, bytes: line.length });
    }
  }
  return [...byIdentity.values()].sort(
    (a, b) => compare(a.event.session, b.event.session) || compare(a.event.id, b.event.id),
  );
}

function addEvent(
  collected: Collected,
  { event, piece, from, bytes }: EventLine,
  artifacts: Artifacts,
): void {
  const { rows, ulids, sessions } = collected;
  const chunks = chunksOf(event, (id) => artifacts.read(id));
  if (chunks.length === 0) {
    return;
  }
  for (const [at, { text }] of chunks.entries()) {
    const length = addTerms(collected.postings, ulids.length, text);
    rows.push(at + 1, length, piece, from, bytes);
    ulids.push(event.id.slice("evt_".length));
  }
  sessions.set(event.session, (sessions.get(event.session) ?? 0) + chunks.length);
}

/** @returns how many terms the text has. */
function addTerms(postings: Map<string, number[]>, chunk: number, text: string): number {
  const terms = tokenize(text);
  for (const [term, frequency] of countEach(terms)) {
    const posting = toPosting(chunk, frequency);
    const known = postings.get(term);
    // An array that begins with one item takes less memory than one that grows to it.
    if (known === undefined) {
      postings.set(term, [posting]);
    } else {
      known.push(posting);
    }
  }
  return terms.length;
}

/** The terms in order, and their lists, each after its checksum. */
function dictionaryOf(postings: ReadonlyMap<string, readonly number[]>) {
  const sorted = [...postings].sort(([a], [b]) => (a < b ? -1 : 1));
  const terms = Buffer.from(sorted.map(([term]) => term).join(""));
  const count = sumBy(sorted, ([, list]) => 1 + list.length);
  const lists = new Uint32Array(count);
  const termEnds = new Uint32Array(sorted.length);
  const listEnds = new Uint32Array(sorted.length);
  let termEnd = 0;
  let listEnd = 0;
  for (const [at, [term, list]] of sorted.entries()) {
    const from = listEnd + 1;
    listEnd = from + list.length;
    lists.set(list, from);
    lists[from - 1] = crc32(lists.subarray(from, listEnd));
    listEnds[at] = listEnd;
    termEnd += Buffer.byteLength(term);
    termEnds[at] = termEnd;
  }
  return { termEnds, terms, listEnds, lists };
}
