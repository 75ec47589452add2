/** A segment: the words of some lines of a day file, in memory or in an immutable file. It contains no text. (docs/design/sessions.md, "The index") */
import { rmSync, statSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { lowerBound } from "../../../ground/core/collections.ts";
import { tryOr } from "../../../ground/core/errors.ts";
import { countRead, readAt, withFile } from "../../../ground/files/read-files.ts";
import type { Indexed } from "./coverage.ts";

/** Raise it when segments, chunks or terms change: files of other versions are removed. */
export const VERSION = 17;

/** A posting is the number of a chunk and, in the lower bits, how often the chunk has the term. */
const FREQUENCY_BITS = 12;
const MAX_FREQUENCY = 2 ** FREQUENCY_BITS - 1;
const NUMBER_BYTES = 4;
const HEAD_BYTES = 2 * NUMBER_BYTES;

/** The part that stays in memory. Chunks are numbered by session and then by time, and columns have an entry for each. */
export interface Columns extends Indexed {
  /** The sessions in order, and how many chunks each has. */
  readonly sessions: readonly (readonly [session: string, chunks: number])[];
  /** The ULIDs of the events. */
  readonly ulids: readonly string[];
  /** The numbers of the chunks in their events, from 1 on. */
  readonly parts: Uint32Array;
  /** How many terms the chunks have, repetitions included. */
  readonly lengths: Uint32Array;
  /** The positions and sizes of the events' lines in the day file. */
  readonly starts: Uint32Array;
  readonly sizes: Uint32Array;
  /** The terms as UTF-8, in order of their bytes, and the end of each. */
  readonly terms: Buffer;
  readonly termEnds: Uint32Array;
  /** The end of each term's list. */
  readonly listEnds: Uint32Array;
}

export interface Segment extends Columns {
  /** Reads a list: its checksum, then the postings. A query reads only those of its terms. @throws `ENOENT` if it's damaged or missing. */
  readonly readList: (from: number, end: number) => Uint32Array;
}

export const toPosting = (chunk: number, frequency: number): number =>
  chunk * 2 ** FREQUENCY_BITS + Math.min(frequency, MAX_FREQUENCY);

export const chunkIn = (posting: number): number => posting >>> FREQUENCY_BITS;

export const frequencyIn = (posting: number): number => posting & MAX_FREQUENCY;

/** How many chunks have a term. */
export function holderCount(segment: Segment, term: string): number {
  const { from, end } = listOf(segment, term);
  return Math.max(0, end - from - 1);
}

/** @throws `ENOENT` if the segment is damaged or missing. */
export function postingsOf(segment: Segment, term: string): Uint32Array {
  const { from, end } = listOf(segment, term);
  return from === end ? new Uint32Array() : segment.readList(from, end).subarray(1);
}

/** The place of a term's list. Empty if no chunk has the term. */
function listOf({ terms, termEnds, listEnds }: Columns, term: string) {
  const wanted = Buffer.from(term);
  const compareAt = (at: number) =>
    terms.compare(wanted, 0, wanted.length, termEnds[at - 1] ?? 0, termEnds[at]);
  const at = lowerBound(0, termEnds.length, (place) => compareAt(place) >= 0);
  if (at === termEnds.length || compareAt(at) !== 0) return { from: 0, end: 0 };
  return { from: listEnds[at - 1] ?? 0, end: listEnds[at] as number };
}

/** The bytes of a segment's file: the checksum and the size of the columns, the columns, and the lists. */
export function encodeSegment(columns: Columns, lists: Uint32Array): Buffer {
  const body = serialize(columns);
  const head = Uint32Array.of(crc32(body), body.length);
  return Buffer.concat([bytesOf(head), body, bytesOf(lists)]);
}

/** Undefined for a damaged file. It's removed, so that its events are indexed again. @throws the file system's error. */
export function openSegment(path: string): Segment | undefined {
  const [checksum, size = 0] = numbersIn(readPart(path, 0, HEAD_BYTES));
  const isWhole = HEAD_BYTES + size <= statSync(path).size;
  const body = readPart(path, HEAD_BYTES, isWhole ? size : 0);
  const columns: Columns | undefined =
    checksum === crc32(body) ? tryOr(() => deserialize(body), undefined) : undefined;
  if (columns === undefined) {
    discard(path);
    return undefined;
  }
  const readList = (from: number, end: number) => {
    const start = HEAD_BYTES + size + NUMBER_BYTES * from;
    const list = numbersIn(readPart(path, start, NUMBER_BYTES * (end - from)));
    if (list[0] === crc32(list.subarray(1))) return list;
    // Another process may have written the file again, with other columns.
    if (numbersIn(readPart(path, 0, NUMBER_BYTES))[0] === checksum) discard(path);
    throw Object.assign(new Error(`${path} is damaged`), { code: "ENOENT" });
  };
  return { ...columns, readList };
}

function discard(damaged: string): void {
  tryOr(() => rmSync(damaged, { force: true }), undefined);
}

function readPart(path: string, from: number, length: number): Buffer {
  countRead(length);
  return withFile(path, (file) => readAt(file, from, length));
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const numbersIn = ({ buffer, byteOffset, length }: Buffer): Uint32Array =>
  new Uint32Array(buffer, byteOffset, Math.floor(length / NUMBER_BYTES));
