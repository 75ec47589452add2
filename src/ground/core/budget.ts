/** Limits for an answer's text in characters, bytes and tokens. All three are needed because clients measure differently. */
import { estimateTokens } from "./tokens.ts";

export interface Budget {
  readonly characters: number;
  readonly bytes: number;
  readonly tokens: number;
}

/** Tracks the budget left as texts are added. Each text counts with the line break after it. */
export class Meter {
  #left: Budget;

  constructor(budget: Budget) {
    this.#left = budget;
  }

  /** Adds a text if it fits. Returns whether it did. */
  take(text: string): boolean {
    const characters = this.#left.characters - text.length - 1;
    const bytes = this.#left.bytes - Buffer.byteLength(text, "utf8") - 1;
    // Checked before the tokens, because estimating those is by far the slowest of the three.
    if (characters < 0 || bytes < 0) {
      return false;
    }
    const tokens = this.#left.tokens - estimateTokens(text) - 1;
    if (tokens < 0) {
      return false;
    }
    this.#left = { characters, bytes, tokens };
    return true;
  }
}

export const fits = (text: string, budget: Budget): boolean => new Meter(budget).take(text);

/** Scales a budget. @param share from 0 to 1. */
export function shareOf(budget: Budget, share: number): Budget {
  return {
    characters: Math.floor(budget.characters * share),
    bytes: Math.floor(budget.bytes * share),
    tokens: Math.floor(budget.tokens * share),
  };
}

/** Returns a budget limited to this number of tokens. */
export function capped(budget: Budget, tokens: number): Budget {
  return { ...budget, tokens: Math.min(budget.tokens, tokens) };
}

/** Returns the budget left after a text. */
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

/** Packing ends after this number of consecutive items that don't fit, so it doesn't try all of a large memory. */
const MOST_MISSES = 5;

/** Packs items in order. If one is too large, smaller ones after it may still fit. @param textOf returns an item's text. Its position counts from 1. */
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
    if (misses === MOST_MISSES) {
      return { texts, taken, left: [...left, ...items.slice(index)] };
    }
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
