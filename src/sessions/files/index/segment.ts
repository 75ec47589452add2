/**
 * A segment: an immutable file with the words of some events (docs/design/sessions.md, "The index").
 * It has a header, columns that stay in memory, and a list of chunks for each term, which is read
 * when a query asks for it. Each has a checksum. A segment contains no text.
 */

import { fstatSync } from "node:fs";
import { basename } from "node:path";
import { crc32 } from "node:zlib";
import { lowerBound } from "../../../ground/core/lower-bound.ts";
import { hasCode, ignoreMissing } from "../../../ground/files/file-errors.ts";
import { readAt, withFile } from "../../../ground/files/open-file.ts";
import { countRead } from "../../../ground/files/read-count.ts";
import { identityIn } from "../../kinds/event.ts";
import type { Piece } from "./coverage.ts";

/** Raise it when segments, chunks or terms change: files of other versions are removed. @internal */
export const VERSION = 9;
export const SEGMENT_SUFFIX = `.v${VERSION}.words`;

/** The length and the checksum of the header. */
const PREFIX_BYTES = 8;
const NUMBER_BYTES = 4;
const ULID_BYTES = 26;
/** A posting is the number of a chunk and, in the lower bits, how often the chunk has the term. */
const FREQUENCY_BITS = 12;
const MAX_FREQUENCY = 2 ** FREQUENCY_BITS - 1;

/** Where a chunk is. In a segment, the fields follow each other in this order. */
export interface ChunkRow {
  /** The number of the chunk in its event, from 1 on. */
  readonly part: number;
  /** How many terms the chunk has, repetitions included. */
  readonly length: number;
  /** Which of the segment's pieces contains the line of the event, and where the line is in its file. */
  readonly piece: number;
  readonly from: number;
  readonly bytes: number;
  /** 0 for a part of the event's text, else which of the event's artifacts contains the chunk, from 1 on. */
  readonly artifact: number;
  /** Where the chunk is in that text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}
const ROW_FIELDS = 8;
const LENGTH_FIELD = 1;

/** What stays in memory. Numbers come first in the file, so that each column of them begins at a multiple of four bytes. */
export interface Columns {
  /** The fields of each chunk. */
  readonly rows: Uint32Array;
  /** The hashes of the events' identities, sorted, and the first chunks of these events. */
  readonly hashes: Uint32Array;
  readonly owners: Uint32Array;
  /** Where each term ends in `terms`, and its list in the lists. */
  readonly termEnds: Uint32Array;
  readonly listEnds: Uint32Array;
  /** The ULID of each chunk's event. */
  readonly ulids: Buffer;
  /** The terms in order. */
  readonly terms: Buffer;
}
const COLUMNS = ["rows", "hashes", "owners", "termEnds", "listEnds", "ulids", "terms"] as const;

export interface SegmentHeader {
  readonly pieces: readonly Piece[];
  /** The size of the events, whole texts in artifacts included. */
  readonly textBytes: number;
  /** The sessions in order, and how many chunks each has. */
  readonly sessions: readonly (readonly [session: string, chunks: number])[];
}

/** The content of a segment that was built. `lists` has a checksum before the postings of each term. */
export interface BuiltSegment extends SegmentHeader {
  readonly columns: Columns;
  readonly lists: Uint32Array;
}

interface StoredHeader extends SegmentHeader {
  readonly columnBytes: Readonly<Record<keyof Columns, number>>;
  readonly sum: number;
}

/** A segment's bytes aren't what was written, or its file is gone. */
export class DamagedSegmentError extends Error {
  /** The name of the file; undefined for a segment in memory. */
  readonly segment: string | undefined;

  constructor(segment: string | undefined) {
    super(`the index is damaged: ${segment}`);
    this.segment = segment;
  }
}

/** The chunks of a segment, numbered by session and then by time. */
export class Segment {
  /** The name of its file; undefined in memory. */
  readonly name: string | undefined;
  readonly header: SegmentHeader;
  readonly columns: Columns;
  readonly chunks: number;
  readonly #readList: (from: number, end: number) => Uint32Array;

  /** @param readList reads numbers of the lists. */
  constructor(
    name: string | undefined,
    header: SegmentHeader,
    columns: Columns,
    readList: (from: number, end: number) => Uint32Array,
  ) {
    this.name = name;
    this.header = header;
    this.columns = columns;
    this.chunks = columns.rows.length / ROW_FIELDS;
    this.#readList = readList;
  }

  row(chunk: number): ChunkRow {
    const at = chunk * ROW_FIELDS;
    const [part = 0, length = 0, piece = 0, from = 0, bytes = 0, artifact = 0, start = 0, end = 0] =
      this.columns.rows.subarray(at, at + ROW_FIELDS);
    return { part, length, piece, from, bytes, artifact, start, end };
  }

  partOf(chunk: number): number {
    return this.columns.rows[chunk * ROW_FIELDS] as number;
  }

  lengthOf(chunk: number): number {
    return this.columns.rows[chunk * ROW_FIELDS + LENGTH_FIELD] as number;
  }

  /** The ULID of a chunk's event. */
  ulidOf(chunk: number): string {
    return this.columns.ulids.toString("latin1", chunk * ULID_BYTES, (chunk + 1) * ULID_BYTES);
  }

  /** The first chunks of the events with a hash. */
  chunksWithHash(hash: number): number[] {
    const chunks: number[] = [];
    const first = lowerBound(
      0,
      this.columns.hashes.length,
      (at) => (this.columns.hashes[at] as number) >= hash,
    );
    for (let at = first; this.columns.hashes[at] === hash; at++)
      chunks.push(this.columns.owners[at] as number);
    return chunks;
  }

