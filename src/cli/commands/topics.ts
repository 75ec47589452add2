import { planCompaction } from "../../lessons/queries/compaction.ts";
import { countTopics } from "../../lessons/queries/topics.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { readMemory } from "../read-memory.ts";
import { line } from "../terminal/layout.ts";

export const addTopics: AddCommand = (program, open) => {
  program
    .command("topics")
    .description("list the topics with their counts, and names that look like the same topic")
    .action(() => topics(open()));
};

async function topics(context: CommandContext): Promise<void> {
  const { terminal } = context;
  const snapshot = await readMemory(context);
  const counts = countTopics(snapshot.lessons().map(({ version }) => version));
  for (const { topic, count } of counts) terminal.print(`${String(count).padStart(5)}  ${line(topic)}`);
  for (const alike of planCompaction(snapshot).alike) {
    terminal.print(`\nMay be one topic: ${alike.map((topic) => terminal.page.colours.bold(line(topic))).join(", ")}`);
  }
}
