/** What a compaction would merge, for people; an agent writes the principles. */
import { plural } from "../../ground/core/text.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { compactionDue, type Group, planCompaction } from "../queries/compaction.ts";
import { References } from "../queries/references.ts";
import { section } from "../terminal/lessons.ts";
import { type AddLessonCommand, type LessonCommandContext, readMemory, readPolicy } from "../terminal/read-memory.ts";

export const addCompact: AddLessonCommand = (program, open) => {
  program
    .command("compact")
    .description("show which lessons a compaction would merge; an agent does the merging")
    .action(() => compact(open()));
};

async function compact(context: LessonCommandContext): Promise<void> {
  const { terminal } = context;
  const snapshot = await readMemory(context);
  const { compact_threshold: threshold } = await readPolicy(context);
  const { siblings, groups, optional, singles, alike } = planCompaction(snapshot);
  const references = new References(snapshot);
  const print = ({ topic, parts }: Group, what: (lines: readonly LessonLine[]) => string) => {
    for (const { lines } of parts) {
      terminal.print(`${section(`${safeLine(topic)}: ${what(lines)}`, lines, references, terminal.page)}\n`);
    }
  };
  for (const group of siblings) print(group, () => "principles made from the same lessons");
  for (const group of groups) print(group, (lines) => plural(lines.length, "lesson"));
  for (const group of optional) print(group, (lines) => `${plural(lines.length, "principle")}, which may be merged`);
  for (const topics of alike) terminal.print(`May be one topic: ${topics.map(safeLine).join(", ")}`);
  if (singles.length > 0)
    terminal.print(`With nothing of their topic to merge with: ${plural(singles.length, "lesson")}.`);
  terminal.print(dueOrWhyNot(snapshot, threshold));
}

function dueOrWhyNot(snapshot: Snapshot, threshold: number): string {
  const records = plural(snapshot.count, "lesson");
  if (compactionDue(snapshot, threshold)) {
    return `A compaction is due (${records}, over ${threshold}): ask your agent to compact the memory.`;
  }
  if (snapshot.count <= threshold) {
    return `No compaction is due: ${records}, one is due from ${threshold + 1} on.`;
  }
  return `No compaction is due: ${records}, over ${threshold}, but no log can be merged with another lesson of its topic.`;
}
