/** How much text an answer may hold: in characters, bytes and tokens, because each client cuts by another of them. */
import { estimateTokens } from "./tokens.ts";

export interface Budget {
  readonly characters: number;
  readonly bytes: number;
  readonly tokens: number;
}

/** Takes texts in until one does not fit; each is counted with the line break that follows it. */
export class Meter {
  #left: Budget;

  constructor(budget: Budget) {
    this.#left = budget;
  }

  /** Takes a text in if it fits, and says whether it did. */
  take(text: string): boolean {
    const characters = this.#left.characters - text.length - 1;
    const bytes = this.#left.bytes - Buffer.byteLength(text, "utf8") - 1;
    // Estimating is by far the slowest of the three.
    if (characters < 0 || bytes < 0) return false;
    const tokens = this.#left.tokens - estimateTokens(text) - 1;
    if (tokens < 0) return false;
    this.#left = { characters, bytes, tokens };
    return true;
  }
}

export const fits = (text: string, budget: Budget): boolean => new Meter(budget).take(text);

/** A share of a budget, from 0 to 1. */
export function shareOf(budget: Budget, share: number): Budget {
  return {
    characters: Math.floor(budget.characters * share),
    bytes: Math.floor(budget.bytes * share),
    tokens: Math.floor(budget.tokens * share),
  };
}

/** A budget with no more than so many tokens. */
export function capped(budget: Budget, tokens: number): Budget {
  return { ...budget, tokens: Math.min(budget.tokens, tokens) };
}

/** The rest of a budget after a text. */
export function without(budget: Budget, text: string): Budget {
  return {
    characters: budget.characters - text.length,
    bytes: budget.bytes - Buffer.byteLength(text, "utf8"),
    tokens: budget.tokens - estimateTokens(text),
  };
}

export interface Packed<Item> {
  readonly texts: readonly string[];
  readonly taken: readonly Item[];
  readonly left: readonly Item[];
}

/** As many that do not fit in a row end the packing: a memory of many thousands is not tried to its end. */
const MOST_MISSES = 5;

/** Takes items in order, also smaller ones after one that is too large. @param textOf the text of an item in its place, from 1. */
export function pack<Item>(
  items: readonly Item[],
  budget: Budget,
  textOf: (item: Item, place: number) => string,
): Packed<Item> {
  const meter = new Meter(budget);
  const texts: string[] = [];
  const taken: Item[] = [];
  const left: Item[] = [];
  let misses = 0;
  for (const [index, item] of items.entries()) {
    if (misses === MOST_MISSES) return { texts, taken, left: [...left, ...items.slice(index)] };
    const text = textOf(item, texts.length + 1);
    if (meter.take(text)) {
      texts.push(text);
      taken.push(item);
      misses = 0;
    } else {
      left.push(item);
      misses++;
    }
  }
  return { texts, taken, left };
}
