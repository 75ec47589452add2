/** The lessons that a hook adds to an agent's context. */
import { type Budget, without } from "../../ground/core/budget.ts";
import { fenced } from "../../ground/core/fence.ts";
import { CLOSE, OPEN, withoutMarks } from "../../ground/core/marks.ts";
import { pack } from "../../ground/core/packing.ts";
import { block } from "../format/lesson-text.ts";
import type { LessonLine } from "../merge/versions.ts";
import type { References } from "../queries/references.ts";

/** As many lessons as fit, in their order, below a head of our own. */
export function inject(
  head: readonly string[],
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
): { text: string; shown: readonly LessonLine[] } {
  const room = without(budget, [OPEN, ...head, fenced([]), CLOSE].join("\n"));
  const { texts, taken } = pack(lines, room, (line, place) =>
    withoutMarks(block(line.version, place, references.short(line), line.also)),
  );
  const notes = texts.length > 0 ? [fenced(texts)] : [];
  return { text: [OPEN, ...head, ...notes, CLOSE].join("\n"), shown: taken };
}
