/** The lessons that a hook adds to an agent's context. */
import { type Budget, pack, without } from "../../ground/core/budget.ts";
import { CLOSE, fenced, OPEN, withoutMarks } from "../../ground/core/text.ts";
import { block } from "../format/lesson-text.ts";
import type { LessonLine } from "../merge/versions.ts";
import type { References } from "../queries/references.ts";

/** The lessons that fit, in full and in order, below our head. */
export function inject(
  head: readonly string[],
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
) {
  const room = without(budget, [OPEN, ...head, fenced([]), CLOSE].join("\n"));
  const { texts, taken } = pack(lines, room, (line, place) =>
    withoutMarks(block(line.version, place, references.short(line), line.also)),
  );
  return { text: marked(head, texts), shown: taken };
}

/** A hook's text: our head, then stored texts in a fence. */
export function marked(head: readonly string[], texts: readonly string[]): string {
  const notes = texts.length > 0 ? [fenced(texts)] : [];
  return [OPEN, ...head, ...notes, CLOSE].join("\n");
}
