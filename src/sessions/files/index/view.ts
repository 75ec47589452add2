/** All segments as one. Counts are summed before anything is scored, so scores don't depend on the segments. */
import { groupBy } from "../../../ground/core/group-by.ts";
import { lastAtMost, lowerBound } from "../../../ground/core/lower-bound.ts";
import { compare } from "../../../ground/core/text.ts";
import type { Holders, Postings } from "../../../ground/search/chunk-ranking.ts";
import { type Event, identityIn } from "../../kinds/event.ts";
import { chunkId } from "../../storing/chunks.ts";
import type { ChunkRow, Segment } from "./segment.ts";

/** Where a chunk is. */
export interface ChunkPlace extends ChunkRow {
  /** The key of its day file. */
  readonly file: string;
}

/** A segment's chunks have the numbers from `base` on. */
interface Placed {
  readonly segment: Segment;
  readonly base: number;
}

/** The chunks of one session in one segment. */
interface Run {
  readonly session: string;
  readonly start: number;
  readonly end: number;
}

export class View implements Postings {
  readonly count: number;
  readonly end: number;
  readonly averageLength: number;
  /** Terms that `holderCount` found and `holders` didn't read. Clear it before a query. */
  readonly unreadTerms = new Set<string>();
  readonly #placed: readonly Placed[];
  readonly #lengths: Uint32Array;
  readonly #runs: readonly Run[];
  readonly #runsBySession: ReadonlyMap<string, readonly Run[]>;
  /** Chunks that don't count: of events that are in several segments, or are about to be purged. */
  readonly #hidden = new Set<number>();

