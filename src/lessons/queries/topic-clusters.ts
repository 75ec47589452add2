/** Sets of things that belong together, found without comparing each with each: of topics that may be one under several names. */
import { groupBy } from "../../ground/core/group-by.ts";
import { topicForm } from "../format/forms.ts";
import { looksLike, shareLeadingWord, topicKeys } from "./topics.ts";

/** Whether one of two topics may stand for the other. */
export function related(a: string, b: string): boolean {
  return a === b || looksLike(a, b) || shareLeadingWord(a, b) || topicForm(a) === topicForm(b);
}

/** Sets of two topics or more that are related, directly or through others; each in the order given. */
export const alikeTopics = (topics: readonly string[]): string[][] => connected(topics, topicKeys, related);

/** Sets of two or more items that share keys, also through others, in order. @param areRelated whether two with a key belong together. */
export function connected<T>(
  items: readonly T[],
  keysOf: (item: T) => Iterable<string>,
  areRelated: (a: T, b: T) => boolean = () => true,
): T[][] {
  const setOf = new Map(items.map((item) => [item, new Set([item])]));
  const buckets = new Map<string, T[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const bucket = buckets.get(key) ?? [];
      buckets.set(key, bucket);
      for (const other of bucket) {
        const [own, its] = [setOf.get(item), setOf.get(other)] as [Set<T>, Set<T>];
        if (own === its || !areRelated(item, other)) continue;
        const [small, large] = own.size < its.size ? [own, its] : [its, own];
        for (const each of small) setOf.set(each, large.add(each));
      }
      bucket.push(item);
    }
  }
  return [...groupBy(items, (item) => setOf.get(item)).values()].filter((set) => set.length > 1);
}
