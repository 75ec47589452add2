/** All segments as one: counts are summed before anything is scored, so scores do not depend on how segments were cut. */
import { firstWhere, lastAtMost } from "../../../ground/core/first-where.ts";
import { groupBy } from "../../../ground/core/group-by.ts";
import { remembering } from "../../../ground/core/remembering.ts";
import type { Holders, Postings } from "../../../ground/search/chunk-ranking.ts";
import { type Event, identityIn } from "../../kinds/event.ts";
import { chunkId } from "../../storing/chunks.ts";
import { compareEntries } from "./build-segment.ts";
import { byPlace, type Piece } from "./coverage.ts";
import type { Run, Segment } from "./segment.ts";

export interface Covering {
  /** Of its file; absent where it is in memory. */
  readonly name?: string;
  readonly segment: Segment;
  readonly pieces: readonly Piece[];
}

/** A query meets the sessions of a few hundred chunks. */
const ORDERS_REMEMBERED = 1_000;

interface Placed extends Covering {
  /** The number of its first chunk. */
  readonly base: number;
}

export class View implements Postings {
  readonly count: number;
  readonly end: number;
  readonly averageLength: number;
  readonly #placed: readonly Placed[];
  readonly #lengths: Uint16Array;
  /** The runs of all segments, by their numbers. */
  readonly #runs: readonly Run[];
  readonly #sessions: ReadonlyMap<string, readonly Run[]>;
  /** By session, of those in several segments: the chunks that count in order, and the place of each. */
  readonly #orderOf = remembering((session) => this.#readOrder(session), ORDERS_REMEMBERED);
  readonly #hidden: ReadonlySet<number>;
  /** Terms of the query that is answered that were counted and not read. */
  readonly #unread = new Set<string>();

