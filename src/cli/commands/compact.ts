import { COMPACT_THRESHOLD } from "../../core/config.ts";
import { compactionDue, type Group, planCompaction } from "../../lessons/queries/compaction.ts";
import type { Ledger } from "../../lessons/merge/snapshot.ts";
import { plural } from "../../lessons/answers/presentation.ts";
import { References } from "../../lessons/queries/references.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { line } from "../terminal/layout.ts";
import { readMemory } from "../read-lessons.ts";
import { section } from "../terminal/records.ts";

export const addCompact: AddCommand = (program, open) => {
  program
    .command("compact")
    .description("show the groups of a compaction; an agent writes the principles")
    .action(() => compact(open()));
};

async function compact(context: CommandContext): Promise<void> {
  const { terminal } = context;
  const ledger = await readMemory(context);
  const { siblings, groups, singles, alike } = planCompaction(ledger);
  const references = new References(ledger);
  const print = ({ lines }: Group, heading: string) => {
    terminal.print(`${section(heading, lines, references, terminal.page)}\n`);
  };
  for (const group of siblings) print(group, `${line(group.topic)}: principles made from the same records`);
  for (const group of groups) print(group, `${line(group.topic)}: ${plural(group.lines.length, "record")}`);
  for (const topics of alike) terminal.print(`May be one topic: ${topics.map(line).join(", ")}`);
  if (singles.length > 0) terminal.print(`Alone in their topic: ${plural(singles.length, "record")}.`);
  terminal.print(dueOrWhyNot(ledger));
}

function dueOrWhyNot(ledger: Ledger): string {
  const records = plural(ledger.count, "record");
  if (compactionDue(ledger, COMPACT_THRESHOLD)) {
    return `A compaction is due (${records}, over ${COMPACT_THRESHOLD}): ask your agent to compact the memory.`;
  }
  if (ledger.count <= COMPACT_THRESHOLD) {
    return `No compaction is due: ${records}, one is due from ${COMPACT_THRESHOLD + 1}.`;
  }
  return `No compaction is due: ${records}, over ${COMPACT_THRESHOLD}, but no log stands beside another record of its topic.`;
}
