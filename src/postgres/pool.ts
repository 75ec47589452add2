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

/**
 * Where a chunk is, as the database writes it: the number of its owner among those of the answer, its session, ms, key and part, with blanks
 * between. Most chunks of a pool are only counted, so it is taken apart where somebody asks.
 */
type PlaceText = string;
const FIELDS_OF_PLACE = 5;

/** What the database found. */
export interface Found {
  /** How many chunks there are to find, and how many terms they have. */
  readonly count: number;
  readonly length: number;
  readonly owners: readonly string[];
  /** Of each term of the query how many chunks hold it; 0 for one that was not read. */
  readonly holders: readonly number[];
  /** Of each chunk that is ranked its place, how many terms it has, and by turns which of the query's it holds, counted from 1, and how often. */
  readonly lines: readonly string[];
}

export class Pool implements Postings {
  readonly count: number;
  readonly averageLength: number;
  readonly #owners: readonly string[];
  readonly #places: PlaceText[];
  readonly #lengths: readonly number[];
  readonly #holderCounts: ReadonlyMap<string, number>;
  readonly #holders: ReadonlyMap<string, { readonly chunks: number[]; readonly frequencies: number[] }>;
  readonly #numbers: Map<PlaceText, number>;
  readonly #before = new Map<number, number>();
  readonly #after = new Map<number, number>();

  constructor(terms: readonly string[], { count, length, owners, holders: holderCounts, lines }: Found) {
    this.count = count;
    this.averageLength = length / count;
    this.#owners = owners;
    this.#holderCounts = new Map(terms.map((term, at) => [term, holderCounts[at] ?? 0]));
    this.#holders = new Map(terms.map((term) => [term, { chunks: [], frequencies: [] }]));
    const holders = [...this.#holders.values()];
    const chunks = lines.map(readLine);
    this.#places = chunks.map(({ place }) => place);
    this.#lengths = chunks.map(({ counts }) => counts[0] as number);
    this.#numbers = new Map(this.#places.map((place, number) => [place, number]));
    for (const [number, { counts }] of chunks.entries())
      for (let at = 1; at < counts.length; at += 2) {
        const ofTerm = holders[(counts[at] as number) - 1];
        ofTerm?.chunks.push(number);
        ofTerm?.frequencies.push(counts[at + 1] as number);
      }
  }

  /**
   * @param chunk of which neighbours were read.
   * @param around ms, key and part of it and of them, in their order in the session.
   */
  addNeighbours(chunk: number, around: readonly string[]): void {
    const [owner, session] = (this.#places[chunk] as PlaceText).split(" ", 2);
    const numbers = around.map((place) => this.#numberOf(`${owner} ${session} ${place}`));
    for (const [at, number] of numbers.entries()) {
      const next = numbers[at + 1];
      if (next === undefined) continue;
      this.#after.set(number, next);
      this.#before.set(next, number);
    }
  }

  placeOf(chunk: number): ChunkPlace {
    const [owner, session = "", ms, key = "", part] = (this.#places[chunk] as PlaceText).split(" ");
    return { owner: this.#owners[Number(owner) - 1] as string, session, ms: Number(ms), key, part: Number(part) };
  }

  get end(): number {
    return this.#places.length;
  }

  holderCount(term: string): number {
    return this.#holderCounts.get(term) ?? 0;
  }

  holders(term: string): Holders {
    return this.#holders.get(term) ?? { chunks: [], frequencies: [] };
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

  #numberOf(place: PlaceText): number {
    const known = this.#numbers.get(place);
    if (known !== undefined) return known;
    const number = this.#places.push(place) - 1;
    this.#numbers.set(place, number);
    return number;
  }
}

function readLine(line: string): { readonly place: PlaceText; readonly counts: readonly number[] } {
  let end = -1;
  for (let field = 0; field < FIELDS_OF_PLACE; field++) end = line.indexOf(" ", end + 1);
  return {
    place: line.slice(0, end),
    counts: line
      .slice(end + 1)
      .split(" ")
      .map(Number),
  };
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
