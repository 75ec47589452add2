/** The items that are there, in their order: a list in which some stand under a condition, as `isLate && "late"`. */
export function present<T extends string | object>(...items: readonly (T | "" | false | null | undefined)[]): T[] {
  return items.filter((item): item is T => item !== "" && item !== false && item !== null && item !== undefined);
}
