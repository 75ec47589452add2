/**
 * The text a hook adds to an agent's context. It stands between marks, so that a tool that records conversations can leave it
 * out: injected lessons must not be remembered again.
 */
import { type Budget, Meter, without } from "../core/budget.ts";
import { fenced } from "../core/fence.ts";
import { block } from "../lessons/answers/record-text.ts";
import type { LessonLine } from "../lessons/merge/versions.ts";
import type { References } from "../lessons/queries/references.ts";

const MARK = "sentinel-memory";
const OPEN = `<${MARK}>`;
const CLOSE = `</${MARK}>`;
/** After this many records that do not fit, stop trying: a hook has no time to try the whole memory. */
const MOST_MISSES = 5;
/** Room for what a session start adds below: how many lessons are left out, and that a compaction is due. */
const RESERVE = "x".repeat(180);

/** As many records as fit, in their order, below a head of our own. */
export function inject(
  head: readonly string[],
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
): { text: string; shown: readonly LessonLine[] } {
  const meter = new Meter(without(budget, [OPEN, ...head, fenced([]), CLOSE, RESERVE].join("\n")));
  const shown: LessonLine[] = [];
  const blocks: string[] = [];
  let misses = 0;
  for (const line of lines) {
    const text = withoutMarks(block(line, blocks.length + 1, references.short(line)));
    if (meter.take(text)) {
      shown.push(line);
      blocks.push(text);
    } else if (++misses === MOST_MISSES) break;
  }
  const notes = blocks.length > 0 ? [fenced(blocks)] : [];
  return { text: [OPEN, ...head, ...notes, CLOSE].join("\n"), shown };
}

/** One of our marks in a stored text would end the passage early. */
function withoutMarks(text: string): string {
  return text.replaceAll(/<(?=\/?sentinel-memory)/gi, "\u2039");
}
