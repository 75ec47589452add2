import { plural } from "../../lessons/answers/presentation.ts";
import type { Snapshot } from "../../lessons/merge/snapshot.ts";
import type { LessonLine } from "../../lessons/merge/versions.ts";
import { compactionDue, type Group, planCompaction } from "../../lessons/queries/compaction.ts";
import { References } from "../../lessons/queries/references.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { readMemory, readPolicy } from "../read-lessons.ts";
import { line } from "../terminal/layout.ts";
import { section } from "../terminal/records.ts";

export const addCompact: AddCommand = (program, open) => {
  program
    .command("compact")
    .description("show the groups of a compaction; an agent writes the principles")
    .action(() => compact(open()));
};

async function compact(context: CommandContext): Promise<void> {
  const { terminal } = context;
  const snapshot = await readMemory(context);
  const { compact_threshold: threshold } = await readPolicy(context);
  const { siblings, groups, singles, alike } = planCompaction(snapshot);
  const references = new References(snapshot);
  const print = ({ topic, parts }: Group, what: (lines: readonly LessonLine[]) => string) => {
    for (const { lines } of parts) {
      terminal.print(`${section(`${line(topic)}: ${what(lines)}`, lines, references, terminal.page)}\n`);
    }
  };
  for (const group of siblings) print(group, () => "principles made from the same records");
  for (const group of groups) print(group, (lines) => plural(lines.length, "record"));
  for (const topics of alike) terminal.print(`May be one topic: ${topics.map(line).join(", ")}`);
  if (singles.length > 0)
    terminal.print(`With nothing of their topic to merge with: ${plural(singles.length, "record")}.`);
  terminal.print(dueOrWhyNot(snapshot, threshold));
}

function dueOrWhyNot(snapshot: Snapshot, threshold: number): string {
  const records = plural(snapshot.count, "record");
  if (compactionDue(snapshot, threshold)) {
    return `A compaction is due (${records}, over ${threshold}): ask your agent to compact the memory.`;
  }
  if (snapshot.count <= threshold) {
    return `No compaction is due: ${records}, one is due from ${threshold + 1}.`;
  }
  return `No compaction is due: ${records}, over ${threshold}, but no log can be merged with another record of its topic.`;
}
