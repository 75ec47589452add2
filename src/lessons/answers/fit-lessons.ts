/** Fits lessons into a budget: the best in full, then a line each, then counts or references; none is cut. (docs/design/lessons.md, "Answers") */
import { type Budget, Meter, type Packed, pack, shareOf } from "../../ground/core/budget.ts";
import { block, indexLine } from "../format/lesson-text.ts";
import type { LessonLine } from "../merge/versions.ts";
import type { References } from "../queries/references.ts";

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
  const texts = [
    ...full.texts,
    ...(index.texts.length > 0 ? [heading, ...index.texts] : []),
    ...named(index.left, references, shareOf(budget, OF_A_TOPIC.last)),
  ];
  return { texts, inFull: full.taken };
}

/** As many lessons in full as fit, numbered from one on. */
export function packInFull(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
): Packed<LessonLine> {
  return pack(lines, budget, (line, place) =>
    block(line.version, place, references.short(line), line.also),
  );
}

/** As many lessons in a line each as fit. */
export function packInShort(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
  nameTopic = true,
): Packed<LessonLine> {
  return pack(lines, budget, (line) => indexLine(line.version, references.short(line), nameTopic));
}

/** The references of lessons that have no line of their own, as many as fit. */
export function named(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
): string[] {
  if (lines.length === 0) return [];
  const meter = new Meter(budget);
  const names = lines.map((line) => references.short(line)).filter((name) => meter.take(name));
  const unnamed = lines.length - names.length;
  return [
    `${names.length} more by reference. For the full text, call with ids: ${names.join(" ")}`,
    ...(unnamed > 0 ? [`${unnamed} more do not fit. Narrow the query.`] : []),
  ];
}
