/** A segment of the index (docs/design/sessions.md, "The index"). Terms stand in blocks, each beginning with what it shares with the one before. */
import { crc32 } from "node:zlib";
import type { Holders } from "../../../ground/search/chunk-ranking.ts";
import { identityIn } from "../../kinds/event.ts";
import { ByteWriter } from "./bytes.ts";
import type { Piece } from "./coverage.ts";
import { PAGE_BYTES, seal } from "./pages.ts";
import { writePostings } from "./postings.ts";

/** A row has the place of a chunk and the ULID of its event. No row stands on two pages. */
export const PLACE_BYTES = 28;
export const ROW_BYTES = PLACE_BYTES + 26;
export const ROWS_A_PAGE = Math.floor(PAGE_BYTES / ROW_BYTES);
export const TERMS_A_BLOCK = 64;
export const BLOCK_BYTES = 12;
/** A chunk has far fewer terms. */
const MOST_LENGTH = 0xffff;

/** What is known of a chunk besides its terms. */
export interface Entry {
  readonly session: string;
  /** Of its event. */
  readonly ulid: string;
  /** Its number in its event, from 1 on. */
  readonly part: number;
  /** How many terms it has, repetitions included. */
  readonly length: number;
  /** Which of the files that the segment covers holds its event, and the bytes of its line. */
  readonly file: number;
  readonly from: number;
  readonly bytes: number;
  /** The first byte of the line that says what its event shares, or of its own line, where that one stands in no piece. */
  readonly shared: number;
  /** 0 for a part of its event's text; else which artifact of the event it stands in, from 1 on. */
  readonly artifact: number;
  /** Where it stands in that text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Rows come first, so that their pages are those of the file. */
const SECTIONS = [
  "rows",
  "lengths",
  "hashes",
  "owners",
  "sessions",
  "postings",
  "terms",
  "blocks",
] as const;
export type Section = (typeof SECTIONS)[number];

/** Where a segment's parts are; kept apart from its bytes. */
export interface Layout {
  readonly chunks: number;
  /** The terms of all chunks, repetitions included. */
  readonly length: number;
  /** The first byte of each section, and the byte after it. */
  readonly sections: Readonly<Record<Section, readonly [from: number, end: number]>>;
  /** Without the checksums. */
  readonly bytes: number;
  readonly sum: number;
}

/** A segment that was made, and the pieces of files that it covers. */
export type WrittenSegment = Readonly<ReturnType<typeof writeSegment>>;

/** @param entries in the order of their sessions and, within one, of time. @param postings by term, in order. */
export function writeSegment(
  entries: readonly Entry[],
  postings: Iterable<readonly [term: string, holders: Holders]>,
  pieces: readonly Piece[],
) {
  const parts = {
    ...columns(entries),
    ...identities(entries),
    sessions: sessions(entries),
    ...dictionary(postings),
  };
  const sections = {} as Record<Section, [number, number]>;
  let end = 0;
  for (const name of SECTIONS) {
    sections[name] = [end, end + parts[name].length];
    end += parts[name].length;
  }
  const { bytes, sum } = seal(Buffer.concat(SECTIONS.map((name) => parts[name])));
  const length = entries.reduce((total, entry) => total + entry.length, 0);
  const layout: Layout = { chunks: entries.length, length, sections, bytes: end, sum };
  return { layout, bytes, pieces };
}

function columns(entries: readonly Entry[]) {
  const lengths = Buffer.allocUnsafe(2 * entries.length);
  const rows = Buffer.alloc(PAGE_BYTES * Math.ceil(entries.length / ROWS_A_PAGE));
  for (const [
    at,
    { length, ulid, part, file, from, bytes, shared, artifact, start, end },
  ] of entries.entries()) {
    lengths.writeUInt16LE(Math.min(length, MOST_LENGTH), 2 * at);
    const row = PAGE_BYTES * Math.floor(at / ROWS_A_PAGE) + ROW_BYTES * (at % ROWS_A_PAGE);
    rows.writeUInt32LE(part, row);
    rows.writeUInt16LE(file, row + 4);
    rows.writeUInt16LE(artifact, row + 6);
    for (const [n, number] of [from, bytes, shared, start, end].entries())
      rows.writeUInt32LE(number, row + 8 + 4 * n);
    rows.write(ulid, row + PLACE_BYTES, "latin1");
  }
  return { lengths, rows };
}

/** A hash of the identity of each event, sorted, and the first chunk of that event. */
function identities(entries: readonly Entry[]) {
  const firsts = entries.flatMap(({ ulid, part }, chunk) =>
    part === 1 ? { hash: hashOf(ulid), chunk } : [],
  );
  firsts.sort((a, b) => a.hash - b.hash);
  return {
    hashes: Buffer.from(Uint32Array.from(firsts, ({ hash }) => hash).buffer),
    owners: Buffer.from(Uint32Array.from(firsts, ({ chunk }) => chunk).buffer),
  };
}

/** What is sorted to find the events that two segments hold. */
export const hashOf = (id: string): number => crc32(identityIn(id));

/** The name of each session, and how many chunks it has. */
function sessions(entries: readonly Entry[]): Buffer {
  const writer = new ByteWriter();
  let start = 0;
  for (const [at, { session }] of entries.entries()) {
    if (entries[at + 1]?.session === session) continue;
    writer.text(session);
    writer.varint(at + 1 - start);
    start = at + 1;
  }
  return writer.bytes();
}

function dictionary(all: Iterable<readonly [string, Holders]>) {
  const [postings, terms, firsts] = [new ByteWriter(), new ByteWriter(), new ByteWriter()];
  const starts: number[] = [];
  let before = "";
  let count = 0;
  for (const [term, holders] of all) {
    const from = postings.length;
    writePostings(postings, holders);
    const isFirst = count++ % TERMS_A_BLOCK === 0;
    if (isFirst) {
      starts.push(firsts.length, terms.length, from);
      firsts.text(term);
    }
    const shared = isFirst ? 0 : sharedLength(before, term);
    terms.varint(shared);
    terms.text(term.slice(shared));
    terms.varint(holders.chunks.length);
    terms.varint(postings.length - from);
    before = term;
  }
  const numbers = Uint32Array.from([starts.length / 3, ...starts]);
  const blocks = Buffer.concat([Buffer.from(numbers.buffer), firsts.bytes()]);
  return { postings: postings.bytes(), terms: terms.bytes(), blocks };
}

/** Of two texts, as far as no character is cut in two. */
function sharedLength(a: string, b: string): number {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return /[\ud800-\udbff]/.test(a[shared - 1] ?? "") ? shared - 1 : shared;
}
