/**
 * A segment: the words of some events, in memory or in an immutable file. (docs/design/sessions.md, "The index")
 * A file has columns that stay in memory, and a list of chunks for each term, which a query reads
 * when it asks for it. It contains no text.
 */
import { fstatSync } from "node:fs";
import { basename } from "node:path";
import { crc32 } from "node:zlib";
import { lowerBound, sumBy } from "../../../ground/core/collections.ts";
import { tryOr } from "../../../ground/core/errors.ts";
import { hasCode } from "../../../ground/files/file-errors.ts";
import { countRead, readAt, withFile } from "../../../ground/files/read-files.ts";
import { identityIn } from "../../kinds/event.ts";
import type { Piece } from "./coverage.ts";

/** Raise it when segments, chunks or terms change: files of other versions are removed. @internal */
export const VERSION = 14;
export const SEGMENT_SUFFIX = `.v${VERSION}.words`;

/** A file begins with the checksum of the columns and the header, and the sizes of these. The lists come last. */
const PREFIX_NUMBERS = 7;
const NUMBER_BYTES = 4;
const ULID_BYTES = 26;
/** A posting is the number of a chunk and, in the lower bits, how often the chunk has the term. */
const FREQUENCY_BITS = 12;
const MAX_FREQUENCY = 2 ** FREQUENCY_BITS - 1;

/** The location of a chunk. The column stores the fields in this order. */
export interface ChunkRow {
  /** The number of the chunk in its event, from 1 on. */
  readonly part: number;
  /** How many terms the chunk has, repetitions included. */
  readonly length: number;
  /** The segment's piece with the event's line, and the position and size of the line in its file. */
  readonly piece: number;
  readonly from: number;
  readonly bytes: number;
}
const ROW_FIELDS = 5;

/** The part that stays in memory. Columns of numbers come first in a file, so they begin at a multiple of four bytes. */
export interface Columns {
  /** The fields of each chunk. */
  readonly rows: Uint32Array;
  /** The end of each term in `terms`, and of its list in the lists. */
  readonly termEnds: Uint32Array;
  readonly listEnds: Uint32Array;
  /** The terms in order. */
  readonly terms: Buffer;
  /** The ULID of each chunk's event. */
  readonly ulids: Buffer;
}

export interface SegmentHeader {
  readonly pieces: readonly Piece[];
  /** The size of the events, whole texts in artifacts included. */
  readonly textBytes: number;
  /** The sessions in order, and how many chunks each has. */
  readonly sessions: readonly (readonly [session: string, chunks: number])[];
}

export interface BuiltSegment {
  readonly header: SegmentHeader;
  readonly columns: Columns;
  /** The postings of each term, after their checksum. */
  readonly lists: Uint32Array;
}

/** Thrown if a segment has unexpected contents, or its file is missing. */
export class DamagedSegmentError extends Error {
  /** The name of the file. Undefined for a segment in memory. */
  readonly segment: string | undefined;

  constructor(segment: string | undefined) {
    super(`the index is damaged: ${segment}`);
    this.segment = segment;
  }
}

/** Reads numbers of the lists of a segment. @throws DamagedSegmentError */
type ReadList = (from: number, end: number) => Uint32Array;

/** The chunks of a segment are numbered by session and then by time. */
export class Segment {
  /** The name of its file. Undefined in memory. */
  readonly name: string | undefined;
  readonly header: SegmentHeader;
  /** The number of chunks. */
  readonly chunks: number;
  readonly #columns: Columns;
  readonly #readList: ReadList;
  #hashes: Uint32Array | undefined;

  constructor(
    name: string | undefined,
    { header, columns }: Pick<BuiltSegment, "header" | "columns">,
    readList: ReadList,
  ) {
    this.name = name;
    this.header = header;
    this.chunks = columns.rows.length / ROW_FIELDS;
    this.#columns = columns;
    this.#readList = readList;
  }

  /** The hash of the event of each first chunk, and 0 for the chunks that continue one. Only a search needs them. */
  get hashes(): Uint32Array {
    this.#hashes ??= this.#hashEvents();
    return this.#hashes;
  }