  /** The first chunk of an event, whatever time its id has. */
  chunkOfEvent(id: string): number | undefined {
    const identity = identityIn(id);
    return this.chunksWithHash(hashOf(id)).find(
      (chunk) => identityIn(this.ulidOf(chunk)) === identity,
    );
  }

  /** How many chunks have a term. */
  holderCount(term: string): number {
    const { from, end } = this.#listOf(term);
    return Math.max(0, end - from - 1);
  }

  /** Visits the chunks that have a term. @throws DamagedSegmentError */
  eachHolder(term: string, visit: (chunk: number, frequency: number) => void): void {
    const { from, end } = this.#listOf(term);
    if (from === end) return;
    const list = this.#readList(from, end);
    const postings = list.subarray(1);
    if (list[0] !== sumOf(postings)) throw new DamagedSegmentError(this.name);
    for (const posting of postings) visit(posting >>> FREQUENCY_BITS, posting & MAX_FREQUENCY);
  }

  /** The place of a term's list; empty if no chunk has the term. */
  #listOf(term: string): { readonly from: number; readonly end: number } {
    const count = this.columns.termEnds.length;
    const at = lowerBound(0, count, (place) => this.#termAt(place) >= term);
    if (at === count || this.#termAt(at) !== term) return { from: 0, end: 0 };
    return { from: this.columns.listEnds[at - 1] ?? 0, end: this.columns.listEnds[at] as number };
  }

  #termAt(at: number): string {
    return this.columns.terms.toString(
      "utf8",
      this.columns.termEnds[at - 1] ?? 0,
      this.columns.termEnds[at],
    );
  }
}

/** A segment that isn't written to the disk. */
export const inMemory = (built: BuiltSegment): Segment =>
  new Segment(undefined, built, built.columns, (from, end) => built.lists.subarray(from, end));

/** The bytes of a segment's file. */
export function encodeSegment({ columns, lists, ...header }: BuiltSegment): Buffer {
  const parts = COLUMNS.map((name) => bytesOf(columns[name]));
  const body = Buffer.concat(parts);
  const columnBytes = Object.fromEntries(COLUMNS.map((name, at) => [name, parts[at]?.length]));
  const stored = Buffer.from(JSON.stringify({ ...header, columnBytes, sum: crc32(body) }));
  const prefix = bytesOf(Uint32Array.of(stored.length, crc32(stored)));
  return Buffer.concat([prefix, stored, body, bytesOf(lists)]);
}

/** Opens a segment's file and reads all but the lists. @throws DamagedSegmentError */
export function openSegment(path: string): Segment {
  const name = basename(path);
  const read = readFromSegment(path, (file) => {
    const stored = headerIn(file);
    if (stored === undefined) return undefined;
    const size = COLUMNS.reduce((sum, column) => sum + stored.header.columnBytes[column], 0);
    return { ...stored, body: readCounted(file, stored.end, size), lists: stored.end + size };
  });
  if (read === undefined || crc32(read.body) !== read.header.sum)
    throw new DamagedSegmentError(name);
  const { header, body, lists } = read;
  const readList = (from: number, end: number): Uint32Array => {
    const start = lists + NUMBER_BYTES * from;
    return numbersIn(
      readFromSegment(path, (file) => readCounted(file, start, NUMBER_BYTES * (end - from))),
    );
  };
  return new Segment(name, header, columnsIn(body, header), readList);
}

/** Reads what a segment covers, without the rest. @returns undefined if the file is damaged, gone, or not a segment. */
export function readHeader(path: string): SegmentHeader | undefined {
  return ignoreMissing(() => withFile(path, headerIn))?.header;
}

/** The hash by which a segment finds an event. */
export const hashOf = (id: string): number => crc32(identityIn(id));

export function toPosting(chunk: number, frequency: number): number {
  return chunk * 2 ** FREQUENCY_BITS + Math.min(frequency, MAX_FREQUENCY);
}

/** The checksum before a list. */
export const sumOf = (postings: Uint32Array): number => crc32(postings);

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Buffer): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

function numbersIn(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / NUMBER_BYTES);
}

function columnsIn(body: Buffer, { columnBytes }: StoredHeader): Columns {
  let end = 0;
  const next = (name: keyof Columns): Buffer => {
    const from = end;
    end += columnBytes[name];
    return body.subarray(from, end);
  };
  return {
    rows: numbersIn(next("rows")),
    hashes: numbersIn(next("hashes")),
    owners: numbersIn(next("owners")),
    termEnds: numbersIn(next("termEnds")),
    listEnds: numbersIn(next("listEnds")),
    ulids: next("ulids"),
    terms: next("terms"),
  };
}

/** The header of an open file and where it ends; undefined if it is damaged. */
function headerIn(file: number): { header: StoredHeader; end: number } | undefined {
  const { size } = fstatSync(file);
  if (size < PREFIX_BYTES) return undefined;
  const [length = 0, sum = 0] = numbersIn(readCounted(file, 0, PREFIX_BYTES));
  const end = PREFIX_BYTES + length;
  if (end > size) return undefined;
  const bytes = readCounted(file, PREFIX_BYTES, length);
  return crc32(bytes) === sum ? { header: JSON.parse(bytes.toString()), end } : undefined;
}

function readFromSegment<Result>(path: string, read: (file: number) => Result): Result {
  try {
    return withFile(path, read);
  } catch (error) {
    throw hasCode(error, "ENOENT") ? new DamagedSegmentError(basename(path)) : error;
  }
}

function readCounted(file: number, from: number, length: number): Buffer {
  countRead(length);
  return readAt(file, from, length);
}
