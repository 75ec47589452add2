/** Divides the lessons of one topic into parts that one principle can hold, those that are alike together. */
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

/** A lesson that a part may contain, measured once. */
interface Candidate {
  readonly line: LessonLine;
  /** Its place among all candidates, from 0. */
  readonly place: number;
  readonly terms: readonly string[];
  /** In bytes. */
  readonly lesson: number;
  /** In bytes, all its texts together. */
  readonly texts: number;
}

/** Parts of two or more lessons of a topic that fit one principle. A lesson that fits nowhere is paired with the one most like it. */
export function partsOf(
  lines: readonly LessonLine[],
  holding: PartsWith = "log",
): (readonly LessonLine[])[] {
  const candidates = lines.map(measured);
  const likeness = new Likeness(candidates);
  const left = new Set(candidates);
  const parts: (readonly LessonLine[])[] = [];
  for (const limits of [AS_IT_IS, A_PAIR]) {
    for (const seed of candidates) {
      const isSeed = holding === "any" || seed.line.version.type === "log";
      if (!isSeed || !left.has(seed)) continue;
      const part = grow(seed, left, likeness, limits);
      if (part.length < 2) continue;
      parts.push(part.map(({ line }) => line));
      for (const candidate of part) left.delete(candidate);
    }
  }
  return parts;
}

function measured(line: LessonLine, place: number): Candidate {
  const { version } = line;
  const terms = [...termsOf(version), ...cuesOf(version.meta)];
  return { line, place, terms, lesson: bytesOf(version.lesson), texts: textBytes(version) };
}

/** A lesson and those of the rest that are most like it, as long as they fit. */
function grow(
  seed: Candidate,
  left: ReadonlySet<Candidate>,
  likeness: Likeness,
  limits: Limits,
): Candidate[] {
  const part = [seed];
  const others = new Set(left);
  others.delete(seed);
  const scores = likeness.scores();
  scores.add(seed);
  let lessonRoom = limits.lessons - seed.lesson;
  let textRoom = limits.texts - seed.texts;
  while (part.length < limits.records) {
    let next: Candidate | undefined;
    let best = Number.NEGATIVE_INFINITY;
    for (const other of others) {
      if (other.lesson + JOINT_BYTES > lessonRoom || other.texts > textRoom) {
        others.delete(other);
        continue;
      }
      const score = scores.of(other);
      if (score <= best || hasTooLargeWhen(lessonsOf([...part, other]))) continue;
      next = other;
      best = score;
    }
    if (next === undefined) return part;
    part.push(next);
    others.delete(next);
    scores.add(next);
    lessonRoom -= next.lesson + JOINT_BYTES;
    textRoom -= next.texts;
  }
  return part;
}

const lessonsOf = (part: readonly Candidate[]): Lesson[] => part.map(({ line }) => line.version);

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
  let sum = JOINT_BYTES * (lessons.length - 1);
  for (const { lesson } of lessons) sum += bytesOf(lesson);
  return sum;
}

/** Whether some lessons can be read as one group. */
export function isReadable(lessons: readonly Lesson[]): boolean {
  let sum = 0;
  for (const lesson of lessons) sum += textBytes(lesson);
  return sum <= MOST_TEXT_BYTES;
}

/** The limits of a part: bytes of its lessons, bytes of all its texts, and the number of lessons. */
const AS_IT_IS = {
  lessons: BYTE_LIMITS.lesson as number,
  texts: MOST_TEXT_BYTES,
  records: Number.POSITIVE_INFINITY,
};
type Limits = Readonly<typeof AS_IT_IS>;
/** A lesson may have texts of any length, and two of them are the least that can be merged. */
const A_PAIR: Limits = { lessons: MOST_GROUP_BYTES, texts: Number.POSITIVE_INFINITY, records: 2 };

const textBytes = ({ missing_context, lesson, ask_next_time = "" }: Lesson): number =>
  bytesOf(missing_context + lesson + ask_next_time);

function hasTooLargeWhen(lessons: readonly Lesson[]): boolean {
  return (
    lessons.some(({ when }) => when !== undefined) &&
    whenTooLarge(joinedWhen(lessons)) !== undefined
  );
}

const bytesOf = (text: string): number => Buffer.byteLength(text, "utf8");

/** How much lessons have in common: the terms that they share, each counted by its rarity among them. */
class Likeness {
  readonly #count: number;
  readonly #withTerm = new Map<string, Candidate[]>();

  constructor(candidates: readonly Candidate[]) {
    this.#count = candidates.length;
    for (const candidate of candidates) {
      for (const term of candidate.terms) {
        const others = this.#withTerm.get(term);
        if (others) others.push(candidate);
        else this.#withTerm.set(term, [candidate]);
      }
    }
  }

  /** Scores of all lessons, by the terms that they share with the added ones. */
  scores(): Scores {
    const sums = new Float64Array(this.#count);
    return {
      add: ({ terms }) => {
        for (const term of terms) {
          const sharing = this.#withTerm.get(term) ?? [];
          const rarity = Math.log(this.#count / sharing.length);
          for (const { place } of sharing) sums[place] = (sums[place] ?? 0) + rarity ** 2;
        }
      },
      of: ({ place, terms }) => (sums[place] ?? 0) / Math.sqrt(Math.max(1, terms.length)),
    };
  }
}

interface Scores {
  readonly add: (candidate: Candidate) => void;
  /** A score that doesn't grow with the length of a text. */
  readonly of: (candidate: Candidate) => number;
}
