/** Fits lessons into a budget: the best in full, then a line each, then references. Never cuts a lesson. (docs/design/lessons.md, "Answers") */
import { type Budget, Meter, type Packed, pack, shareOf } from "../../ground/core/budget.ts";
import { present } from "../../ground/core/text.ts";
import { block, indexLine } from "../format/lesson-text.ts";
import type { LessonLine } from "../merge/versions.ts";
import type { References } from "../queries/references.ts";

/** The lines of an answer, and the lessons that they contain in full. */
export interface Shown {
  readonly lines: readonly string[];
  readonly inFull: readonly LessonLine[];
  /** Whether lessons that the caller asked for are not in full. */
  readonly isPart: boolean;
}

/** Shares of the budget. Within a topic the last share holds the references of 300 lessons even in the smallest one. */
export const OF_ALL = { full: 0.6, index: 0.3, last: 0.1 };
export const OF_A_TOPIC = { full: 0.5, index: 0.15, last: 0.35 };

/** The lessons of some ids: in full, then in a line each, then by reference. @param lines best first. */
export function fitRecords(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
): { readonly texts: readonly string[]; readonly inFull: readonly LessonLine[] } {
  const whole = packInFull(lines, references, budget);
  if (whole.left.length === 0) return { texts: whole.texts, inFull: whole.taken };
  const full = packInFull(lines, references, shareOf(budget, OF_A_TOPIC.full));
  const index = packInShort(full.left, references, shareOf(budget, OF_A_TOPIC.index));
  const heading = `${index.texts.length} more in short. For the full text, call with ids:`;
  const texts = [...full.texts];
  if (index.texts.length > 0) texts.push(heading, ...index.texts);
  texts.push(...named(index.left, references, shareOf(budget, OF_A_TOPIC.last)));
  return { texts, inFull: full.taken };
}

/** The lessons that fit in full, numbered from one. */
export function packInFull(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
): Packed<LessonLine> {
  return pack(lines, budget, (line, place) =>
    block(line.version, place, references.short(line), line.also),
  );
}

/** The lessons that fit in a line each. */
export function packInShort(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
  nameTopic = true,
): Packed<LessonLine> {
  return pack(lines, budget, (line) => indexLine(line.version, references.short(line), nameTopic));
}

/** The line about lessons that aren't in an answer at all. */
export const notShown = (count: number): string[] =>
  present(count > 0 && `Other lessons, not shown: ${count}`);

/** The references of lessons without a line, up to the budget. */
export function named(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
): string[] {
  if (lines.length === 0) return [];
  const meter = new Meter(budget);
  const names = lines.map((line) => references.short(line)).filter((name) => meter.take(name));
  const unnamed = lines.length - names.length;
  return present(
    `${names.length} more by reference. For the full text, call with ids: ${names.join(" ")}`,
    unnamed > 0 && `${unnamed} more do not fit. Narrow the query.`,
  );
}
