/** Divides the lessons of one topic into parts that one principle can hold, those that are alike together. */
import { BYTE_LIMITS, cuesOf, type Lesson } from "../format/lesson.ts";
import { joinedWhen, whenTooLarge } from "../format/when.ts";
import type { LessonLine } from "../merge/versions.ts";
import { termsOf } from "./similarity.ts";

/** What joins two lessons that are put together as they are, in bytes. */
const JOINT_BYTES = 2;
/** Lessons of so many bytes in all can be said in one principle, if in fewer words. */
export const MOST_GROUP_BYTES = 2_500;
/** What can be read at once: all the texts of a group, in bytes. */
const MOST_TEXT_BYTES = 5_000;

/** What a part has to hold: a log, because principles need not be merged; or lessons of any type. */
export type PartsWith = "log" | "any";

/** Parts of two or more lessons of a topic that fit one principle; only one that fits nowhere is paired with the lesson most like it. */
export function partsOf(
  lines: readonly LessonLine[],
  holding: PartsWith = "log",
): (readonly LessonLine[])[] {
  const likeness = new Likeness(lines);
  const lessons = lines.map(({ version }) => version);
  const lessonSizes = lessons.map(({ lesson }) => bytesOf(lesson) + JOINT_BYTES);
  const textSizes = lessons.map(textBytes);
  const left = new Set(lines.keys());
  /** A lesson and those most like it, as long as they fit; they are not left then, unless it stays alone. */
  const grow = (seed: number, most: Limits): number[] => {
    const part = [seed];
    let [lessonRoom, textRoom] = [most.lessons + JOINT_BYTES, most.texts];
    const take = (index: number) => {
      left.delete(index);
      lessonRoom -= lessonSizes[index] as number;
      textRoom -= textSizes[index] as number;
    };
    take(seed);
    const scores = new Float64Array(lines.length);
    likeness.add(seed, scores);
    while (part.length < most.records) {
      let [next, best] = [-1, Number.NEGATIVE_INFINITY];
      for (const index of left) {
        if ((lessonSizes[index] as number) > lessonRoom || (textSizes[index] as number) > textRoom)
          continue;
        const score = likeness.normal(scores, index);
        if (
          score <= best ||
          hasTooLargeWhen([...part, index].map((each) => lessons[each] as Lesson))
        )
          continue;
        [next, best] = [index, score];
      }
      if (next < 0) break;
      part.push(next);
      take(next);
      likeness.add(next, scores);
    }
    if (part.length === 1) left.add(seed);
    return part;
  };
  const grown = (most: Limits) => {
    const seeds = [...left].filter(
      (index) => holding === "any" || lines[index]?.version.type === "log",
    );
    return seeds
      .map((seed) => (left.has(seed) ? grow(seed, most) : []))
      .filter((part) => part.length > 1);
  };
  const parts = [...grown(AS_IT_IS), ...grown(A_PAIR)];
  return parts.map((part) => part.map((index) => lines[index] as LessonLine));
}

/** Whether the lessons of one topic have any such part; sooner answered than they are divided, because two neighbours will do as a rule. */
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

/** Of some lessons, put together as they are. */
export function lessonBytes(lessons: readonly Lesson[]): number {
  return lessons.reduce((sum, { lesson }) => sum + bytesOf(lesson) + JOINT_BYTES, -JOINT_BYTES);
}

/** Whether some lessons can be read as one group. */
export function isReadable(lessons: readonly Lesson[]): boolean {
  return lessons.reduce((sum, lesson) => sum + textBytes(lesson), 0) <= MOST_TEXT_BYTES;
}

/** The most that a part may hold: its lessons, put together as they are, and all its texts, in bytes; and so many lessons. */
const AS_IT_IS = {
  lessons: BYTE_LIMITS.lesson as number,
  texts: MOST_TEXT_BYTES,
  records: Number.POSITIVE_INFINITY,
};
type Limits = Readonly<typeof AS_IT_IS>;
/** A lesson may have texts of any length, and two of them are the least that can be merged. */
const A_PAIR: Limits = { lessons: MOST_GROUP_BYTES, texts: Number.POSITIVE_INFINITY, records: 2 };

function textBytes({ missing_context, lesson, ask_next_time = "" }: Lesson): number {
  return bytesOf(missing_context) + bytesOf(lesson) + bytesOf(ask_next_time);
}

function hasTooLargeWhen(lessons: readonly Lesson[]): boolean {
  return (
    lessons.some(({ when }) => when !== undefined) &&
    whenTooLarge(joinedWhen(lessons)) !== undefined
  );
}

const bytesOf = (text: string): number => Buffer.byteLength(text, "utf8");

/** How much some lessons have in common: the terms that they share, each counted by its rarity among them. */
class Likeness {
  readonly #terms: readonly (readonly string[])[];
  readonly #lengths: readonly number[];
  /** By term, the lessons that hold it. */
  readonly #holders = new Map<string, number[]>();

  constructor(lines: readonly LessonLine[]) {
    this.#terms = lines.map(({ version }) => [...termsOf(version), ...cuesOf(version.meta)]);
    this.#lengths = this.#terms.map(({ length }) => Math.sqrt(Math.max(1, length)));
    for (const [index, terms] of this.#terms.entries()) {
      for (const term of terms) {
        const holders = this.#holders.get(term);
        if (holders) holders.push(index);
        else this.#holders.set(term, [index]);
      }
    }
  }

  /** Adds what each lesson shares with one more. */
  add(index: number, scores: Float64Array): void {
    for (const term of this.#terms[index] ?? []) {
      const holders = this.#holders.get(term) ?? [];
      const rarity = Math.log(this.#terms.length / holders.length);
      for (const holder of holders) scores[holder] = (scores[holder] ?? 0) + rarity ** 2;
    }
  }

  /** A score that does not grow with the length of a text. */
  normal(scores: Float64Array, index: number): number {
    return (scores[index] as number) / (this.#lengths[index] as number);
  }
}
