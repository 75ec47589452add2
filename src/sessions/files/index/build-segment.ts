import { countEach } from "../../../ground/core/count-each.ts";
import { compare } from "../../../ground/core/text.ts";
import { linesOf } from "../../../ground/files/append-log.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";
import { type Event, identityIn } from "../../kinds/event.ts";
import { chunksOf } from "../../storing/chunks.ts";
import { artifactsOf } from "../../storing/mentions.ts";
import type { Artifacts } from "../artifacts.ts";
import { readEventLine } from "../event-line.ts";
import type { Lines } from "./coverage.ts";
import { type BuiltSegment, type ChunkRow, hashOf, sumOf, toPosting } from "./segment.ts";

/** An event and where its line is. */
interface EventLine extends Pick<ChunkRow, "piece" | "from" | "bytes"> {
  readonly event: Event;
}

/**
 * Indexes the events of some lines. If an event is there twice, the earliest counts.
 * @param isPurged an event that must not be indexed. @throws the file system's error if a file is gone.
 */
export function buildSegment(
  lines: readonly Lines[],
  artifacts: Artifacts,
  isPurged: (event: Event) => boolean,
): BuiltSegment {
  const inFileOrder = lines.toSorted(
    (a, b) => compare(a.piece.file, b.piece.file) || a.piece.from - b.piece.from,
  );
  const columns = new ColumnBuilder(artifacts);
  for (const line of linesInOrder(inFileOrder, isPurged)) columns.add(line);
  return {
    pieces: inFileOrder.map(({ piece }) => piece),
    textBytes: lines.reduce((sum, { textBytes }) => sum + textBytes, 0),
    ...columns.build(),
  };
}

/** Collects the chunks of events that come in the order of a segment. */
class ColumnBuilder {
  readonly #artifacts: Artifacts;
  readonly #rows: number[] = [];
  readonly #ulids: string[] = [];
  readonly #owners: number[] = [];
  readonly #sessions = new Map<string, number>();
  readonly #postings = new Map<string, number[]>();

  constructor(artifacts: Artifacts) {
    this.#artifacts = artifacts;
  }

  add({ event, piece, from, bytes }: EventLine): void {
    const ownArtifacts = artifactsOf(event);
    const chunks = chunksOf(event, (id) => this.#artifacts.read(id));
    if (chunks.length === 0) return;
    this.#owners.push(this.#ulids.length);
    let shownEnd = 0;
    for (const [at, { text, hidden }] of chunks.entries()) {
      const start = hidden?.start ?? shownEnd;
      const end = start + text.length;
      if (hidden === undefined) shownEnd = end;
      const artifact = hidden === undefined ? 0 : ownArtifacts.indexOf(hidden.artifact) + 1;
      const length = this.#addTerms(text);
      this.#rows.push(at + 1, length, piece, from, bytes, artifact, start, end);
      this.#ulids.push(event.id.slice("evt_".length));
    }
    const { session } = event;
    this.#sessions.set(session, (this.#sessions.get(session) ?? 0) + chunks.length);
  }

  build(): Pick<BuiltSegment, "sessions" | "columns" | "lists"> {
    const hashed = this.#owners.map((chunk) => ({
      chunk,
      hash: hashOf(this.#ulids[chunk] as string),
    }));
    hashed.sort((a, b) => a.hash - b.hash);
    const { termEnds, terms, listEnds, lists } = dictionaryOf(this.#postings);
    const columns = {
      rows: Uint32Array.from(this.#rows),
      hashes: Uint32Array.from(hashed, ({ hash }) => hash),
      owners: Uint32Array.from(hashed, ({ chunk }) => chunk),
      termEnds,
      listEnds,
      ulids: Buffer.from(this.#ulids.join(""), "latin1"),
      terms,
    };
    return { sessions: [...this.#sessions], columns, lists };
  }

  /** @returns how many terms the text has. */
  #addTerms(text: string): number {
    const chunk = this.#ulids.length;
    const terms = tokenize(text);
    for (const [term, frequency] of countEach(terms)) {
      const posting = toPosting(chunk, frequency);
      const known = this.#postings.get(term);
      // An array that begins with its one item takes less memory than one that grows to it.
      if (known === undefined) this.#postings.set(term, [posting]);
      else known.push(posting);
    }
    return terms.length;
  }
}

/** The terms in order, and their lists, each after its checksum. */
function dictionaryOf(postings: ReadonlyMap<string, readonly number[]>) {
  const sorted = [...postings].sort(([a], [b]) => (a < b ? -1 : 1));
  const terms = Buffer.from(sorted.map(([term]) => term).join(""));
  const count = sorted.reduce((sum, [, list]) => sum + 1 + list.length, 0);
  const lists = new Uint32Array(count);
  const termEnds = new Uint32Array(sorted.length);
  const listEnds = new Uint32Array(sorted.length);
  let termEnd = 0;
  let listEnd = 0;
  for (const [at, [term, list]] of sorted.entries()) {
    const from = listEnd + 1;
    listEnd = from + list.length;
    lists.set(list, from);
    lists[from - 1] = sumOf(lists.subarray(from, listEnd));
    listEnds[at] = listEnd;
    termEnd += Buffer.byteLength(term);
    termEnds[at] = termEnd;
  }
  return { termEnds, terms, listEnds, lists };
}

/** The events of lines by session and then by time, each once. */
function linesInOrder(
  allLines: readonly Lines[],
  isPurged: (event: Event) => boolean,
): EventLine[] {
  const byIdentity = new Map<string, EventLine>();
  for (const [piece, lines] of allLines.entries()) {
    for (const line of linesOf(lines.bytes)) {
      const event = readEventLine(line);
      if (event === undefined || isPurged(event)) continue;
      const known = byIdentity.get(identityIn(event.id));
      if (known !== undefined && known.event.id <= event.id) continue;
      const from = lines.piece.from + line.byteOffset - lines.bytes.byteOffset;
      const place = { piece, from, bytes: line.length };
      byIdentity.set(identityIn(event.id), { event, ...place });
    }
  }
  return [...byIdentity.values()].sort(
    (a, b) => compare(a.event.session, b.event.session) || compare(a.event.id, b.event.id),
  );
}
