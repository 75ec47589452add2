/** A segment as it is read: little of it is in memory. */
import { firstWhere } from "../../../ground/core/first-where.ts";
import { remembering } from "../../../ground/core/remembering.ts";
import type { Holders } from "../../../ground/search/chunk-ranking.ts";
import { identityIn } from "../../kinds/event.ts";
import { ByteReader } from "./bytes.ts";
import { type Bytes, PAGE_BYTES } from "./pages.ts";
import { readPostings } from "./postings.ts";
import {
  BLOCK_BYTES,
  type Entry,
  hashOf,
  type Layout,
  PLACE_BYTES,
  ROW_BYTES,
  ROWS_A_PAGE,
  type Section,
  TERMS_A_BLOCK,
} from "./write-segment.ts";

/** The chunks of one session, a run of numbers. */
export interface Run {
  readonly session: string;
  readonly start: number;
  readonly end: number;
}

/** The place of a term that no chunk holds. */
const NOWHERE = { count: 0, from: 0, bytes: 0 };
/** Where the postings of a term are, and how many chunks they name. */
type TermPlace = Readonly<typeof NOWHERE>;
const TERMS_REMEMBERED = 1_000;

export class Segment {
  readonly layout: Layout;
  readonly #bytes: Bytes;
  /** Sections that stay in memory once they were read, and pages of rows by their numbers: a query meets a few hundred chunks. */
  readonly #kept = new Map<Section | number, Buffer>();
  /** Remembered: prompts of one project say the same words again and again. */
  readonly findTerm = remembering((term) => this.#readTerm(term), TERMS_REMEMBERED);
  #runs: readonly Run[] | undefined;
  #hashArray: Uint32Array | undefined;

  constructor(layout: Layout, bytes: Bytes) {
    this.layout = layout;
    this.#bytes = bytes;
  }

  /** How many terms each chunk has. */
  lengths(): Uint16Array {
    return new Uint16Array(copyOf(this.#section("lengths")));
  }

  runs(): readonly Run[] {
    if (this.#runs) return this.#runs;
    const reader = new ByteReader(this.#section("sessions"));
    const runs: Run[] = [];
    for (let start = 0; !reader.isAtEnd; ) {
      const session = reader.text();
      const end = start + reader.varint();
      runs.push({ session, start, end });
      start = end;
    }
    this.#runs = runs;
    return runs;
  }

  ulid(chunk: number): string {
    return this.#row(chunk).toString("latin1", PLACE_BYTES, ROW_BYTES);
  }

  place(chunk: number): Omit<Entry, "session" | "ulid" | "length"> {
    const row = this.#row(chunk);
    return {
      part: row.readUInt32LE(0),
      file: row.readUInt16LE(4),
      artifact: row.readUInt16LE(6),
      from: row.readUInt32LE(8),
      bytes: row.readUInt32LE(12),
      shared: row.readUInt32LE(16),
      start: row.readUInt32LE(20),
      end: row.readUInt32LE(24),
    };
  }

  /** The first chunk of the event that is the same as the one with this id. */
  chunkOfEvent(id: string): number | undefined {
    const hash = hashOf(id);
    const start = this.#firstWithHash(hash);
    for (let at = start; this.#hashes()[at] === hash; at++) {
      const chunk = this.#owner(at);
      if (identityIn(this.ulid(chunk)) === identityIn(id)) return chunk;
    }
    return undefined;
  }

  /** The ids of the events that another segment holds too: a retry, or what two captures read. */
  eventsAlsoIn(other: Segment): string[] {
    if (other.layout.chunks < this.layout.chunks) return other.eventsAlsoIn(this);
    const common: string[] = [];
    for (const [at, hash] of this.#hashes().entries()) {
      if (other.#hashes()[other.#firstWithHash(hash)] !== hash) continue;
      const id = this.ulid(this.#owner(at));
      if (other.chunkOfEvent(id) !== undefined) common.push(id);
    }
    return common;
  }

  #readTerm(term: string): TermPlace {
    const blocks = this.#keep("blocks");
    const block = firstWhere(0, blocks.readUInt32LE(0), (at) => this.#firstTerm(at) > term) - 1;
    if (block < 0) return NOWHERE;
    for (const [found, place] of this.#termsOf(block)) {
      if (found === term) return place;
      if (found > term) break;
    }
    return NOWHERE;
  }

  readPostings(
    { count, from, bytes }: TermPlace,
    each: (chunk: number, frequency: number) => void,
  ): void {
    const [start] = this.layout.sections.postings;
    readPostings(new ByteReader(this.#bytes.read(start + from, bytes)), count, each);
  }

  /** All terms in order. */
  *terms(): Generator<readonly [term: string, holders: Holders]> {
    const count = this.#keep("blocks").readUInt32LE(0);
    const [start] = this.layout.sections.postings;
    for (let block = 0; block < count; block++) {
      const terms = [...this.#termsOf(block)];
      const from = this.#blockField(block, 2);
      const bytes = terms.reduce((sum, [, place]) => sum + place.bytes, 0);
      const reader = new ByteReader(this.#bytes.read(start + from, bytes));
      for (const [term, { count }] of terms) {
        const chunks: number[] = [];
        const frequencies: number[] = [];
        readPostings(reader, count, (chunk, frequency) => {
          chunks.push(chunk);
          frequencies.push(frequency);
        });
        yield [term, { chunks, frequencies }];
      }
    }
  }

  /** All chunks in order. */
  *entries(): Generator<Entry> {
    const lengths = this.lengths();
    for (const { session, start, end } of this.runs())
      for (let chunk = start; chunk < end; chunk++)
        yield {
          session,
          ulid: this.ulid(chunk),
          length: lengths[chunk] as number,
          ...this.place(chunk),
        };
  }

  close(): void {
    this.#bytes.close();
  }

  /** Of the identities of its events, sorted. */
  #hashes(): Uint32Array {
    this.#hashArray ??= new Uint32Array(copyOf(this.#section("hashes")));
    return this.#hashArray;
  }

  #firstWithHash(hash: number): number {
    const hashes = this.#hashes();
    return firstWhere(0, hashes.length, (at) => (hashes[at] as number) >= hash);
  }

  #owner(at: number): number {
    return this.#keep("owners").readUInt32LE(4 * at);
  }

  *#termsOf(block: number): Generator<readonly [string, TermPlace]> {
    const [start, end] = this.layout.sections.terms;
    const from = this.#blockField(block, 1);
    const isLast = block + 1 === this.#keep("blocks").readUInt32LE(0);
    const until = isLast ? end - start : this.#blockField(block + 1, 1);
    const reader = new ByteReader(this.#bytes.read(start + from, until - from));
    let postings = this.#blockField(block, 2);
    let term = "";
    for (let at = 0; at < TERMS_A_BLOCK && !reader.isAtEnd; at++) {
      term = term.slice(0, reader.varint()) + reader.text();
      const place = { count: reader.varint(), from: postings, bytes: reader.varint() };
      yield [term, place];
      postings += place.bytes;
    }
  }

  #firstTerm(block: number): string {
    const blocks = this.#keep("blocks");
    const firsts = 4 + BLOCK_BYTES * blocks.readUInt32LE(0);
    return new ByteReader(blocks, firsts + this.#blockField(block, 0)).text();
  }

  #blockField(block: number, field: number): number {
    return this.#keep("blocks").readUInt32LE(4 + BLOCK_BYTES * block + 4 * field);
  }

  /** Its bytes, and what follows on its page. */
  #row(chunk: number): Buffer {
    return this.#keep(Math.floor(chunk / ROWS_A_PAGE)).subarray(ROW_BYTES * (chunk % ROWS_A_PAGE));
  }

  #keep(part: Section | number): Buffer {
    const known = this.#kept.get(part);
    if (known) return known;
    const bytes =
      typeof part === "number"
        ? this.#bytes.read(PAGE_BYTES * part, PAGE_BYTES)
        : this.#section(part);
    this.#kept.set(part, bytes);
    return bytes;
  }

  #section(name: Section): Buffer {
    const [from, end] = this.layout.sections[name];
    return this.#bytes.read(from, end - from);
  }
}

/** Numbers have to begin at a border of memory. */
const copyOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;
