/** Returns the first number from which the condition is true, or `end`. It uses binary search. */
export function lowerBound(from: number, end: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the index of the last item whose value is at most this one. The values must be sorted. */
export function lastAtMost<Item>(
  items: readonly Item[],
  value: number,
  numberOf: (item: Item) => number,
): number {
  return lowerBound(0, items.length, (at) => numberOf(items[at] as Item) > value) - 1;
}
