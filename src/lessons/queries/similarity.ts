/** Finds an existing lesson that is nearly the same as a draft, before a log is saved. */
import { memoizeByObject } from "../../ground/core/memoize.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import type { Lesson } from "../format/lesson.ts";
import type { LessonLine } from "../merge/versions.ts";

/** The compared texts. The topic is the same for all candidates. */
export type Compared = Pick<Lesson, "missing_context" | "lesson">;

/** The share of common terms from which two notes count as nearly the same. Chosen on the labelled pairs in the test. */
const NEARLY_THE_SAME = 0.5;

/** The nearest candidate that is alike enough. If several are equally near, the first. */
export function nearestLesson(
  draft: Compared,
  lessons: Iterable<LessonLine>,
): LessonLine | undefined {
  let nearest: LessonLine | undefined;
  let best = 0;
  for (const line of lessons) {
    const alike = likeness(draft, line.version);
    if (alike < NEARLY_THE_SAME || alike <= best) {
      continue;
    }
    nearest = line;
    best = alike;
  }
  return nearest;
}

/** The share of common terms of two lessons, from 0 to 1: twice the terms in common over the terms of both (the Dice coefficient). */
export function likeness(a: Compared, b: Compared): number {
  const terms = termsOf(b);
  const common = [...termsOf(a)].filter((term) => terms.has(term)).length;
  return common === 0 ? 0 : (2 * common) / (termsOf(a).size + terms.size);
}

/** Returns the terms of a lesson's gap and rule. Memoized because tokenizing takes longer than comparing. */
const termsOf = memoizeByObject(
  ({ missing_context, lesson }: Compared): ReadonlySet<string> =>
    new Set(tokenize(`${missing_context}\n${lesson}`)),
);
