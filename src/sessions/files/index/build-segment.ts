/** Indexes lines of a day file as a segment. */
import { countEach } from "../../../ground/core/count-each.ts";
import { compare } from "../../../ground/core/text.ts";
import { linesOf } from "../../../ground/files/append-log.ts";
import { readAt, withFile } from "../../../ground/files/open-file.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";
import { type Event, identityIn } from "../../kinds/event.ts";
import { chunksOf } from "../../storing/chunks.ts";
import type { Artifacts } from "../artifacts.ts";
import { readEventLine } from "../event-line.ts";
import type { Gap } from "./coverage.ts";
import { type Columns, hashOf, hashOfTerm, Segment, toPosting } from "./segment.ts";

export interface Indexing {
  readonly artifacts: Artifacts;
  /** An event that must not be indexed. */
  readonly isPurged: (event: Event) => boolean;
  /** About how many bytes of events to index, whole texts included. */
  readonly mostBytes: number;
}

export interface Built {
  readonly segment: Segment;
  /** The size of the events, whole texts in artifacts included. */
  readonly textBytes: number;
  /** The rest of the gap. Undefined if it's all indexed, except a torn last line. */
  readonly left: Gap | undefined;
}

/** An event, the location of its line, and the texts of its chunks. */
interface EventLine {
  readonly event: Event;
  readonly from: number;
  readonly bytes: number;
  readonly texts: readonly string[];
}

/** The events of some lines by identity, and where the lines end. */
interface ReadEvents {
  readonly events: ReadonlyMap<string, EventLine>;
  readonly textBytes: number;
  readonly end: number;
}

/**
 * Indexes the lines of a gap, at least one, up to a limit. If an event is in them twice, the earliest counts.
 * @param from an earlier place than the gap's, to index the events of a small segment again.
 * @throws SentinelError `old_format`, or the file system's error.
 */
export function buildSegment(gap: Gap, from: number, indexing: Indexing): Built {
  const { file, path, to } = gap;
  const known = gap.from - from;
  const most = known + indexing.mostBytes;
  const { bytes, isAll } = withFile(path, (open) => readWholeLines(open, from, to, known, most));
  const { events, textBytes, end } = readEvents(bytes, from, gap, indexing);
  const ordered = [...events.values()].sort(
    (a, b) => compare(a.event.session, b.event.session) || compare(a.event.id, b.event.id),
  );
  const isWhole = isAll && end === from + bytes.length;
  return {
    segment: new Segment({ file, from, to: end }, columnsOf(ordered)),
    textBytes,
    left: isWhole ? undefined : { ...gap, from: end },
  };
}

/** Reads about `most` bytes up to the end of a line beyond the `known` bytes. `isAll` if only a torn line may follow. */
function readWholeLines(
  file: number,
  from: number,
  to: number,
  known: number,
  most: number,
): { readonly bytes: Buffer; readonly isAll: boolean } {
  for (let length = Math.min(most, to - from); ; length = Math.min(2 * length, to - from)) {
    const bytes = readAt(file, from, length);
    const end = bytes.lastIndexOf("\n") + 1;
    const isAll = length === to - from;
    if (end > known || isAll) return { bytes: bytes.subarray(0, end), isAll };
  }
}

function readEvents(bytes: Buffer, from: number, gap: Gap, indexing: Indexing): ReadEvents {
  const events = new Map<string, EventLine>();
  let textBytes = 0;
  for (const line of linesOf(bytes)) {
    const start = from + line.byteOffset - bytes.byteOffset;
    const isFull = textBytes > indexing.mostBytes && start > gap.from;
    if (isFull) return { events, textBytes, end: start };
    const read = readLine(line, start, indexing);
    const length = read?.texts.reduce((sum, text) => sum + text.length, 0) ?? 0;
    textBytes += Math.max(line.length, length);
    if (read === undefined) continue;
    const identity = identityIn(read.event.id);
    const known = events.get(identity);
    if (known === undefined || read.event.id < known.event.id) events.set(identity, read);
  }
  return { events, textBytes, end: from + bytes.length };
}

/** Undefined for a damaged line, or a purged event. */
function readLine(
  line: Buffer,
  from: number,
  { artifacts, isPurged }: Indexing,
): EventLine | undefined {
  const event = readEventLine(line);
  if (event === undefined || isPurged(event)) return undefined;
  const texts = chunksOf(event, (id) => artifacts.read(id)).map(({ text }) => text);
  return { event, from, bytes: line.length, texts };
}

function columnsOf(lines: readonly EventLine[]): Columns {
  const rows: number[] = [];
  const ulids: string[] = [];
  const owners: { readonly hash: number; readonly chunk: number }[] = [];
  const sessions = new Map<string, number>();
  const postings = new Map<string, number[]>();
  for (const { event, from, bytes, texts } of lines) {
    if (texts.length === 0) continue;
    owners.push({ hash: hashOf(event.id), chunk: ulids.length });
    for (const [at, text] of texts.entries()) {
      const length = addTerms(postings, ulids.length, text);
      rows.push(at + 1, length, from, bytes);
      ulids.push(event.id.slice("evt_".length));
    }
    sessions.set(event.session, (sessions.get(event.session) ?? 0) + texts.length);
  }
  owners.sort((a, b) => a.hash - b.hash);
  return {
    rows: Uint32Array.from(rows),
    ulids: ulids.join(""),
    hashes: Uint32Array.from(owners, ({ hash }) => hash),
    owners: Uint32Array.from(owners, ({ chunk }) => chunk),
    ...dictionaryOf(postings),
    sessions: [...sessions],
  };
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

/** The hashes of the terms in order, and their lists. */
function dictionaryOf(
  postings: ReadonlyMap<string, readonly number[]>,
): Pick<Columns, "terms" | "listEnds" | "lists"> {
  const hashed = [...postings].map(([term, list]) => ({ hash: hashOfTerm(term), list }));
  hashed.sort((a, b) => a.hash - b.hash);
  const lists = new Uint32Array(hashed.reduce((sum, { list }) => sum + list.length, 0));
  const listEnds = new Uint32Array(hashed.length);
  let end = 0;
  for (const [at, { list }] of hashed.entries()) {
    lists.set(list, end);
    end += list.length;
    listEnds[at] = end;
  }
  return { terms: Float64Array.from(hashed, ({ hash }) => hash), listEnds, lists };
}