  #hashEvents(): Uint32Array {
    const hashes = new Uint32Array(this.chunks);
    for (let chunk = 0; chunk < this.chunks; chunk++) {
      if (this.partOf(chunk) === 1) {
        hashes[chunk] = crc32(identityIn(this.ulidOf(chunk)));
      }
    }
    return hashes;
  }

  row(chunk: number): ChunkRow {
    const at = chunk * ROW_FIELDS;
    const fields = this.#columns.rows.subarray(at, at + ROW_FIELDS);
    const [part = 0, length = 0, piece = 0, from = 0, bytes = 0] = fields;
    return { part, length, piece, from, bytes };
  }

  partOf(chunk: number): number {
    return this.#columns.rows[chunk * ROW_FIELDS] as number;
  }

  lengthOf(chunk: number): number {
    return this.#columns.rows[chunk * ROW_FIELDS + 1] as number;
  }

  /** The ULID of a chunk's event. */
  ulidOf(chunk: number): string {
    return this.#columns.ulids.toString("latin1", chunk * ULID_BYTES, (chunk + 1) * ULID_BYTES);
  }

  /** How many chunks have a term. */
  holderCount(term: string): number {
    const { from, end } = this.#listOf(term);
    return Math.max(0, end - from - 1);
  }

  /** Visits the chunks that have a term. @throws DamagedSegmentError */
  eachHolder(term: string, visit: (chunk: number, frequency: number) => void): void {
    const { from, end } = this.#listOf(term);
    if (from === end) {
      return;
    }
    const list = this.#readList(from, end);
    const postings = list.subarray(1);
    if (list[0] !== crc32(postings)) {
      throw new DamagedSegmentError(this.name);
    }
    for (const posting of postings) {
      visit(posting >>> FREQUENCY_BITS, posting & MAX_FREQUENCY);
    }
  }

  /** The place of a term's list. Empty if no chunk has the term. */
  #listOf(term: string): { readonly from: number; readonly end: number } {
    const { listEnds } = this.#columns;
    const at = lowerBound(0, listEnds.length, (place) => this.#termAt(place) >= term);
    if (at === listEnds.length || this.#termAt(at) !== term) {
      return { from: 0, end: 0 };
    }
    return { from: listEnds[at - 1] ?? 0, end: listEnds[at] as number };
  }

  #termAt(at: number): string {
    const { terms, termEnds } = this.#columns;
    return terms.toString("utf8", termEnds[at - 1] ?? 0, termEnds[at]);
  }
}

/** The bytes of day files that segments cover. */
export const coveredBy = (segments: readonly Segment[]): Piece[] =>
  segments.flatMap(({ header }) => header.pieces);

export function toPosting(chunk: number, frequency: number): number {
  return chunk * 2 ** FREQUENCY_BITS + Math.min(frequency, MAX_FREQUENCY);
}

export const inMemory = (built: BuiltSegment): Segment =>
  new Segment(undefined, built, (from, end) => built.lists.subarray(from, end));

/** The bytes of a segment's file. */
export function encodeSegment({ header, columns, lists }: BuiltSegment): Buffer {
  const { rows, termEnds, listEnds, terms, ulids } = columns;
  const numbers = [rows, termEnds, listEnds].map(bytesOf);
  const parts = [...numbers, terms, ulids, Buffer.from(JSON.stringify(header))];
  const body = Buffer.concat(parts);
  const prefix = Uint32Array.of(crc32(body), ...parts.map(({ length }) => length));
  return Buffer.concat([bytesOf(prefix), body, bytesOf(lists)]);
}

/** Opens a segment's file and reads all but the lists. @throws DamagedSegmentError */
export function openSegment(path: string): Segment {
  const name = basename(path);
  const read = readFrom(path, (file) => {
    const [sum, ...sizes] = numbersIn(readCounted(file, 0, PREFIX_NUMBERS * NUMBER_BYTES));
    const size = sumBy(sizes, (one) => one);
    if (size > fstatSync(file).size) {
      return undefined;
    }
    const body = readCounted(file, PREFIX_NUMBERS * NUMBER_BYTES, size);
    if (crc32(body) !== sum) {
      return undefined;
    }
    return { size, decoded: tryOr(() => decode(body, sizes), undefined) };
  });
  if (read?.decoded === undefined) {
    throw new DamagedSegmentError(name);
  }
  const listsStart = PREFIX_NUMBERS * NUMBER_BYTES + read.size;
  return new Segment(name, read.decoded, (from, end) => {
    const start = listsStart + NUMBER_BYTES * from;
    const length = NUMBER_BYTES * (end - from);
    return numbersIn(readFrom(path, (file) => readCounted(file, start, length)));
  });
}

/** Undefined for a damaged or missing file. */
export function tryOpenSegment(path: string): Segment | undefined {
  try {
    return openSegment(path);
  } catch (error) {
    if (error instanceof DamagedSegmentError) {
      return undefined;
    }
    throw error;
  }
}

function decode(body: Buffer, sizes: readonly number[]): Omit<BuiltSegment, "lists"> {
  let end = 0;
  const parts: Buffer[] = [];
  for (const size of sizes) {
    parts.push(body.subarray(end, end + size));
    end += size;
  }
  const part = (at: number): Buffer => parts[at] as Buffer;
  return {
    header: JSON.parse(part(5).toString()),
    columns: {
      rows: numbersIn(part(0)),
      termEnds: numbersIn(part(1)),
      listEnds: numbersIn(part(2)),
      terms: part(3),
      ulids: part(4),
    },
  };
}

/** @throws DamagedSegmentError if the file is missing. */
function readFrom<Result>(path: string, read: (file: number) => Result): Result {
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

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const numbersIn = ({ buffer, byteOffset, length }: Buffer): Uint32Array =>
  new Uint32Array(buffer, byteOffset, Math.floor(length / NUMBER_BYTES));