  /** @param suspects ids of events that may be in several segments. @param isLeftOut an event that is about to be purged. */
  constructor(
    covering: readonly Covering[],
    suspects: readonly string[],
    isLeftOut?: (event: Pick<Event, "id" | "session">) => boolean,
  ) {
    let base = 0;
    this.#placed = covering.map((one) => {
      const placed = { ...one, base };
      base += one.segment.layout.chunks;
      return placed;
    });
    this.end = base;
    this.#lengths = new Uint16Array(base);
    for (const { segment, base: from } of this.#placed) this.#lengths.set(segment.lengths(), from);
    this.#runs = this.#placed.flatMap(({ segment, base: from }) =>
      segment
        .runs()
        .map(({ session, start, end }) => ({ session, start: from + start, end: from + end })),
    );
    this.#sessions = groupBy(this.#runs, ({ session }) => session);
    this.#hidden = new Set([
      ...this.#repeated(suspects),
      ...(isLeftOut ? this.#leftOut(isLeftOut) : []),
    ]);
    let length = this.#placed.reduce((sum, { segment }) => sum + segment.layout.length, 0);
    for (const chunk of this.#hidden) length -= this.lengthOf(chunk);
    this.count = this.end - this.#hidden.size;
    this.averageLength = length / this.count;
  }

  holderCount(term: string): number {
    const all = this.#mostHolders(term);
    const count =
      all === 0 || this.#hidden.size === 0 ? all : this.#shownHolders(term).chunks.length;
    if (count > 0) this.#unread.add(term);
    return count;
  }

  holders(term: string): Holders {
    this.#unread.delete(term);
    return this.#shownHolders(term);
  }

  /** Whether terms of the query that chunks hold were not read, because that is too much. */
  hasUnreadTerms(): boolean {
    return this.#unread.size > 0;
  }

  #shownHolders(term: string): Holders {
    const most = this.#mostHolders(term);
    const chunks = new Uint32Array(most);
    const frequencies = new Uint32Array(most);
    const hidden = this.#hidden;
    let count = 0;
    for (const { segment, base } of this.#placed) {
      const place = segment.findTerm(term);
      if (place.count === 0) continue;
      segment.readPostings(place, (chunk, frequency) => {
        if (hidden.size > 0 && hidden.has(base + chunk)) return;
        chunks[count] = base + chunk;
        frequencies[count++] = frequency;
      });
    }
    return { chunks: chunks.subarray(0, count), frequencies: frequencies.subarray(0, count) };
  }

  /** Chunks that do not count included. */
  #mostHolders(term: string): number {
    return this.#placed.reduce((sum, { segment }) => sum + segment.findTerm(term).count, 0);
  }

  lengthOf(chunk: number): number {
    return this.#lengths[chunk] as number;
  }

  idOf(chunk: number): string {
    const { ulid, part } = this.#entry(chunk);
    return chunkId(`evt_${ulid}`, part);
  }

  before(chunk: number): number | undefined {
    return this.#beside(chunk, -1);
  }

  after(chunk: number): number | undefined {
    return this.#beside(chunk, 1);
  }

  continues(chunk: number): boolean {
    return this.#entry(chunk).part > 1;
  }

  /** Where a chunk is: the file that holds its event, by day and generation, the bytes of its line, and its part of the text. */
  placeOf(chunk: number) {
    const { segment, base, pieces } = this.#placedOf(chunk);
    const place = segment.place(chunk - base);
    return { ...place, file: (pieces[place.file] as Piece).file };
  }

  /** The first chunk of the event that an id names, whatever time it has; undefined where no chunk of it counts. */
  chunkOfEvent(id: string): number | undefined {
    return this.#copiesOf(id).find((chunk) => !this.#hidden.has(chunk));
  }

  /** Whether a chunk does not count: its event is about to be purged, or stands in another segment too. */
  isHidden(chunk: number): boolean {
    return this.#hidden.has(chunk);
  }

  /** The file of the segment that holds a chunk; undefined where it is in memory. */
  segmentOf(chunk: number): string | undefined {
    return this.#placedOf(chunk).name;
  }

  /** Forgets what the query needed. */
  endQuery(): void {
    this.#unread.clear();
  }

  #placedOf(chunk: number): Placed {
    return this.#placed[lastAtMost(this.#placed, chunk, ({ base }) => base)] as Placed;
  }

  #entry(chunk: number) {
    const { segment, base } = this.#placedOf(chunk);
    return {
      session: "",
      ulid: segment.ulid(chunk - base),
      part: segment.place(chunk - base).part,
    };
  }

  #beside(chunk: number, step: 1 | -1): number | undefined {
    const { session, start, end } = this.#runs[
      lastAtMost(this.#runs, chunk, (run) => run.start)
    ] as Run;
    if (this.#runsOf(session).length > 1) {
      const { chunks, places } = this.#orderOf(session);
      return chunks[(places.get(chunk) as number) + step];
    }
    // In one segment, numbers say the order.
    let next = chunk + step;
    while (this.#hidden.has(next)) next += step;
    return next >= start && next < end ? next : undefined;
  }

  #runsOf(session: string): readonly Run[] {
    return this.#sessions.get(session) ?? [];
  }

  #readOrder(session: string) {
    const all = this.#runsOf(session).flatMap(({ start, end }) => numbersFrom(start, end));
    // Each segment has its part in order, which the sort makes use of.
    const chunks = all
      .filter((chunk) => !this.#hidden.has(chunk))
      .sort((a, b) => this.#compare(a, b));
    return { chunks, places: new Map(chunks.map((chunk, place) => [chunk, place])) };
  }

  /** Both are of one session. */
  #compare(a: number, b: number): number {
    return compareEntries(this.#entry(a), this.#entry(b));
  }

  /** The first chunk of an event in each segment that has it. */
  #copiesOf(id: string): number[] {
    return this.#placed.flatMap(({ segment, base }) => {
      const chunk = segment.chunkOfEvent(id);
      return chunk === undefined ? [] : base + chunk;
    });
  }

  /** The chunks of events that also stand in another segment, where the earlier one counts. */
  #repeated(suspects: readonly string[]): number[] {
    const repeated: number[] = [];
    for (const id of new Set(suspects.map(identityIn))) {
      const copies = this.#copiesOf(id);
      copies.sort((a, b) => this.#compare(a, b) || byPlace(this.placeOf(a), this.placeOf(b)));
      for (const chunk of copies.slice(1)) repeated.push(...this.#chunksFrom(chunk));
    }
    return repeated;
  }

  /** All chunks of an event, of which this is the first. */
  #chunksFrom(first: number): number[] {
    const { segment, base } = this.#placedOf(first);
    const ulid = segment.ulid(first - base);
    const end = firstWhere(
      first,
      base + segment.layout.chunks,
      (at) => segment.ulid(at - base) !== ulid,
    );
    return numbersFrom(first, end);
  }

  #leftOut(isLeftOut: (event: Pick<Event, "id" | "session">) => boolean): number[] {
    return this.#runs.flatMap(({ session, start, end }) =>
      numbersFrom(start, end).filter((chunk) =>
        isLeftOut({ id: this.#entry(chunk).ulid, session }),
      ),
    );
  }
}

const numbersFrom = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, at) => start + at);
