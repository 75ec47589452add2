/** Postings in maps, in the simplest way: what an index on disk is compared with. */
import type { Holders, Postings } from "../../src/ground/search/chunk-ranking.ts";
import { tokenize } from "../../src/ground/search/tokenizer.ts";

export interface IndexedChunk {
  readonly id: string;
  readonly text: string;
  readonly session: string;
}

interface Entry {
  readonly id: string;
  /** In terms. */
  readonly length: number;
  readonly before?: number;
  after?: number;
}

const NONE: Holders = { chunks: [], frequencies: [] };

/** @param chunks each session's in order. */
export function postingsOf(chunks: Iterable<IndexedChunk>): PostingsInMemory {
  const postings = new PostingsInMemory();
  for (const chunk of chunks) {
    postings.add(chunk);
  }
  return postings;
}

export class PostingsInMemory implements Postings {
  readonly #chunks: Entry[] = [];
  readonly #holders = new Map<
    string,
    { readonly chunks: number[]; readonly frequencies: number[] }
  >();
  readonly #lastOf = new Map<string, number>();
  #length = 0;

  /** Adds the next chunk of a session. */
  add({ id, text, session }: IndexedChunk): void {
    const number = this.#chunks.length;
    const terms = tokenize(text);
    this.#length += terms.length;
    for (const [term, frequency] of countOf(terms)) {
      const held = this.#holders.get(term) ?? { chunks: [], frequencies: [] };
      this.#holders.set(term, held);
      held.chunks.push(number);
      held.frequencies.push(frequency);
    }
    const before = this.#lastOf.get(session);
    if (before !== undefined) {
      this.#at(before).after = number;
    }
    this.#lastOf.set(session, number);
    this.#chunks.push({ id, length: terms.length, ...(before !== undefined && { before }) });
  }

  get count(): number {
    return this.#chunks.length;
  }

  get end(): number {
    return this.#chunks.length;
  }

  get averageLength(): number {
    return this.#length / this.#chunks.length;
  }

  holderCount(term: string): number {
    return this.holders(term).chunks.length;
  }

  holders(term: string): Holders {
    return this.#holders.get(term) ?? NONE;
  }

  lengthOf(chunk: number): number {
    return this.#at(chunk).length;
  }

  idOf(chunk: number): string {
    return this.#at(chunk).id;
  }

  before(chunk: number): number | undefined {
    return this.#at(chunk).before;
  }

  after(chunk: number): number | undefined {
    return this.#at(chunk).after;
  }

  continues(chunk: number): boolean {
    const [, part = 1] = /_(\d+)$/.exec(this.idOf(chunk)) ?? [];
    return Number(part) > 1;
  }

  #at(chunk: number): Entry {
    return this.#chunks[chunk] as Entry;
  }
}

function countOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}
