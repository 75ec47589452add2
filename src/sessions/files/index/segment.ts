/**
 * A segment: the words of some events of a day file, in memory or in an immutable file. (docs/design/sessions.md, "The index")
 * It contains no text. Its terms are hashes, which take less memory and are compared faster.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { lowerBound } from "../../../ground/core/lower-bound.ts";
import { readAt, withFile } from "../../../ground/files/open-file.ts";
import { countRead } from "../../../ground/files/read-count.ts";
import { identityIn } from "../../kinds/event.ts";

/** Raise it when segments, chunks or terms change: files of other versions are removed. */
export const VERSION = 12;

/** A file begins with its checksum, and the number of terms, fields of rows, events and postings. */
const HEAD_NUMBERS = 6;
const NUMBER_BYTES = 4;
const HEAD_BYTES = HEAD_NUMBERS * NUMBER_BYTES;
const ULID_LENGTH = 26;
/** At 48 bits, two of a million words practically never have the same hash. */
const TERM_BYTES = 6;
/** A posting is the number of a chunk and, in the lower bits, how often the chunk has the term. */
const FREQUENCY_BITS = 12;
const MAX_FREQUENCY = 2 ** FREQUENCY_BITS - 1;

/** Bytes of a day file, from the beginning of a line to the end of one. */
export interface Range {
  /** The identity of the day file, as `coverage.ts` gives it. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** The location of a chunk. The column stores the fields in this order. */
export interface ChunkRow {
  /** The number of the chunk in its event, from 1 on. */
  readonly part: number;
  /** How many terms the chunk has, repetitions included. */
  readonly length: number;
  /** The position and size of the event's line in the day file. */
  readonly from: number;
  readonly bytes: number;
}
const ROW_FIELDS = 4;

export interface Columns {
  /** The fields of each chunk. */
  readonly rows: Uint32Array;
  /** The ULIDs of the chunks' events, one after the other. */
  readonly ulids: string;
  /** The hashes of the events' identities, sorted, and the first chunks of these events. */
  readonly hashes: Uint32Array;
  readonly owners: Uint32Array;
  /** The hashes of the terms, sorted, and the end of each term's list in the lists. */
  readonly terms: Float64Array;
  readonly listEnds: Uint32Array;
  /** The postings of each term. */
  readonly lists: Uint32Array;
  /** The sessions in order, and how many chunks each has. */
  readonly sessions: readonly (readonly [session: string, chunks: number])[];
}

/** Thrown if segments don't fit the day file that they cover, or are damaged. */
export class StaleSegmentError extends Error {
  /** The day file, as in `Range`. */
  readonly file: string;

  constructor(file: string) {
    super(`the index of ${file} is damaged`);
    this.file = file;
  }
}

/** The chunks of a segment are numbered by session and then by time. */
export class Segment {
  readonly range: Range;
  readonly columns: Columns;
  /** The number of chunks. */
  readonly chunks: number;

  constructor(range: Range, columns: Columns) {
    this.range = range;
    this.columns = columns;
    this.chunks = columns.rows.length / ROW_FIELDS;
  }

  row(chunk: number): ChunkRow {
    const at = chunk * ROW_FIELDS;
    const fields = this.columns.rows.subarray(at, at + ROW_FIELDS);
    const [part = 0, length = 0, from = 0, bytes = 0] = fields;
    return { part, length, from, bytes };
  }

  partOf(chunk: number): number {
    return this.columns.rows[chunk * ROW_FIELDS] as number;
  }

  lengthOf(chunk: number): number {
    return this.columns.rows[chunk * ROW_FIELDS + 1] as number;
  }

  /** The ULID of a chunk's event. */
  ulidOf(chunk: number): string {
    return this.columns.ulids.slice(chunk * ULID_LENGTH, (chunk + 1) * ULID_LENGTH);
  }

