/** The lessons of a snapshot under keys that follow from what they say. */
import { groupBy } from "../../ground/core/group-by.ts";
import { LayeredMap } from "../../ground/core/layered-map.ts";
import { formOf, topicForm } from "../format/forms.ts";
import { LineList } from "./line-list.ts";
import type { LessonLine } from "./versions.ts";

/** The key of a lesson; undefined for one that is not looked for. */
type KeyOf = (line: LessonLine) => string | undefined;

/** By what lessons are looked for. */
export const KEYS = {
  topic: ({ version }) => version.topic,
  topicForm: ({ version }) => topicForm(version.topic),
  /** Of topic and gap; only logs have one. */
  gapForm: ({ version }) => formOf(version),
  /** The gap alone, whatever the topic: what follows the topic in the form of both, which is known already. */
  gapAlone: ({ version }) => formOf(version)?.split("\n")[1],
  idStart: ({ version }) => idStart(version.id),
} as const satisfies Readonly<Record<string, KeyOf>>;

const START_CHARACTERS = 6;

/** What all ids share that a beginning of at least 6 characters may mean, in any case. */
export const idStart = (id: string): string => id.slice(0, START_CHARACTERS).toLowerCase();

const EMPTY = new LineList();

export class LineIndex {
  readonly #keyOf: KeyOf;
  readonly #lists: LayeredMap<string, LineList>;

  private constructor(keyOf: KeyOf, lists: LayeredMap<string, LineList>) {
    this.#keyOf = keyOf;
    this.#lists = lists;
  }

  static of(keyOf: KeyOf, lines: readonly LessonLine[]): LineIndex {
    const lists = new Map<string, LineList>();
    for (const [key, group] of groupBy(lines, keyOf))
      if (key !== undefined) lists.set(key, new LineList(group));
    return new LineIndex(keyOf, new LayeredMap(lists));
  }

  copy(): LineIndex {
    return new LineIndex(this.#keyOf, this.#lists.copy());
  }

  get(key: string): LineList {
    return this.#lists.get(key) ?? EMPTY;
  }

  /** Every key of some lesson with its lessons, in no particular order. */
  entries(): IterableIterator<[string, LineList]> {
    return this.#lists[Symbol.iterator]();
  }

  add(line: LessonLine): void {
    const key = this.#keyOf(line);
    if (key !== undefined)
      this.#lists.set(key, (this.#lists.get(key) ?? new LineList()).with(line));
  }

  remove(line: LessonLine): void {
    const key = this.#keyOf(line);
    const left = key === undefined ? undefined : this.#lists.get(key)?.without(line);
    if (key === undefined || left === undefined) return;
    if (left.length > 0) this.#lists.set(key, left);
    else this.#lists.delete(key);
  }
}
