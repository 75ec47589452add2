/** Presents all segments as one index. Counts are summed before scoring, so scores don't depend on the division into segments. */
import { groupBy, lastAtMost, sumBy } from "../../../ground/core/collections.ts";
import { compare } from "../../../ground/core/text.ts";
import type { Holders, Postings } from "../../../ground/search/chunk-ranking.ts";
import { type Event, identityIn } from "../../kinds/event.ts";
import { chunkId } from "../../storing/chunks.ts";
import { chunkIn, frequencyIn, holderCount, postingsOf, type Segment } from "./segment.ts";

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

const NO_CHUNK = -1;

export class View implements Postings {
  readonly count: number;
  readonly end: number;
  readonly averageLength: number;
  readonly #placed: readonly Placed[];
  readonly #ulids: readonly string[];
  readonly #parts: Uint32Array;
  readonly #lengths: Uint32Array;
  /** Chunks that don't count: copies of events that are in several lines, and events that are about to be purged. */
  readonly #hidden = new Set<number>();
  /** The neighbours of each chunk in its session. */
  readonly #before: Int32Array;
  readonly #after: Int32Array;

  /** @param isPurged an event that is about to be purged. */
  constructor(segments: readonly Segment[], isPurged: IsPurged) {
    this.#placed = place(segments);
    this.#ulids = segments.flatMap(({ ulids }) => ulids);
    this.end = this.#ulids.length;
    this.#parts = joined(segments.map(({ parts }) => parts));
    this.#lengths = joined(segments.map(({ lengths }) => lengths));
    const runs = this.#placed.flatMap(runsOf);
    this.#hidePurged(runs, isPurged);
    this.#hideCopies();
    this.#before = new Int32Array(this.end).fill(NO_CHUNK);
    this.#after = new Int32Array(this.end).fill(NO_CHUNK);
    for (const own of groupBy(runs, ({ session }) => session).values()) this.#link(own);
    this.count = this.end - this.#hidden.size;
    const length = sumBy(this.#lengths, (one) => one);
    const hiddenLength = sumBy(this.#hidden, (chunk) => this.lengthOf(chunk));
    this.averageLength = (length - hiddenLength) / this.count;
  }

  holderCount(term: string): number {
    if (this.#hidden.size > 0) return this.holders(term).chunks.length;
    return sumBy(this.#placed, ({ segment }) => holderCount(segment, term));
  }

  holders(term: string): Holders {
    const chunks: number[] = [];
    const frequencies: number[] = [];
    for (const { segment, base } of this.#placed)
      for (const posting of postingsOf(segment, term)) {
        const chunk = base + chunkIn(posting);
        if (this.#hidden.has(chunk)) continue;
        chunks.push(chunk);
        frequencies.push(frequencyIn(posting));
      }
    return { chunks, frequencies };
  }

  lengthOf(chunk: number): number {
    return this.#lengths[chunk] as number;
  }

  idOf(chunk: number): string {
    return chunkId(`evt_${this.#ulids[chunk]}`, this.partOf(chunk));
  }

  before(chunk: number): number | undefined {
    const before = this.#before[chunk];
    return before === NO_CHUNK ? undefined : before;
  }

  after(chunk: number): number | undefined {
    const after = this.#after[chunk];
    return after === NO_CHUNK ? undefined : after;
  }

  continues(chunk: number): boolean {
    return this.partOf(chunk) > 1;
  }

  /** The number of a chunk in its event, from 1 on. */
  partOf(chunk: number): number {
    return this.#parts[chunk] as number;
  }

  /** The line of a chunk's event: the key of its day file, its position and its size. */
  lineOf(chunk: number): { readonly file: string; readonly start: number; readonly size: number } {
    const at = lastAtMost(this.#placed, chunk, ({ base }) => base);
    const { segment, base } = this.#placed[at] as Placed;
    const { file, starts, sizes } = segment;
    return { file, start: starts[chunk - base] ?? 0, size: sizes[chunk - base] ?? 0 };
  }

  #hidePurged(runs: readonly Run[], isPurged: IsPurged): void {
    for (const { session, start, end } of runs)
      for (let chunk = start; chunk < end; chunk++)
        if (isPurged({ id: this.#ulids[chunk] as string, session })) this.#hidden.add(chunk);
  }

  /** Hides all copies of each event, except the earliest. */
  #hideCopies(): void {
    const earliest = new Map<string, number>();
    for (const [chunk, ulid] of this.#ulids.entries()) {
      if (this.continues(chunk)) continue;
      const identity = identityIn(ulid);
      const known = earliest.get(identity);
      const isEarlier = known === undefined || ulid < (this.#ulids[known] as string);
      if (isEarlier) earliest.set(identity, chunk);
      if (known !== undefined) this.#hideEvent(isEarlier ? known : chunk);
    }
  }

  /** @param first the first chunk of the event. */
  #hideEvent(first: number): void {
    this.#hidden.add(first);
    for (let next = first + 1; next < this.end && this.continues(next); next++)
      this.#hidden.add(next);
  }

  /** Notes which chunks of a session follow each other, whichever segments have them. */
  #link(runs: readonly Run[]): void {
    const chunks: number[] = [];
    for (const { start, end } of runs)
      for (let chunk = start; chunk < end; chunk++)
        if (!this.#hidden.has(chunk)) chunks.push(chunk);
    const ulidOf = (chunk: number) => this.#ulids[chunk] as string;
    if (runs.length > 1)
      chunks.sort((a, b) => compare(ulidOf(a), ulidOf(b)) || this.partOf(a) - this.partOf(b));
    let before = NO_CHUNK;
    for (const chunk of chunks) {
      this.#before[chunk] = before;
      if (before !== NO_CHUNK) this.#after[before] = chunk;
      before = chunk;
    }
  }
}

function place(segments: readonly Segment[]): Placed[] {
  let base = 0;
  const placed: Placed[] = [];
  for (const segment of segments) {
    placed.push({ segment, base });
    base += segment.ulids.length;
  }
  return placed;
}

function joined(columns: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(sumBy(columns, ({ length }) => length));
  let end = 0;
  for (const column of columns) {
    all.set(column, end);
    end += column.length;
  }
  return all;
}

function runsOf({ segment, base }: Placed): Run[] {
  const runs: Run[] = [];
  let start = base;
  for (const [session, chunks] of segment.sessions) {
    const end = start + chunks;
    runs.push({ session, start, end });
    start = end;
  }
  return runs;
}