  /** The first chunks of the events with a hash. */
  chunksWithHash(hash: number): number[] {
    const { hashes, owners } = this.columns;
    const chunks: number[] = [];
    const first = lowerBound(0, hashes.length, (at) => (hashes[at] as number) >= hash);
    for (let at = first; hashes[at] === hash; at++) chunks.push(owners[at] as number);
    return chunks;
  }

  /** The chunks that have a term, each with how often. @param term its hash. */
  postingsOf(term: number): Uint32Array {
    const { terms, listEnds, lists } = this.columns;
    const at = lowerBound(0, terms.length, (place) => (terms[place] as number) >= term);
    if (terms[at] !== term) return lists.subarray(0, 0);
    return lists.subarray(listEnds[at - 1] ?? 0, listEnds[at]);
  }
}

/** The hash by which a segment finds an event. */
export const hashOf = (id: string): number => crc32(identityIn(id));

/** The hash by which a segment finds a term. */
export const hashOfTerm = (term: string): number =>
  hash("sha256", term, "buffer").readUIntBE(0, TERM_BYTES);

export function toPosting(chunk: number, frequency: number): number {
  return chunk * 2 ** FREQUENCY_BITS + Math.min(frequency, MAX_FREQUENCY);
}

export const chunkIn = (posting: number): number => posting >>> FREQUENCY_BITS;

export const frequencyIn = (posting: number): number => posting & MAX_FREQUENCY;

/** The bytes of a segment's file: the head, the columns of numbers, and the rest as JSON. */
export function encodeSegment({ columns }: Segment): Buffer {
  const { terms, rows, hashes, owners, listEnds, lists, ulids, sessions } = columns;
  const head = Uint32Array.of(0, terms.length, rows.length, hashes.length, lists.length, 0);
  // The terms come first, because they must begin at a multiple of eight bytes.
  const numbers = [head, terms, rows, hashes, owners, listEnds, lists].map(bytesOf);
  const bytes = Buffer.concat([...numbers, Buffer.from(JSON.stringify({ ulids, sessions }))]);
  bytes.writeUInt32LE(checksumOf(bytes));
  return bytes;
}

/** Reads a segment's file and copies nothing. @throws StaleSegmentError for a damaged file, or the file system's error. */
export function openSegment(path: string, range: Range): Segment {
  const bytes = readFileSync(path);
  countRead(bytes.length);
  if (bytes.length < HEAD_BYTES || bytes.readUInt32LE() !== checksumOf(bytes))
    throw new StaleSegmentError(range.file);
  const { buffer, byteOffset } = bytes;
  const head = new Uint32Array(buffer, byteOffset, HEAD_NUMBERS);
  const [, termCount = 0, rowNumbers = 0, eventCount = 0, postingCount = 0] = head;
  const terms = new Float64Array(buffer, byteOffset + HEAD_BYTES, termCount);
  let end = terms.byteOffset + terms.byteLength;
  const next = (length: number): Uint32Array => {
    const column = new Uint32Array(buffer, end, length);
    end += column.byteLength;
    return column;
  };
  const rows = next(rowNumbers);
  const hashes = next(eventCount);
  const owners = next(eventCount);
  const listEnds = next(termCount);
  const lists = next(postingCount);
  const { ulids, sessions } = JSON.parse(bytes.toString("utf8", end - byteOffset));
  return new Segment(range, { terms, rows, hashes, owners, listEnds, lists, ulids, sessions });
}

/** The number of chunks in a segment's file. @throws the file system's error. */
export function countChunks(path: string): number {
  const head = withFile(path, (file) => readAt(file, 0, HEAD_BYTES));
  return head.length < HEAD_BYTES ? 0 : head.readUInt32LE(2 * NUMBER_BYTES) / ROW_FIELDS;
}

/** The checksum of all bytes after the first number, which it is. */
const checksumOf = (bytes: Buffer): number => crc32(bytes.subarray(NUMBER_BYTES));

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Float64Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
