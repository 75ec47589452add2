/** Does a draft say nearly the same as a lesson that is already there? Asked before a log is saved. */
import { onceForEach } from "../../ground/core/once-for-each.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { byIdThenBytes } from "../format/file-lines.ts";
import type { Lesson } from "../format/lesson.ts";
import type { LineList } from "../merge/line-list.ts";
import type { LessonLine } from "../merge/versions.ts";

/** What is compared: the gap and the lesson. The topic is the same for all candidates. */
export type Compared = Pick<Lesson, "missing_context" | "lesson">;

/** From this share of common terms on, two notes say nearly the same. Chosen on the labelled pairs in the test. */
const NEARLY_THE_SAME = 0.5;

/** The nearest candidate that says nearly the same as the draft, of several the first. @param isMeant which are candidates. */
export function nearestLesson(
  draft: Compared,
  lines: LineList,
  isMeant: (line: LessonLine) => boolean = () => true,
): LessonLine | undefined {
  const terms = termsIn(draft);
  const { common, sizes } = holdersIn(lines.every).count(terms);
  let nearest: LessonLine | undefined;
  let best = NEARLY_THE_SAME;
  for (let place = 0; place < common.length; place++) {
    const likeness = overlap(common[place] as number, terms.size, sizes[place] as number);
    if (likeness < best) continue;
    const line = lines.every[place] as LessonLine;
    if (likeness === best && nearest && byIdThenBytes(nearest, line) < 0) continue;
    if (!lines.holds(place) || !isMeant(line)) continue;
    [nearest, best] = [line, likeness];
  }
  return nearest;
}

/** The terms of a lesson's gap and rule. To part it into terms takes longer than to compare it. */
export const termsOf = onceForEach((lesson: Lesson) => termsIn(lesson));

function termsIn({ missing_context, lesson }: Compared): ReadonlySet<string> {
  return new Set(tokenize(`${missing_context}\n${lesson}`));
}

/** Dice coefficient: twice the terms in common over the terms of both, from 0 to 1. */
const overlap = (common: number, a: number, b: number): number =>
  a + b === 0 ? 0 : (2 * common) / (a + b);

/** Which of the lines of a growing list hold a term, by their places. */
class Holders {
  readonly #lines: readonly LessonLine[];
  readonly #places = new Map<string, number[]>();
  readonly #sizes: number[] = [];

  constructor(lines: readonly LessonLine[]) {
    this.#lines = lines;
  }

  /** How many of some terms each line has, and how many terms it has in all. */
  count(terms: ReadonlySet<string>): {
    readonly common: Uint32Array;
    readonly sizes: readonly number[];
  } {
    while (this.#sizes.length < this.#lines.length)
      this.#add(this.#lines[this.#sizes.length] as LessonLine);
    const common = new Uint32Array(this.#sizes.length);
    for (const term of terms) {
      for (const place of this.#places.get(term) ?? [])
        common[place] = (common[place] as number) + 1;
    }
    return { common, sizes: this.#sizes };
  }

  #add({ version }: LessonLine): void {
    const terms = termsOf(version);
    const place = this.#sizes.push(terms.size) - 1;
    for (const term of terms) {
      const places = this.#places.get(term);
      if (places) places.push(place);
      else this.#places.set(term, [place]);
    }
  }
}

const holdersIn = onceForEach((lines: readonly LessonLine[]) => new Holders(lines));
