/**
 * A segment: the words of some events, in memory or in an immutable file. It contains no text. (docs/design/sessions.md, "The index")
 * A file has checksums, the sizes of its parts, the columns, and at its end the header as JSON.
 */
import { fstatSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { crc32 } from "node:zlib";
import { lowerBound } from "../../../ground/core/collections.ts";
import { ignoreMissing } from "../../../ground/files/file-errors.ts";
import { countRead, readAt, withFile } from "../../../ground/files/read-files.ts";
import { identityIn } from "../../kinds/event.ts";
import type { Piece } from "./coverage.ts";

/** Raise it when segments, chunks or terms change: files of other versions are removed. @internal */
export const VERSION = 12;
export const SEGMENT_SUFFIX = `.v${VERSION}.words`;

const NUMBER_BYTES = 4;
const ULID_BYTES = 26;
/** The columns and the header. */
const PARTS = 9;
/** A file begins with the checksum of everything after it, then that of the header, then the size of each part. */
const PARTS_START = (2 + PARTS) * NUMBER_BYTES;
/** A posting is the number of a chunk and, in the lower bits, how often the chunk has the term. */
const FREQUENCY_BITS = 12;
const MAX_FREQUENCY = 2 ** FREQUENCY_BITS - 1;

/** The location of a chunk. The column stores the fields in this order. */
export interface ChunkRow {
  /** The number of the chunk in its event, from 1 on. */
  readonly part: number;
  /** The segment's piece with the event's line, and the position and size of the line in its file. */
  readonly piece: number;
  readonly from: number;
  readonly bytes: number;
}
const ROW_FIELDS = 4;

/** Columns of numbers come first in a file, so they begin at a multiple of four bytes. */
export interface Columns {
  /** The fields of each chunk. */
  readonly rows: Uint32Array;
  /** How many terms each chunk has, repetitions included. */
  readonly lengths: Uint32Array;
  /** A hash of the event's identity for the first chunk of each event, and 0 for its other chunks. */
  readonly hashes: Uint32Array;
  /** The end of each term in `terms`, and of its postings. */
  readonly termEnds: Uint32Array;
  readonly postingEnds: Uint32Array;
  readonly postings: Uint32Array;
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
}

/** The chunks of a segment are numbered by session and then by time. */
export class Segment {
  /** The name of its file. Undefined in memory. */
  readonly name: string | undefined;
  readonly header: SegmentHeader;
  /** The number of chunks. */
  readonly chunks: number;
  readonly columns: Columns;

  constructor({ header, columns }: BuiltSegment, name?: string) {
    this.name = name;
    this.header = header;
    this.chunks = columns.lengths.length;
    this.columns = columns;
  }

  row(chunk: number): ChunkRow {
    const at = chunk * ROW_FIELDS;
    const fields = this.columns.rows.subarray(at, at + ROW_FIELDS);
    const [part = 0, piece = 0, from = 0, bytes = 0] = fields;
    return { part, piece, from, bytes };
  }

  partOf(chunk: number): number {
    return this.columns.rows[chunk * ROW_FIELDS] as number;
  }

  /** The ULID of a chunk's event. */
  ulidOf(chunk: number): string {
    return this.columns.ulids.toString("latin1", chunk * ULID_BYTES, (chunk + 1) * ULID_BYTES);
  }

  /** How many chunks have a term. */
  holderCount(term: string): number {
    return this.#postingsOf(term).length;
  }

  /** Visits the chunks that have a term. */
  eachHolder(term: string, visit: (chunk: number, frequency: number) => void): void {
    for (const posting of this.#postingsOf(term))
      visit(posting >>> FREQUENCY_BITS, posting & MAX_FREQUENCY);
  }

  #postingsOf(term: string): Uint32Array {
    const { postingEnds, postings } = this.columns;
    const at = lowerBound(0, postingEnds.length, (place) => this.#termAt(place) >= term);
    if (at === postingEnds.length || this.#termAt(at) !== term) return new Uint32Array();
    return postings.subarray(postingEnds[at - 1] ?? 0, postingEnds[at]);
  }

  #termAt(at: number): string {
    const { terms, termEnds } = this.columns;
    return terms.toString("utf8", termEnds[at - 1] ?? 0, termEnds[at]);
  }
}

/** The hash by which copies of an event are found. */
export const hashOf = (id: string): number => crc32(identityIn(id));

export function toPosting(chunk: number, frequency: number): number {
  return chunk * 2 ** FREQUENCY_BITS + Math.min(frequency, MAX_FREQUENCY);
}

/** The bytes of a segment's file. */
export function encodeSegment({ header, columns }: BuiltSegment): Buffer {
  const { rows, lengths, hashes, termEnds, postingEnds, postings, terms, ulids } = columns;
  const numbers = [rows, lengths, hashes, termEnds, postingEnds, postings].map(bytesOf);
  const headerBytes = Buffer.from(JSON.stringify(header));
  const parts = [...numbers, terms, ulids, headerBytes];
  const sizes = parts.map(({ length }) => length);
  const prefix = Uint32Array.of(crc32(headerBytes), ...sizes);
  const rest = Buffer.concat([bytesOf(prefix), ...parts]);
  const sum = Uint32Array.of(crc32(rest));
  return Buffer.concat([bytesOf(sum), rest]);
}

/** Reads a segment's file. Undefined for a damaged or missing one. */
export function openSegment(path: string): Segment | undefined {
  const bytes = ignoreMissing(() => readFileSync(path));
  if (bytes === undefined) return undefined;
  countRead(bytes.length);
  const [sum, , ...sizes] = numbersIn(bytes.subarray(0, PARTS_START));
  if (sum !== crc32(bytes.subarray(NUMBER_BYTES))) return undefined;
  let start = PARTS_START;
  const parts: Buffer[] = [];
  for (const size of sizes) {
    parts.push(bytes.subarray(start, start + size));
    start += size;
  }
  const part = (at: number): Buffer => parts[at] as Buffer;
  const columns = {
    rows: numbersIn(part(0)),
    lengths: numbersIn(part(1)),
    hashes: numbersIn(part(2)),
    termEnds: numbersIn(part(3)),
    postingEnds: numbersIn(part(4)),
    postings: numbersIn(part(5)),
    terms: part(6),
    ulids: part(7),
  };
  const header = JSON.parse(part(8).toString());
  return new Segment({ header, columns }, basename(path));
}

/** Reads only the header of a segment's file. Undefined for a damaged or missing one. */
export function readHeader(path: string): SegmentHeader | undefined {
  const read = (file: number): Buffer | undefined => {
    const [, sum, ...sizes] = numbersIn(readCounted(file, 0, PARTS_START));
    const size = sizes.pop() ?? 0;
    const start = sizes.reduce((end, one) => end + one, PARTS_START);
    if (start + size !== fstatSync(file).size) return undefined;
    const bytes = readCounted(file, start, size);
    return crc32(bytes) === sum ? bytes : undefined;
  };
  const bytes = ignoreMissing(() => withFile(path, read));
  return bytes && JSON.parse(bytes.toString());
}

function readCounted(file: number, from: number, length: number): Buffer {
  countRead(length);
  return readAt(file, from, length);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const numbersIn = ({ buffer, byteOffset, length }: Buffer): Uint32Array =>
  new Uint32Array(buffer, byteOffset, Math.floor(length / NUMBER_BYTES));
