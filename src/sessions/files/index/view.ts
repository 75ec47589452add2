/** Presents all segments as one index. Counts are summed before scoring, so scores don't depend on the division into segments. */
import { groupBy, lastAtMost, sumBy } from "../../../ground/core/collections.ts";
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

/** No chunk has this number. */
const NO_CHUNK = 2 ** 32 - 1;

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
  /** The neighbours of the chunks of `#linked` sessions. */
  readonly #before: Uint32Array;
  readonly #after: Uint32Array;
  readonly #linked = new Set<string>();

  /** @param isPurged an event that is about to be purged. */
  constructor(
    segments: readonly Segment[],
    isPurged?: (event: Pick<Event, "id" | "session">) => boolean,
  ) {
    this.#placed = place(segments);
    this.end = sumBy(segments, ({ chunks }) => chunks);
    this.#lengths = lengthsOf(this.#placed, this.end);
    this.#runs = this.#placed.flatMap(runsOf);
    this.#runsBySession = groupBy(this.#runs, ({ session }) => session);
    this.#before = new Uint32Array(this.end).fill(NO_CHUNK);
    this.#after = new Uint32Array(this.end).fill(NO_CHUNK);
    this.#hideCopies(repeatedHashes(segments));
    if (isPurged) {
      this.#hidePurged(isPurged);
    }
    this.count = this.end - this.#hidden.size;
    let length = sumBy(this.#lengths, (one) => one);
    for (const chunk of this.#hidden) {
      length -= this.lengthOf(chunk);
    }
    this.averageLength = length / this.count;
  }

  holderCount(term: string): number {
    if (this.#hidden.size > 0) {
      return this.holders(term).chunks.length;
    }
    return this.#allHolders(term);
  }

  holders(term: string): Holders {
    const most = this.#allHolders(term);
    const chunks = new Uint32Array(most);
    const frequencies = new Uint32Array(most);
    let count = 0;
    for (const { segment, base } of this.#placed) {
      segment.eachHolder(term, (chunk, frequency) => {
        if (this.#hidden.has(base + chunk)) {
          return;
        }
        chunks[count] = base + chunk;
        frequencies[count] = frequency;
        count++;
      });
    }
    return { chunks: chunks.subarray(0, count), frequencies: frequencies.subarray(0, count) };
  }

  lengthOf(chunk: number): number {
    return this.#lengths[chunk] as number;
  }

  idOf(chunk: number): string {
    return chunkId(`evt_${this.#ulidOf(chunk)}`, this.#partOf(chunk));
  }

  before(chunk: number): number | undefined {
    this.#link(chunk);
    const before = this.#before[chunk];
    return before === NO_CHUNK ? undefined : before;
  }

  after(chunk: number): number | undefined {
    this.#link(chunk);
    const after = this.#after[chunk];
    return after === NO_CHUNK ? undefined : after;
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
    return sumBy(this.#placed, ({ segment }) => segment.holderCount(term));
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

  /** Notes which chunks of a session follow each other, whichever segments have them. */
  #link(chunk: number): void {
    const { session } = this.#runOf(chunk);
    if (this.#linked.has(session)) {
      return;
    }
    this.#linked.add(session);
    let before = NO_CHUNK;
    for (const next of this.#chunksOf(session)) {
      this.#before[next] = before;
      if (before !== NO_CHUNK) {
        this.#after[before] = next;
      }
      before = next;
    }
  }

  /** The chunks of a session that count, in order of time. */
  #chunksOf(session: string): number[] {
    const runs = this.#runsBySession.get(session) ?? [];
    const chunks: number[] = [];
    for (const { start, end } of runs) {
      for (let chunk = start; chunk < end; chunk++) {
        if (!this.#hidden.has(chunk)) {
          chunks.push(chunk);
        }
      }
    }
    if (runs.length === 1) {
      return chunks;
    }
    const ids = new Map(chunks.map((chunk) => [chunk, this.#ulidOf(chunk)]));
    const idOf = (chunk: number) => ids.get(chunk) as string;
    return chunks.sort((a, b) => compare(idOf(a), idOf(b)) || this.#partOf(a) - this.#partOf(b));
  }

  /** Hides all copies of each event with one of these hashes, except the earliest. */
  #hideCopies(hashes: ReadonlySet<number>): void {
    if (hashes.size === 0) {
      return;
    }
    const all: number[] = [];
    for (const { segment, base } of this.#placed) {
      for (const [chunk, hash] of segment.hashes.entries()) {
        if (hashes.has(hash)) {
          all.push(base + chunk);
        }
      }
    }
    for (const copies of groupBy(all, (chunk) => identityIn(this.#ulidOf(chunk))).values()) {
      const [, ...later] = copies.sort((a, b) => this.#compareCopies(a, b));
      for (const copy of later) {
        this.#hideEvent(copy);
      }
    }
  }

  /** If several copies have the same id, the first one in the day files counts, as it does for readers. */
  #compareCopies(a: number, b: number): number {
    const byTime = compare(this.#ulidOf(a), this.#ulidOf(b));
    if (byTime !== 0) {
      return byTime;
    }
    const placeA = this.placeOf(a);
    const placeB = this.placeOf(b);
    return compare(placeA.file, placeB.file) || placeA.from - placeB.from;
  }

  /** @param first the first chunk of the event. */
  #hideEvent(first: number): void {
    this.#hidden.add(first);
    const { end } = this.#runOf(first);
    for (let next = first + 1; next < end && this.continues(next); next++) {
      this.#hidden.add(next);
    }
  }

  #hidePurged(isPurged: (event: Pick<Event, "id" | "session">) => boolean): void {
    for (const { session, start, end } of this.#runs) {
      for (let chunk = start; chunk < end; chunk++) {
        if (isPurged({ id: this.#ulidOf(chunk), session })) {
          this.#hidden.add(chunk);
        }
      }
    }
  }
}

function place(segments: readonly Segment[]): Placed[] {
  let base = 0;
  const placed: Placed[] = [];
  for (const segment of segments) {
    placed.push({ segment, base });
    base += segment.chunks;
  }
  return placed;
}

function lengthsOf(all: readonly Placed[], end: number): Uint32Array {
  const lengths = new Uint32Array(end);
  for (const { segment, base } of all) {
    for (let chunk = 0; chunk < segment.chunks; chunk++) {
      lengths[base + chunk] = segment.lengthOf(chunk);
    }
  }
  return lengths;
}

function runsOf({ segment, base }: Placed): Run[] {
  const runs: Run[] = [];
  let start = base;
  for (const [session, chunks] of segment.header.sessions) {
    const end = start + chunks;
    runs.push({ session, start, end });
    start = end;
  }
  return runs;
}

/** The hashes that several chunks have: mostly of events that two segments contain. */
function repeatedHashes(segments: readonly Segment[]): ReadonlySet<number> {
  const all = new Uint32Array(sumBy(segments, ({ hashes }) => hashes.length));
  let end = 0;
  for (const { hashes } of segments) {
    all.set(hashes, end);
    end += hashes.length;
  }
  all.sort();
  return new Set(all.filter((hash, at) => hash !== 0 && hash === all[at - 1]));
}
