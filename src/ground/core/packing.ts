import { type Budget, Meter } from "./budget.ts";

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
