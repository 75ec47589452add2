/** The first number from which on a condition holds, or the end: a binary search. */
export function lowerBound(from: number, end: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The place of the last item whose value is at most this; the values are sorted. */
export function lastAtMost<Item>(
  items: readonly Item[],
  value: number,
  numberOf: (item: Item) => number,
): number {
  return lowerBound(0, items.length, (at) => numberOf(items[at] as Item) > value) - 1;
}
