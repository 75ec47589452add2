/** The lessons of a snapshot under keys that follow from what they say. */
import { groupBy } from "../../ground/core/group-by.ts";
import { LayeredMap } from "../../ground/core/layered-map.ts";
import { formOf, topicForm } from "../format/forms.ts";
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

const NONE: readonly LessonLine[] = [];

export class LineIndex {
  readonly #keyOf: KeyOf;
  readonly #lists: LayeredMap<string, readonly LessonLine[]>;

  private constructor(keyOf: KeyOf, lists: LayeredMap<string, readonly LessonLine[]>) {
    this.#keyOf = keyOf;
    this.#lists = lists;
  }

  static of(keyOf: KeyOf, lines: readonly LessonLine[]): LineIndex {
    const index = new LineIndex(keyOf, new LayeredMap());
    for (const [key, group] of groupBy(lines, keyOf)) if (key !== undefined) index.#lists.set(key, group);
    return index;
  }

  copy(): LineIndex {
    return new LineIndex(this.#keyOf, this.#lists.copy());
  }

  /** In no particular order; the same array as long as nothing has come or gone. */
  get(key: string): readonly LessonLine[] {
    return this.#lists.get(key) ?? NONE;
  }

  /** Every key of some lesson with its lessons, in no particular order. */
  entries(): IterableIterator<[string, readonly LessonLine[]]> {
    return this.#lists[Symbol.iterator]();
  }

  add(line: LessonLine): void {
    const key = this.#keyOf(line);
    if (key !== undefined) this.#lists.set(key, [...this.get(key), line]);
  }

  remove(line: LessonLine): void {
    const key = this.#keyOf(line);
    if (key === undefined) return;
    const left = this.get(key).filter((other) => other !== line);
    if (left.length > 0) this.#lists.set(key, left);
    else this.#lists.delete(key);
  }
}
