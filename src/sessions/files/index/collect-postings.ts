/** Gathers the terms of chunks, one after the other, in few and large pieces of memory. */
import type { Holders } from "../../../ground/search/chunk-ranking.ts";

const NONE = 0xffffffff;

export class CollectedPostings {
  readonly #numbers = new Map<string, number>();
  /** By term: how many chunks hold it, the last of these, and where that stands below. */
  #counts = new Uint32Array(1024);
  #lastChunks = new Uint32Array(1024);
  #lastPlaces = new Uint32Array(1024);
  /** One entry for each chunk and term. */
  #terms = new Uint32Array(4096);
  #chunks = new Uint32Array(4096);
  #frequencies = new Uint32Array(4096);
  #length = 0;

  /** @param chunk higher than all before. */
  add(chunk: number, terms: readonly string[]): void {
    for (const term of terms) {
      const number = this.#numberOf(term);
      if (this.#lastChunks[number] === chunk) {
        const place = this.#lastPlaces[number] as number;
        this.#frequencies[place] = (this.#frequencies[place] as number) + 1;
        continue;
      }
      if (this.#length === this.#terms.length) this.#growEntries();
      this.#terms[this.#length] = number;
      this.#chunks[this.#length] = chunk;
      this.#frequencies[this.#length] = 1;
      this.#counts[number] = (this.#counts[number] as number) + 1;
      this.#lastChunks[number] = chunk;
      this.#lastPlaces[number] = this.#length++;
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
    const chunks = new Uint32Array(this.#length);
    const frequencies = new Uint32Array(this.#length);
    for (let at = 0; at < this.#length; at++) {
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
    if (number === this.#counts.length) {
      this.#counts = twice(this.#counts);
      this.#lastChunks = twice(this.#lastChunks);
      this.#lastPlaces = twice(this.#lastPlaces);
    }
    this.#lastChunks[number] = NONE;
    return number;
  }

  #growEntries(): void {
    this.#terms = twice(this.#terms);
    this.#chunks = twice(this.#chunks);
    this.#frequencies = twice(this.#frequencies);
  }
}

function twice(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
