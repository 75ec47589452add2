/** The chunks read for a search. Counts cover the whole session log, and likely results come with their neighbors, so scores are exact. */
import type { Holders, Postings } from "../../ground/search/chunk-ranking.ts";
import { eventId } from "../../sessions/kinds/event.ts";
import { chunkId } from "../../sessions/storing/chunks.ts";

export interface ChunkPlace {
  readonly owner: string;
  /** The number of the session in the database. */
  readonly session: string;
  /** The time of the event, in ms since 1970. */
  readonly ms: number;
  readonly key: string;
  readonly part: number;
}

export interface FoundTerms {
  /** The number of searchable chunks. `length` is the number of their terms. */
  readonly count: number;
  readonly length: number;
  /** The number of chunks that contain each term of the query. 0 for a term that wasn't read. */
  readonly holders: readonly number[];
  /** One line per term. It lists the chunks that contain the term, as groups of three: ctid, length in terms, frequency of the term. */
  readonly postings: string;
}

/** A chunk and its neighbors, in the format of the database. */
export interface Around {
  readonly owner: string;
  readonly session_no: string;
  /** The ctid and the place of each chunk. */
  readonly around: string;
}

export class ReadPostings implements Postings {
  readonly count: number;
  readonly averageLength: number;
  readonly #holders = new Map<string, Holders & { readonly count: number }>();
  /** The number of each chunk, by ctid. */
  readonly #numbers = new Map<string, number>();
  readonly #ctids: string[] = [];
  readonly #lengths: number[] = [];
  readonly #places: (ChunkPlace | undefined)[] = [];
  readonly #before = new Map<number, number>();
  readonly #after = new Map<number, number>();

  constructor(terms: readonly string[], { count, length, holders, postings }: FoundTerms) {
    this.count = count;
    this.averageLength = length / count;
    const lines = postings.split("\n");
    for (const [at, term] of terms.entries())
      this.#addHolders(term, holders[at] ?? 0, lines[at] ?? "");
  }

  #addHolders(term: string, count: number, postings: string): void {
    const chunks: number[] = [];
    const frequencies: number[] = [];
    const fields = postings === "" ? [] : postings.split(" ");
    for (let at = 0; at < fields.length; at += 3) {
      const chunk = this.#numberOf(fields[at] as string);
      this.#lengths[chunk] = Number(fields[at + 1]);
      chunks.push(chunk);
      frequencies.push(Number(fields[at + 2]));
    }
    this.#holders.set(term, { count, chunks, frequencies });
  }

  /** Adds the places of chunks and their neighbors. */
  add(rows: readonly Around[]): void {
    for (const { owner, session_no: session, around } of rows) {
      const numbers = around.split("|").map((text) => {
        const [ctid = "", ms, key = "", part] = text.split(" ");
        const number = this.#numberOf(ctid);
        this.#places[number] ??= { owner, session, ms: Number(ms), key, part: Number(part) };
        return number;
      });
      for (const [at, number] of numbers.entries()) {
        const next = numbers[at + 1];
        if (next === undefined) continue;
        this.#after.set(number, next);
        this.#before.set(next, number);
      }
    }
  }

  ctidOf(chunk: number): string {
    return this.#ctids[chunk] as string;
  }

  /** @returns undefined for a chunk whose place wasn't added. */
  placeOf(chunk: number): ChunkPlace | undefined {
    return this.#places[chunk];
  }

  get end(): number {
    return this.#ctids.length;
  }

  holderCount(term: string): number {
    return this.#holders.get(term)?.count ?? 0;
  }

  holders(term: string): Holders {
    return this.#holders.get(term) ?? { chunks: [], frequencies: [] };
  }

  lengthOf(chunk: number): number {
    return this.#lengths[chunk] as number;
  }

  /** Without a place, @returns an empty string, which sorts as older than any id. Enough other chunks with the same score have places. */
  idOf(chunk: number): string {
    const place = this.placeOf(chunk);
    return place ? chunkIdOf(place) : "";
  }

  before(chunk: number): number | undefined {
    return this.#before.get(chunk);
  }

  after(chunk: number): number | undefined {
    return this.#after.get(chunk);
  }

  continues(chunk: number): boolean {
    return (this.placeOf(chunk)?.part ?? 1) > 1;
  }

  #numberOf(ctid: string): number {
    const known = this.#numbers.get(ctid);
    if (known !== undefined) return known;
    const number = this.#ctids.push(ctid) - 1;
    this.#numbers.set(ctid, number);
    return number;
  }
}

/** Returns the id of a chunk, as `chunksOf` makes it. */
export function chunkIdOf({ ms, key, part }: Pick<ChunkPlace, "ms" | "key" | "part">): string {
  return chunkId(eventId(ms, key), part);
}

/** Returns the columns that identify chunks, one list per column. */
export function columnsOf(places: readonly ChunkPlace[]): unknown[] {
  return [
    places.map(({ owner }) => owner),
    places.map(({ session }) => session),
    places.map(({ ms }) => new Date(ms).toISOString()),
    places.map(({ key }) => key),
    places.map(({ part }) => part),
  ];
}
