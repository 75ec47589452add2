/** Divides the lessons of one topic into parts that one principle can hold, those that are alike together. */
import { memoizeByObject } from "../../ground/core/memoize-by-object.ts";
import { BYTE_LIMITS, cuesOf, type Lesson } from "../format/lesson.ts";
import { joinedWhen, whenTooLarge } from "../format/when.ts";
import type { LessonLine } from "../merge/versions.ts";
import { termsOf } from "./similarity.ts";

/** What joins two lessons that are put together as they are, in bytes. */
const JOINT_BYTES = 2;
/** The most bytes of lessons that one principle can express in fewer words. */
export const MOST_GROUP_BYTES = 2_500;
/** The most bytes of a group's texts that can be read at once. */
const MOST_TEXT_BYTES = 5_000;

/** The content that a part needs: a log, because principles need not be merged, or lessons of any type. */
export type PartsWith = "log" | "any";

/** Parts of two or more lessons of a topic that fit one principle. A lesson that fits nowhere is paired with the one most like it. */
export function partsOf(
  lines: readonly LessonLine[],
  holding: PartsWith = "log",
): (readonly LessonLine[])[] {
  const likeness = new Likeness(lines);
  const left = new Set(lines);
  const parts: LessonLine[][] = [];
  for (const limits of [AS_IT_IS, A_PAIR]) {
    for (const seed of lines) {
      const isSeed = holding === "any" || seed.version.type === "log";
      if (!isSeed || !left.has(seed)) continue;
      const part = grow(seed, left, likeness, limits);
      if (part.length < 2) continue;
      parts.push(part);
      for (const line of part) left.delete(line);
    }
  }
  return parts;
}

/** A lesson and those of the rest that are most like it, as long as they fit. */
function grow(
  seed: LessonLine,
  left: ReadonlySet<LessonLine>,
  likeness: Likeness,
  limits: Limits,
): LessonLine[] {
  const part = [seed];
  const scores = likeness.scores();
  scores.add(seed);
  while (part.length < limits.records) {
    let next: LessonLine | undefined;
    let best = Number.NEGATIVE_INFINITY;
    for (const line of left) {
      const score = scores.of(line);
      // Comparing scores is faster than measuring.
      if (score <= best || part.includes(line) || !fitsIn([...part, line], limits)) continue;
      next = line;
      best = score;
    }
    if (next === undefined) return part;
    part.push(next);
    scores.add(next);
  }
  return part;
}

function fitsIn(lines: readonly LessonLine[], limits: Limits): boolean {
  const lessons = lines.map(({ version }) => version);
  if (lessonBytes(lessons) > limits.lessons || allTextBytes(lessons) > limits.texts) return false;
  return !hasTooLargeWhen(lessons);
}

/** Whether the lessons of one topic have any such part. It's faster than dividing them, because two neighbours usually suffice. */
export function haveParts(lines: readonly LessonLine[]): boolean {
  if (!lines.some(({ version }) => version.type === "log")) return false;
  return (
    lines.some(({ version }, index) => isPair(version, lines[index - 1]?.version)) ||
    partsOf(lines).length > 0
  );
}

function isPair(a: Lesson, b: Lesson | undefined): boolean {
  if (b === undefined || (a.type !== "log" && b.type !== "log")) return false;
  return lessonBytes([a, b]) <= MOST_GROUP_BYTES && !hasTooLargeWhen([a, b]);
}

/** The bytes of some lessons, put together as they are. */
export function lessonBytes(lessons: readonly Lesson[]): number {
  return sumOf(lessons.map(ruleBytes)) + JOINT_BYTES * (lessons.length - 1);
}

/** Whether some lessons can be read as one group. */
export const isReadable = (lessons: readonly Lesson[]): boolean =>
  allTextBytes(lessons) <= MOST_TEXT_BYTES;

/** The limits of a part: bytes of its lessons, bytes of all its texts, and the number of lessons. */
const AS_IT_IS = {
  lessons: BYTE_LIMITS.lesson as number,
  texts: MOST_TEXT_BYTES,
  records: Number.POSITIVE_INFINITY,
};
type Limits = Readonly<typeof AS_IT_IS>;
/** A lesson may have texts of any length, and two of them are the least that can be merged. */
const A_PAIR: Limits = { lessons: MOST_GROUP_BYTES, texts: Number.POSITIVE_INFINITY, records: 2 };

const allTextBytes = (lessons: readonly Lesson[]): number => sumOf(lessons.map(textBytes));

const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0);

const textBytes = memoizeByObject(
  ({ missing_context, lesson, ask_next_time = "" }: Lesson): number =>
    bytesOf(missing_context + lesson + ask_next_time),
);

const ruleBytes = memoizeByObject(({ lesson }: Lesson): number => bytesOf(lesson));

function hasTooLargeWhen(lessons: readonly Lesson[]): boolean {
  return (
    lessons.some(({ when }) => when !== undefined) &&
    whenTooLarge(joinedWhen(lessons)) !== undefined
  );
}

const bytesOf = (text: string): number => Buffer.byteLength(text, "utf8");

/** How much lessons have in common: the terms that they share, each counted by its rarity among them. */
class Likeness {
  readonly #termsOf = new Map<LessonLine, readonly string[]>();
  readonly #linesWith = new Map<string, LessonLine[]>();

  constructor(lines: readonly LessonLine[]) {
    for (const line of lines) {
      const terms = [...termsOf(line.version), ...cuesOf(line.version.meta)];
      this.#termsOf.set(line, terms);
      for (const term of terms) {
        const others = this.#linesWith.get(term);
        if (others) others.push(line);
        else this.#linesWith.set(term, [line]);
      }
    }
  }

  /** Scores of all lessons, by the terms that they share with the added ones. */
  scores(): Scores {
    const sums = new Map<LessonLine, number>();
    return {
      add: (added) => {
        for (const term of this.#termsOf.get(added) ?? []) {
          const lines = this.#linesWith.get(term) ?? [];
          const rarity = Math.log(this.#termsOf.size / lines.length);
          for (const line of lines) sums.set(line, (sums.get(line) ?? 0) + rarity ** 2);
        }
      },
      of: (line) => {
        const length = Math.max(1, this.#termsOf.get(line)?.length ?? 0);
        return (sums.get(line) ?? 0) / Math.sqrt(length);
      },
    };
  }
}

interface Scores {
  readonly add: (line: LessonLine) => void;
  /** A score that doesn't grow with the length of a text. */
  readonly of: (line: LessonLine) => number;
}
