/** The lessons that a hook adds to an agent's context. */
import { type Budget, pack, shareOf, without } from "../../ground/core/budget.ts";
import { CLOSE, fenced, OPEN, withoutMarks } from "../../ground/core/text.ts";
import { BY_TITLE, titlesOf } from "../answers/titles.ts";
import { block } from "../format/lesson-text.ts";
import type { LessonLine } from "../merge/versions.ts";
import type { References } from "../queries/references.ts";

/** The share for whole lessons at a start, if not all fit. Titles get the rest. */
const IN_FULL = 0.5;

/** The lessons that fit, in full and in order, below our head. @param titles whether the others come by title. */
export function inject(
  head: readonly string[],
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
  titles = false,
) {
  const room = without(budget, [OPEN, ...head, fenced([]), CLOSE].join("\n"));
  const packed = (most: Budget) =>
    pack(lines, most, (line, place) =>
      withoutMarks(block(line.version, place, references.short(line), line.also)),
    );
  const all = packed(room);
  const isIndex = titles && all.left.length > 0;
  const { texts, taken, left } = isIndex ? packed(shareOf(room, IN_FULL)) : all;
  const index = titlesOf(isIndex ? left : [], without(room, [...texts, BY_TITLE].join("\n")));
  const others = index.texts.length > 0 ? [BY_TITLE, ...index.texts.map(withoutMarks)] : [];
  const notes = texts.length + others.length > 0 ? [fenced([...texts, ...others])] : [];
  return { text: [OPEN, ...head, ...notes, CLOSE].join("\n"), shown: taken, byTitle: index.taken };
}
