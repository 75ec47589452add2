/** The topics, and those that may be one. */
import { safeLine } from "../../ground/terminal/layout.ts";
import { planCompaction } from "../queries/compaction.ts";
import { countTopics } from "../queries/topics.ts";
import type { LessonCommandContext } from "./lesson-command.ts";
import { readMemory } from "./read-memory.ts";

export async function listTopics(context: LessonCommandContext): Promise<void> {
  const { terminal } = context;
  const snapshot = await readMemory(context);
  const counts = countTopics(snapshot.lessons().map(({ version }) => version));
  for (const { topic, count } of counts) terminal.print(`${String(count).padStart(5)}  ${safeLine(topic)}`);
  for (const alike of planCompaction(snapshot).alike) {
    terminal.print(
      `\nMay be one topic: ${alike.map((topic) => terminal.page.colours.bold(safeLine(topic))).join(", ")}`,
    );
  }
}
