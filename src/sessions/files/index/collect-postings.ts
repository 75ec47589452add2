/** Gathers the terms of chunks, one after the other, in few and large pieces of memory. */
import type { Holders } from "../../../ground/search/chunk-ranking.ts";

export class CollectedPostings {
  readonly #numbers = new Map<string, number>();
  /** By term: how many chunks hold it, the last of these, and where that stands below. */
  readonly #counts: number[] = [];
  readonly #lastChunks: number[] = [];
  readonly #lastPlaces: number[] = [];
  /** One entry for each chunk and term. */
  readonly #terms: number[] = [];
  readonly #chunks: number[] = [];
  readonly #frequencies: number[] = [];

  /** @param chunk higher than all before. */
  add(chunk: number, terms: readonly string[]): void {
    for (const term of terms) {
      const number = this.#numberOf(term);
      if (this.#lastChunks[number] === chunk) {
        const place = this.#lastPlaces[number] as number;
        this.#frequencies[place] = (this.#frequencies[place] as number) + 1;
        continue;
      }
      this.#counts[number] = (this.#counts[number] ?? 0) + 1;
      this.#lastChunks[number] = chunk;
      this.#lastPlaces[number] = this.#terms.length;
      this.#terms.push(number);
      this.#chunks.push(chunk);
      this.#frequencies.push(1);
    }
  }

  /** All terms in order. */
  *inOrder(): Generator<readonly [term: string, holders: Holders]> {
    const terms = [...this.#numbers.keys()].sort();
    const ends = new Uint32Array(terms.length);
    let start = 0;
    for (const term of terms) {
      const number = this.#numbers.get(term) as number;
      ends[number] = start;
      start += this.#counts[number] as number;
    }
    const chunks = new Uint32Array(this.#terms.length);
    const frequencies = new Uint32Array(this.#terms.length);
    for (let at = 0; at < this.#terms.length; at++) {
      const number = this.#terms[at] as number;
      const place = ends[number] as number;
      chunks[place] = this.#chunks[at] as number;
      frequencies[place] = this.#frequencies[at] as number;
      ends[number] = place + 1;
    }
    for (const term of terms) {
      const number = this.#numbers.get(term) as number;
      const end = ends[number] as number;
      const from = end - (this.#counts[number] as number);
      yield [term, { chunks: chunks.subarray(from, end), frequencies: frequencies.subarray(from, end) }];
    }
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(term, number);
    return number;
  }
}
