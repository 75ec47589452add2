/** A segment: the words of some lines of a day file, in memory or in an immutable file. It contains no text. (docs/design/sessions.md, "The index") */
import { readFileSync, rmSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { lowerBound } from "../../../ground/core/collections.ts";
import { tryOr } from "../../../ground/core/errors.ts";
import { countRead } from "../../../ground/files/read-files.ts";
import type { Indexed } from "./coverage.ts";

/** Raise it when segments, chunks or terms change: files of other versions are removed. @internal */
export const VERSION = 15;

/** A posting is the number of a chunk and, in the lower bits, how often the chunk has the term. */
const FREQUENCY_BITS = 12;
const MAX_FREQUENCY = 2 ** FREQUENCY_BITS - 1;
const CHECKSUM_BYTES = 4;

/** Its chunks are numbered by session and then by time. Columns have an entry for each chunk. */
export interface Segment extends Indexed {
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
  /** The terms in order, as UTF-8, and the end of each. */
  readonly terms: Buffer;
  readonly termEnds: Uint32Array;
  /** The postings of each term, and their end. */
  readonly postings: Uint32Array;
  readonly postingEnds: Uint32Array;
}

export const toPosting = (chunk: number, frequency: number): number =>
  chunk * 2 ** FREQUENCY_BITS + Math.min(frequency, MAX_FREQUENCY);

export const chunkIn = (posting: number): number => posting >>> FREQUENCY_BITS;

export const frequencyIn = (posting: number): number => posting & MAX_FREQUENCY;

/** Empty if no chunk has the term. */
export function postingsOf(segment: Segment, term: string): Uint32Array {
  const { terms, termEnds, postings, postingEnds } = segment;
  const termAt = (at: number) => terms.toString("utf8", termEnds[at - 1] ?? 0, termEnds[at]);
  const at = lowerBound(0, termEnds.length, (place) => termAt(place) >= term);
  if (at === termEnds.length || termAt(at) !== term) return postings.subarray(0, 0);
  return postings.subarray(postingEnds[at - 1] ?? 0, postingEnds[at]);
}

/** The bytes of a segment's file. */
export function encodeSegment(segment: Segment): Buffer {
  const body = serialize(segment);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(body));
  return Buffer.concat([checksum, body]);
}

/** Undefined for a damaged file. It's removed, so that its events are indexed again. @throws the file system's error. */
export function openSegment(path: string): Segment | undefined {
  const bytes = readFileSync(path);
  countRead(bytes.length);
  const segment = tryOr(() => decoded(bytes), undefined);
  if (segment === undefined) tryOr(() => rmSync(path, { force: true }), undefined);
  return segment;
}

function decoded(bytes: Buffer): Segment | undefined {
  const body = bytes.subarray(CHECKSUM_BYTES);
  return crc32(body) === bytes.readUInt32LE() ? deserialize(body) : undefined;
}
