/** Groups items by key, keeping the order of first occurrence. Node 20 lacks `Map.groupBy`. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) {
      group.push(item);
    } else {
      groups.set(key, [item]);
    }
  }
  return groups;
}

/** Counts each distinct item. Keys are in order of first occurrence. */
export function countEach<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) {
    counts.set(item, (counts.get(item) ?? 0) + 1);
  }
  return counts;
}

/** Returns the sum of one number per item. */
export function sumBy<Item>(items: Iterable<Item>, numberOf: (item: Item) => number): number {
  let sum = 0;
  for (const item of items) {
    sum += numberOf(item);
  }
  return sum;
}

/** Returns the first number from which the condition is true, or `end`. It uses binary search. */
export function lowerBound(from: number, end: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
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

/** Returns all items of an async iterable. Node 20 lacks `Array.fromAsync`. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}

/** Whether a value of JSON has at most this many levels and values. It works level by level, because recursion could overflow the stack. */
export function isWithinLimits(value: unknown, levels: number, values: number): boolean {
  let level = [value].filter(isNested);
  let count = 0;
  for (let depth = 0; level.length > 0; depth++) {
    const items: unknown[] = level.flatMap((one) => Object.values(one));
    count += items.length;
    if (depth >= levels || count > values) {
      return false;
    }
    level = items.filter(isNested);
  }
  return true;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Whether a JSON value is an object, and neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return isNested(value) && !Array.isArray(value);
}
