/** Finds an existing lesson that is nearly the same as a draft, before a log is saved. */
import { memoizeByObject } from "../../ground/core/memoize.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { byIdThenBytes } from "../format/file-lines.ts";
import type { Lesson } from "../format/lesson.ts";
import type { LessonLine } from "../merge/versions.ts";

/** The compared texts. The topic is the same for all candidates. */
export type Compared = Pick<Lesson, "missing_context" | "lesson">;

/** The share of common terms from which two notes count as nearly the same. Chosen on the labelled pairs in the test. */
const NEARLY_THE_SAME = 0.5;

/** The nearest candidate that is alike enough. If several are equally near, the first in the file. */
export function nearestLesson(
  draft: Compared,
  lessons: Iterable<LessonLine>,
): LessonLine | undefined {
  const terms = termsIn(draft);
  let nearest: LessonLine | undefined;
  let best = NEARLY_THE_SAME;
  for (const lesson of lessons) {
    const likeness = overlap(terms, termsOf(lesson.version));
    if (likeness < best) continue;
    if (likeness === best && nearest && byIdThenBytes(nearest, lesson) < 0) continue;
    nearest = lesson;
    best = likeness;
  }
  return nearest;
}

/** The share of common terms of two lessons, from 0 to 1. */
export const likeness = (a: Compared, b: Compared): number => overlap(termsIn(a), termsIn(b));

/** The share of common terms of two lessons of a memory, from 0 to 1. Each lesson is tokenized once. */
export const likenessOf = (a: Lesson, b: Lesson): number => overlap(termsOf(a), termsOf(b));

/** Returns the terms of a lesson's gap and rule. Memoized because tokenizing takes longer than comparing. @internal */
const termsOf = memoizeByObject((lesson: Lesson) => termsIn(lesson));

function termsIn({ missing_context, lesson }: Compared): ReadonlySet<string> {
  return new Set(tokenize(`${missing_context}\n${lesson}`));
}

/** Dice coefficient: twice the terms in common over the terms of both, from 0 to 1. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const term of a) if (b.has(term)) common++;
  return common === 0 ? 0 : (2 * common) / (a.size + b.size);
}
