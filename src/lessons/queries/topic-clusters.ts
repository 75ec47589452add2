/** Sets of topics that may be one topic under several names, found without comparing each with each. */
import { groupBy } from "../../ground/core/group-by.ts";
import { topicForm } from "../format/forms.ts";
import { looksLike, shareLeadingWord, topicKeys } from "./topics.ts";

/** Whether one of two topics may stand for the other. */
export function related(a: string, b: string): boolean {
  return a === b || looksLike(a, b) || shareLeadingWord(a, b) || topicForm(a) === topicForm(b);
}

/** Sets of two topics or more that are related, directly or through others; each in the order given. */
export function alikeTopics(topics: readonly string[]): string[][] {
  const sets = new DisjointSets(topics.length);
  const buckets = new Map<string, number[]>();
  for (const [index, topic] of topics.entries()) {
    for (const key of topicKeys(topic)) {
      const bucket = buckets.get(key) ?? [];
      buckets.set(key, bucket);
      for (const other of bucket) {
        if (sets.of(other) !== sets.of(index) && related(topic, topics[other] as string)) sets.join(other, index);
      }
      bucket.push(index);
    }
  }
  return sets.groups().map((members) => members.map((index) => topics[index] as string));
}

/** Items by their number, in sets that grow together. */
export class DisjointSets {
  readonly #parents: number[];

  constructor(size: number) {
    this.#parents = Array.from({ length: size }, (_, index) => index);
  }

  of(item: number): number {
    let root = item;
    while (this.#parents[root] !== root) root = this.#parents[root] as number;
    // The next way is shorter.
    for (let at = item; at !== root; ) [at, this.#parents[at]] = [this.#parents[at] as number, root];
    return root;
  }

  join(a: number, b: number): void {
    this.#parents[Math.max(this.of(a), this.of(b))] = Math.min(this.of(a), this.of(b));
  }

  /** The sets of two items or more. */
  groups(): number[][] {
    const groups = groupBy(this.#parents.keys(), (item) => this.of(item));
    return [...groups.values()].filter((group) => group.length > 1);
  }
}
