/** Presents all segments as one index. Counts are summed before scoring, so scores don't depend on the division into segments. */
import { groupBy, lastAtMost } from "../../../ground/core/collections.ts";
import { compare } from "../../../ground/core/text.ts";
import type { Holders, Postings } from "../../../ground/search/chunk-ranking.ts";
import { type Event, identityIn } from "../../kinds/event.ts";
import { chunkId } from "../../storing/chunks.ts";
import type { ChunkRow, Segment } from "./segment.ts";

/** The location of a chunk. */
export interface ChunkPlace extends ChunkRow {
  /** The key of its day file. */
  readonly file: string;
}

/** A segment in the view, whose chunks are numbered from `base`. */
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

type IsPurged = (event: Pick<Event, "id" | "session">) => boolean;

export class View implements Postings {
  readonly count: number;
  readonly end: number;
  readonly averageLength: number;
  readonly #placed: readonly Placed[];
  readonly #lengths: Uint32Array;
  readonly #runs: readonly Run[];
  readonly #runsBySession: ReadonlyMap<string, readonly Run[]>;
  /** Chunks that don't count: of events that are in several segments, or are about to be purged. */
  readonly #hidden = new Set<number>();
  /** The chunks of a session in order of time, and the position of each in that order. Filled when a neighbour is asked for. */
  readonly #orders = new Map<string, readonly number[]>();
  readonly #positions: Uint32Array;

  /** @param isPurged an event that is about to be purged. */
  constructor(segments: readonly Segment[], isPurged?: IsPurged) {
    this.end = segments.reduce((sum, { chunks }) => sum + chunks, 0);
    this.#lengths = new Uint32Array(this.end);
    this.#positions = new Uint32Array(this.end);
    const hashes = new Uint32Array(this.end);
    const placed: Placed[] = [];
    const runs: Run[] = [];
    let base = 0;
    for (const segment of segments) {
      placed.push({ segment, base });
      this.#lengths.set(segment.columns.lengths, base);
      hashes.set(segment.columns.hashes, base);
      for (const [session, chunks] of segment.header.sessions) {
        runs.push({ session, start: base, end: base + chunks });
        base += chunks;
      }
    }
    this.#placed = placed;
    this.#runs = runs;
    this.#runsBySession = groupBy(runs, ({ session }) => session);
    this.#hideCopies(hashes);
    if (isPurged) this.#hidePurged(isPurged);
    this.count = this.end - this.#hidden.size;
    let length = this.#lengths.reduce((sum, one) => sum + one, 0);
    for (const chunk of this.#hidden) length -= this.lengthOf(chunk);
    this.averageLength = length / this.count;
  }

  holderCount(term: string): number {
    if (this.#hidden.size > 0) return this.holders(term).chunks.length;
    return this.#allHolders(term);
  }

  holders(term: string): Holders {
    const most = this.#allHolders(term);
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

  lengthOf(chunk: number): number {
    return this.#lengths[chunk] as number;
  }

  idOf(chunk: number): string {
    return chunkId(`evt_${this.#ulidOf(chunk)}`, this.#partOf(chunk));
  }

  before(chunk: number): number | undefined {
    const order = this.#orderAround(chunk);
    return order[(this.#positions[chunk] as number) - 1];
  }

  after(chunk: number): number | undefined {
    const order = this.#orderAround(chunk);
    return order[(this.#positions[chunk] as number) + 1];
  }

  continues(chunk: number): boolean {
    return this.#partOf(chunk) > 1;
  }

  placeOf(chunk: number): ChunkPlace {
    const { segment, base } = this.#placedOf(chunk);
    const row = segment.row(chunk - base);
    return { ...row, file: segment.header.pieces[row.piece]?.file ?? "" };
  }

  /** The file of a chunk's segment. Undefined if the segment is in memory. */
  segmentOf(chunk: number): string | undefined {
    return this.#placedOf(chunk).segment.name;
  }

  /** How many chunks have a term, hidden ones included. */
  #allHolders(term: string): number {
    let count = 0;
    for (const { segment } of this.#placed) count += segment.holderCount(term);
    return count;
  }

  #placedOf(chunk: number): Placed {
    return this.#placed[lastAtMost(this.#placed, chunk, ({ base }) => base)] as Placed;
  }

  #runOf(chunk: number): Run {
    return this.#runs[lastAtMost(this.#runs, chunk, ({ start }) => start)] as Run;
  }

  #ulidOf(chunk: number): string {
    const { segment, base } = this.#placedOf(chunk);
    return segment.ulidOf(chunk - base);
  }

  #partOf(chunk: number): number {
    const { segment, base } = this.#placedOf(chunk);
    return segment.partOf(chunk - base);
  }

  /** The chunks of the same session that count, in order of time, whichever segments have them. */
  #orderAround(chunk: number): readonly number[] {
    const { session } = this.#runOf(chunk);
    const known = this.#orders.get(session);
    if (known !== undefined) return known;
    const order = this.#chunksOf(session);
    for (const [position, one] of order.entries()) this.#positions[one] = position;
    this.#orders.set(session, order);
    return order;
  }

  #chunksOf(session: string): number[] {
    const runs = this.#runsBySession.get(session) ?? [];
    const chunks: number[] = [];
    for (const { start, end } of runs)
      for (let chunk = start; chunk < end; chunk++)
        if (!this.#hidden.has(chunk)) chunks.push(chunk);
    if (runs.length === 1) return chunks;
    const ids = new Map(chunks.map((chunk) => [chunk, this.#ulidOf(chunk)]));
    const idOf = (chunk: number) => ids.get(chunk) as string;
    return chunks.sort((a, b) => {
      const byTime = compare(idOf(a), idOf(b));
      return byTime === 0 ? this.#partOf(a) - this.#partOf(b) : byTime;
    });
  }

  /** Hides all copies of each event, except the earliest. @param hashes of all chunks. */
  #hideCopies(hashes: Uint32Array): void {
    const sorted = hashes.toSorted();
    const repeated = new Set(sorted.filter((hash, at) => hash !== 0 && hash === sorted[at - 1]));
    if (repeated.size === 0) return;
    const firsts: number[] = [];
    for (const [chunk, hash] of hashes.entries()) if (repeated.has(hash)) firsts.push(chunk);
    const byIdentity = groupBy(firsts, (chunk) => identityIn(this.#ulidOf(chunk)));
    for (const copies of byIdentity.values()) {
      const [, ...later] = copies.sort((a, b) => this.#compareCopies(a, b));
      for (const copy of later) this.#hideEvent(copy);
    }
  }

  /** If several copies have the same id, the first one in the day files counts, as it does for readers. */
  #compareCopies(a: number, b: number): number {
    const byTime = compare(this.#ulidOf(a), this.#ulidOf(b));
    if (byTime !== 0) return byTime;
    const placeA = this.placeOf(a);
    const placeB = this.placeOf(b);
    return compare(placeA.file, placeB.file) || placeA.from - placeB.from;
  }

  /** @param first the first chunk of the event. */
  #hideEvent(first: number): void {
    this.#hidden.add(first);
    for (let next = first + 1; next < this.end && this.continues(next); next++)
      this.#hidden.add(next);
  }

  #hidePurged(isPurged: IsPurged): void {
    for (const { session, start, end } of this.#runs)
      for (let chunk = start; chunk < end; chunk++)
        if (isPurged({ id: this.#ulidOf(chunk), session })) this.#hidden.add(chunk);
  }
}
