/** Indexes some lines of a day file as a segment. */
import { crc32 } from "node:zlib";
import { countEach, sumBy } from "../../../ground/core/collections.ts";
import { compare } from "../../../ground/core/text.ts";
import { linesOf } from "../../../ground/files/append-log.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";
import type { Event } from "../../kinds/event.ts";
import { chunksOf } from "../../storing/chunks.ts";
import type { Artifacts } from "../artifacts.ts";
import { readEventLine } from "../event-line.ts";
import type { Lines } from "./coverage.ts";
import { type Columns, toPosting } from "./segment.ts";

/** An event and the location of its line. */
interface EventLine {
  readonly event: Event;
  readonly start: number;
  readonly size: number;
}

/** @param isPurged an event that must not be indexed. @returns also the lists of postings. */
export function buildSegment(
  { bytes, ...indexed }: Lines,
  artifacts: Artifacts,
  isPurged: (event: Event) => boolean,
): { readonly columns: Columns; readonly lists: Uint32Array } {
  const ulids: string[] = [];
  const parts: number[] = [];
  const lengths: number[] = [];
  const starts: number[] = [];
  const sizes: number[] = [];
  const sessions = new Map<string, number>();
  const postings = new Map<string, number[]>();
  for (const { event, start, size } of eventsInOrder(bytes, indexed.from, isPurged))
    for (const [at, { text }] of chunksOf(event, (id) => artifacts.read(id)).entries()) {
      lengths.push(addTerms(postings, ulids.length, text));
      ulids.push(event.id.slice("evt_".length));
      parts.push(at + 1);
      starts.push(start);
      sizes.push(size);
      sessions.set(event.session, (sessions.get(event.session) ?? 0) + 1);
    }
  const { lists, ...dictionary } = dictionaryOf(postings);
  const columns = {
    ...indexed,
    sessions: [...sessions],
    ulids,
    parts: Uint32Array.from(parts),
    lengths: Uint32Array.from(lengths),
    starts: Uint32Array.from(starts),
    sizes: Uint32Array.from(sizes),
    ...dictionary,
  };
  return { columns, lists };
}

/** The events by session and then by time. @param from the position of the lines in their file. */
function eventsInOrder(
  bytes: Buffer,
  from: number,
  isPurged: (event: Event) => boolean,
): EventLine[] {
  const found: EventLine[] = [];
  for (const line of linesOf(bytes)) {
    const event = readEventLine(line);
    if (event === undefined || isPurged(event)) continue;
    const start = from + line.byteOffset - bytes.byteOffset;
    found.push({ event, start, size: line.length });
  }
  return found.sort(
    (a, b) => compare(a.event.session, b.event.session) || compare(a.event.id, b.event.id),
  );
}

/** @returns how many terms the text has. */
function addTerms(postings: Map<string, number[]>, chunk: number, text: string): number {
  const terms = tokenize(text);
  for (const [term, frequency] of countEach(terms)) {
    const posting = toPosting(chunk, frequency);
    const known = postings.get(term);
    // An array that begins with one item takes less memory than one that grows to it.
    if (known === undefined) postings.set(term, [posting]);
    else known.push(posting);
  }
  return terms.length;
}

/** The terms in order, and their lists, each after its checksum. */
function dictionaryOf(postings: ReadonlyMap<string, readonly number[]>) {
  const sorted = Array.from(postings, ([term, list]) => ({ term: Buffer.from(term), list }));
  sorted.sort((a, b) => a.term.compare(b.term));
  const lists = new Uint32Array(sumBy(sorted, ({ list }) => 1 + list.length));
  const termEnds = new Uint32Array(sorted.length);
  const listEnds = new Uint32Array(sorted.length);
  let termEnd = 0;
  let listEnd = 0;
  for (const [at, { term, list }] of sorted.entries()) {
    const from = listEnd + 1;
    listEnd = from + list.length;
    lists.set(list, from);
    lists[from - 1] = crc32(lists.subarray(from, listEnd));
    listEnds[at] = listEnd;
    termEnd += term.length;
    termEnds[at] = termEnd;
  }
  return { terms: Buffer.concat(sorted.map(({ term }) => term)), termEnds, listEnds, lists };
}
