/**
 * The chunks that a search reads, as ranking reads them. Not all of the record is here: counts of all are given, and neighbours are added
 * for those that ask for them, so that the scores are those of the whole.
 */
import { chunkId } from "../events/chunks.ts";
import { eventId } from "../events/event-id.ts";
import type { Holders, Postings } from "../search/chunk-ranking.ts";

/** Where a chunk is. */
export interface ChunkPlace {
  readonly owner: string;
  /** As the database numbers it. */
  readonly session: string;
  /** When its event happened, in ms since 1970. */
  readonly ms: number;
  readonly key: string;
  readonly part: number;
}

export interface PooledChunk extends ChunkPlace {
  /** In terms. */
  readonly length: number;
  /** Which of the terms it holds, by their places in the list of terms, and how often. */
  readonly held: readonly { readonly term: number; readonly times: number }[];
}

export class Pool implements Postings {
  readonly count: number;
  readonly averageLength: number;
  readonly #terms: readonly string[];
  readonly #chunks: ChunkPlace[];
  readonly #lengths: readonly number[];
  readonly #holders: readonly { readonly chunks: number[]; readonly frequencies: number[] }[];
  readonly #numbers = new Map<string, number>();
  readonly #before = new Map<number, number>();
  readonly #after = new Map<number, number>();

  /**
   * @param all how many chunks there are to find, and how many terms they have.
   * @param terms of the query; one that was not read has no holders here.
   */
  constructor(
    all: { readonly count: number; readonly length: number },
    terms: readonly string[],
    chunks: readonly PooledChunk[],
  ) {
    this.count = all.count;
    this.averageLength = all.length / all.count;
    this.#terms = terms;
    this.#chunks = [...chunks];
    this.#lengths = chunks.map(({ length }) => length);
    this.#holders = terms.map(() => ({ chunks: [], frequencies: [] }));
    for (const [number, chunk] of chunks.entries()) {
      this.#numbers.set(nameOf(chunk), number);
      for (const { term, times } of chunk.held) {
        this.#holders[term]?.chunks.push(number);
        this.#holders[term]?.frequencies.push(times);
      }
    }
  }

  /** @param chunks that follow each other in their session. */
  addNeighbours(chunks: readonly ChunkPlace[]): void {
    const numbers = chunks.map((chunk) => this.#numberOf(chunk));
    for (const [at, number] of numbers.entries()) {
      const next = numbers[at + 1];
      if (next === undefined) continue;
      this.#after.set(number, next);
      this.#before.set(next, number);
    }
  }

  placeOf(chunk: number): ChunkPlace {
    return this.#chunks[chunk] as ChunkPlace;
  }

  get end(): number {
    return this.#chunks.length;
  }

  holderCount(term: string): number {
    return this.holders(term).chunks.length;
  }

  holders(term: string): Holders {
    return this.#holders[this.#terms.indexOf(term)] ?? { chunks: [], frequencies: [] };
  }

  lengthOf(chunk: number): number {
    return this.#lengths[chunk] as number;
  }

  idOf(chunk: number): string {
    return chunkIdOf(this.placeOf(chunk));
  }

  before(chunk: number): number | undefined {
    return this.#before.get(chunk);
  }

  after(chunk: number): number | undefined {
    return this.#after.get(chunk);
  }

  #numberOf(chunk: ChunkPlace): number {
    const name = nameOf(chunk);
    const number = this.#numbers.get(name) ?? this.#chunks.push(chunk) - 1;
    this.#numbers.set(name, number);
    return number;
  }
}

/** See `chunksOf`. */
export function chunkIdOf({ ms, key, part }: Pick<ChunkPlace, "ms" | "key" | "part">): string {
  return chunkId(eventId(ms, key), part);
}

/** Of places, the columns that name a chunk. */
export function columnsOf(places: readonly ChunkPlace[]): unknown[] {
  return [
    places.map(({ owner }) => owner),
    places.map(({ session }) => session),
    places.map(({ ms }) => new Date(ms).toISOString()),
    places.map(({ key }) => key),
    places.map(({ part }) => part),
  ];
}

function nameOf({ owner, ms, key, part }: ChunkPlace): string {
  return `${ms} ${key} ${part} ${owner}`;
}
