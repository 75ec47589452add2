/** The lessons of a memory, grouped by a key that follows from their texts. */
import { formOf, topicForm } from "../format/forms.ts";
import type { LessonLine } from "./versions.ts";

/** What lessons are looked up by. A lesson whose key is undefined is in no group. @internal */
export const KEYS = {
  topic: ({ version }) => version.topic,
  topicForm: ({ version }) => topicForm(version.topic),
  /** Topic and gap. Only logs have one. */
  gapForm: ({ version }) => formOf(version),
  /** The gap without its topic. */
  gapAlone: ({ version }) => formOf(version)?.split("\n")[1],
  idStart: ({ version }) => idStart(version.id),
} as const satisfies Readonly<Record<string, (line: LessonLine) => string | undefined>>;

export type IndexKey = keyof typeof KEYS;

const START_CHARACTERS = 6;

/** The part of an id that every reference to it begins with, in lower case. */
export const idStart = (id: string): string => id.slice(0, START_CHARACTERS).toLowerCase();

const NO_LESSONS: ReadonlySet<LessonLine> = new Set();

export class LessonIndex {
  readonly #key: IndexKey;
  readonly #groups = new Map<string, Set<LessonLine>>();

  constructor(key: IndexKey, lessons: readonly LessonLine[]) {
    this.#key = key;
    for (const lesson of lessons) this.add(lesson);
  }

  get(value: string): ReadonlySet<LessonLine> {
    return this.#groups.get(value) ?? NO_LESSONS;
  }

  /** Every group, by the value that its lessons share. */
  groups(): IterableIterator<[string, ReadonlySet<LessonLine>]> {
    return this.#groups.entries();
  }

  add(lesson: LessonLine): void {
    const value = KEYS[this.#key](lesson);
    if (value === undefined) return;
    const group = this.#groups.get(value);
    if (group) group.add(lesson);
    else this.#groups.set(value, new Set([lesson]));
  }

  remove(lesson: LessonLine): void {
    const value = KEYS[this.#key](lesson);
    if (value === undefined) return;
    const group = this.#groups.get(value);
    group?.delete(lesson);
    if (group?.size === 0) this.#groups.delete(value);
  }
}