  /** @param isPurged an event that is about to be purged. */
  constructor(
    segments: readonly Segment[],
    isPurged?: (event: Pick<Event, "id" | "session">) => boolean,
  ) {
    this.#placed = place(segments);
    this.end = segments.reduce((sum, { chunks }) => sum + chunks, 0);
    this.#lengths = lengthsOf(this.#placed, this.end);
    this.#runs = this.#placed.flatMap(runsOf);
    this.#runsBySession = groupBy(this.#runs, ({ session }) => session);
    this.#hideRepeated(repeatedHashes(segments));
    if (isPurged) this.#hidePurged(isPurged);
    this.count = this.end - this.#hidden.size;
    const hiddenLength = [...this.#hidden].reduce((sum, chunk) => sum + this.lengthOf(chunk), 0);
    const length = this.#lengths.reduce((sum, one) => sum + one, 0) - hiddenLength;
    this.averageLength = length / this.count;
  }

  holderCount(term: string): number {
    const all = this.#placed.reduce((sum, { segment }) => sum + segment.holderCount(term), 0);
    const isExact = all === 0 || this.#hidden.size === 0;
    const count = isExact ? all : this.#readHolders(term, all).chunks.length;
    if (count > 0) this.unreadTerms.add(term);
    return count;
  }

  holders(term: string): Holders {
    this.unreadTerms.delete(term);
    const all = this.#placed.reduce((sum, { segment }) => sum + segment.holderCount(term), 0);
    return this.#readHolders(term, all);
  }

  lengthOf(chunk: number): number {
    return this.#lengths[chunk] as number;
  }

  idOf(chunk: number): string {
    return chunkId(`evt_${this.#ulidOf(chunk)}`, this.#partOf(chunk));
  }

  before(chunk: number): number | undefined {
    return this.#nearest(chunk, -1);
  }

  after(chunk: number): number | undefined {
    return this.#nearest(chunk, 1);
  }

  continues(chunk: number): boolean {
    return this.#partOf(chunk) > 1;
  }

  placeOf(chunk: number): ChunkPlace {
    const { segment, base } = this.#placedOf(chunk);
    const row = segment.row(chunk - base);
    return { ...row, file: segment.header.pieces[row.piece]?.file ?? "" };
  }

  /** The first chunk of an event, whatever time its id has; undefined if no chunk of it counts. */
  chunkOfEvent(id: string): number | undefined {
    for (const { segment, base } of this.#placed) {
      const chunk = segment.chunkOfEvent(id);
      if (chunk !== undefined && !this.#hidden.has(base + chunk)) return base + chunk;
    }
    return undefined;
  }

  /** The file of the segment that has a chunk; undefined if it's in memory. */
  segmentOf(chunk: number): string | undefined {
    return this.#placedOf(chunk).segment.name;
  }

  #readHolders(term: string, most: number): Holders {
    const chunks = new Uint32Array(most);
    const frequencies = new Uint32Array(most);
    let count = 0;
    for (const { segment, base } of this.#placed)
      segment.eachHolder(term, (chunk, frequency) => {
        if (this.#hidden.has(base + chunk)) return;
        chunks[count] = base + chunk;
        frequencies[count] = frequency;
        count++;
      });
    return { chunks: chunks.subarray(0, count), frequencies: frequencies.subarray(0, count) };
  }

  #placedOf(chunk: number): Placed {
    return this.#placed[lastAtMost(this.#placed, chunk, ({ base }) => base)] as Placed;
  }

  #ulidOf(chunk: number): string {
    const { segment, base } = this.#placedOf(chunk);
    return segment.ulidOf(chunk - base);
  }

  #partOf(chunk: number): number {
    const { segment, base } = this.#placedOf(chunk);
    return segment.partOf(chunk - base);
  }

  /** The next chunk of the session in a direction, whichever segment has it. */
  #nearest(chunk: number, step: 1 | -1): number | undefined {
    const own = this.#runs[lastAtMost(this.#runs, chunk, ({ start }) => start)] as Run;
    let nearest: number | undefined;
    for (const run of this.#runsBySession.get(own.session) ?? []) {
      const next = this.#nextIn(run, chunk, step);
      if (next === undefined) continue;
      if (nearest === undefined || this.#compare(next, nearest) * step < 0) nearest = next;
    }
    return nearest;
  }

  #nextIn(run: Run, chunk: number, step: 1 | -1): number | undefined {
    let next = chunk + step;
    if (chunk < run.start || chunk >= run.end) {
      const isBeyond = (at: number) => this.#compare(at, chunk) >= (step === 1 ? 1 : 0);
      const bound = lowerBound(run.start, run.end, isBeyond);
      next = step === 1 ? bound : bound - 1;
    }
    while (this.#hidden.has(next)) next += step;
    return next >= run.start && next < run.end ? next : undefined;
  }

  /** Both chunks are of one session. */
  #compare(a: number, b: number): number {
    return compare(this.#ulidOf(a), this.#ulidOf(b)) || this.#partOf(a) - this.#partOf(b);
  }

  /** Hides all copies of an event but the earliest. @param hashes of the events that may be in several segments. */
  #hideRepeated(hashes: readonly number[]): void {
    for (const hash of hashes) {
      const first = this.#placed.flatMap(({ segment, base }) =>
        segment.chunksWithHash(hash).map((chunk) => base + chunk),
      );
      const byIdentity = groupBy(first, (chunk) => identityIn(this.#ulidOf(chunk)));
      for (const copies of byIdentity.values())
        for (const copy of copies.toSorted((a, b) => this.#compareCopies(a, b)).slice(1))
          this.#hideEvent(copy);
    }
  }

  #compareCopies(a: number, b: number): number {
    const placeA = this.placeOf(a);
    const placeB = this.placeOf(b);
    return this.#compare(a, b) || compare(placeA.file, placeB.file) || placeA.from - placeB.from;
  }

  #hideEvent(first: number): void {
    this.#hidden.add(first);
    const { end } = this.#runs[lastAtMost(this.#runs, first, ({ start }) => start)] as Run;
    for (let next = first + 1; next < end && this.continues(next); next++) this.#hidden.add(next);
  }

  #hidePurged(isPurged: (event: Pick<Event, "id" | "session">) => boolean): void {
    for (const { session, start, end } of this.#runs)
      for (let chunk = start; chunk < end; chunk++)
        if (isPurged({ id: this.#ulidOf(chunk), session })) this.#hidden.add(chunk);
  }
}

function place(segments: readonly Segment[]): Placed[] {
  let base = 0;
  return segments.map((segment) => {
    const placed = { segment, base };
    base += segment.chunks;
    return placed;
  });
}

function lengthsOf(all: readonly Placed[], end: number): Uint32Array {
  const lengths = new Uint32Array(end);
  for (const { segment, base } of all)
    for (let chunk = 0; chunk < segment.chunks; chunk++)
      lengths[base + chunk] = segment.lengthOf(chunk);
  return lengths;
}

function runsOf({ segment, base }: Placed): Run[] {
  let start = base;
  return segment.header.sessions.map(([session, chunks]) => {
    const run = { session, start, end: start + chunks };
    start = run.end;
    return run;
  });
}

/** The hashes that several events have: most are of events that two segments contain. */
function repeatedHashes(segments: readonly Segment[]): number[] {
  const count = segments.reduce((sum, { columns }) => sum + columns.hashes.length, 0);
  const all = new Uint32Array(count);
  let end = 0;
  for (const { columns } of segments) {
    all.set(columns.hashes, end);
    end += columns.hashes.length;
  }
  all.sort();
  const repeated = new Set<number>();
  for (let at = 1; at < count; at++) if (all[at] === all[at - 1]) repeated.add(all[at] as number);
  return [...repeated];
}
