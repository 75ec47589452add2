import { budgetFor } from "../../ground/clients/clients.ts";
import { safeLines } from "../../ground/terminal/layout.ts";
import { compactionPlan } from "../answers/compaction-plan.ts";
import { normalTopic } from "../changes/field-text.ts";
import { planCompaction } from "../queries/compaction.ts";
import { type AddLessonCommand, readMemory } from "../terminal/read-memory.ts";

export const addCompact: AddLessonCommand = (program, open) => {
  program
    .command("compact")
    .description("show which lessons may be merged")
    .option("--topic <topic>", "only this topic, with those that look like it")
    .action(async ({ topic }: { readonly topic?: string }) => {
      const context = open();
      const { terminal } = context;
      const snapshot = await readMemory(context);
      if (snapshot.count === 0) return;
      const only = topic === undefined ? undefined : normalTopic(topic);
      const plan = planCompaction(snapshot, only);
      const { text, advice } = compactionPlan(snapshot, plan, only, budgetFor());
      terminal.print(safeLines(text, ""));
      if (advice !== undefined) terminal.tell(advice);
    });
};
