/** How many chunks hold a common term, as earlier searches found it: to count them takes as long as to read them. */
import { Lately } from "../../ground/core/lately.ts";

/** Smaller counts are not remembered: to count again is quick. */
const COMMON = 500;
const MOST_REMEMBERED = 5_000;

export class CommonTerms {
  #held = new Lately<number>(MOST_REMEMBERED);
  #gone = "0";

  /** How many chunks had ever gone when these were counted. */
  get gone(): string {
    return this.#gone;
  }

  /** At least so many hold it, as long as no chunk goes; 0 where nothing is known. */
  heldBy(term: string): number {
    return this.#held.get(term) ?? 0;
  }

  /** @param held of each term, by its place. @param gone how many chunks had ever gone then. */
  learn(terms: readonly string[], held: readonly number[], gone: string): void {
    if (gone !== this.#gone) this.#held = new Lately(MOST_REMEMBERED);
    this.#gone = gone;
    for (const [at, term] of terms.entries()) {
      const count = held[at] ?? 0;
      if (count >= COMMON) this.#held.set(term, count);
    }
  }
}
