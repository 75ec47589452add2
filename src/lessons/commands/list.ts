import { Option } from "commander";
import { groupBy } from "../../ground/core/collections.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { writeText } from "../../ground/files/read-files.ts";
import { json, safeLine } from "../../ground/terminal/layout.ts";
import { existingTopics, unknownTopic } from "../answers/unknown-topic.ts";
import { normalTopic } from "../changes/field-text.ts";
import { topicForm } from "../format/forms.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { alikeTopics } from "../queries/compaction.ts";
import { newestFirst } from "../queries/importance.ts";
import { References } from "../queries/references.ts";
import { topicsOf } from "../queries/topics.ts";
import { section } from "../terminal/lessons.ts";
import { markdownOf } from "../terminal/markdown.ts";
import { printStats } from "../terminal/print-stats.ts";
import {
  type AddLessonCommand,
  type LessonCommandContext,
  readMemory,
} from "../terminal/read-memory.ts";

export const addList: AddLessonCommand = (program, open) => {
  program
    .command("list")
    .description("list the lessons by topic, newest first")
    .addOption(new Option("--topic <topic>", "only this topic").conflicts(["topics", "stats"]))
    .addOption(
      new Option("--json", "print a JSON array of the lessons").conflicts(["topics", "stats"]),
    )
    .addOption(
      new Option(
        "--topics",
        "list the topics with their counts and possible duplicates instead",
      ).conflicts("stats"),
    )
    .option("--stats", "show the size of the memory and its cost in tokens instead")
    .action(({ topics, stats, ...options }) => {
      const context = open();
      if (topics) return listTopics(context);
      return stats ? printStats(context) : list(context, options);
    });
};

export const addExport: AddLessonCommand = (program, open) => {
  program
    .command("export")
    .description("write the memory as Markdown or JSON")
    .option(
      "--output <file>",
      "write to this file, which must not be there yet, instead of standard output",
    )
    .option("--json", "write a JSON array of the lessons, which import can read")
    .action(async ({ output, json: isJson }) => {
      const context = open();
      const lines = [...(await readMemory(context)).lessons()].sort(newestFirst);
      const versions = lines.map(({ version }) => version);
      const text = isJson ? json(versions) : markdownOf(lines).trimEnd();
      if (output === undefined) return context.terminal.print(text);
      await writeText(output, `${text}\n`);
      context.terminal.note(`Written: ${output}`);
    });
};

async function list(
  context: LessonCommandContext,
  { topic, json: isJson }: { topic?: string; json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const snapshot = await readMemory(context);
  const found = topic === undefined ? snapshot.lessons() : ofTopic(snapshot, topic);
  const lines = [...found].sort(newestFirst);
  if (isJson) return terminal.print(json(lines.map(({ version }) => version)));
  const references = new References(snapshot);
  const byTopic = groupBy(lines, ({ version }) => version.topic);
  const sections = [...byTopic].map(([name, group]) => {
    const heading = `${safeLine(name)} (${plural(group.length, "lesson")})`;
    return section(heading, group, references, terminal.page);
  });
  if (sections.length > 0) terminal.print(sections.join("\n\n"));
}

function ofTopic(snapshot: Snapshot, topic: string): readonly LessonLine[] {
  const form = topicForm(topic);
  const found = snapshot.lessons().filter(({ version }) => topicForm(version.topic) === form);
  if (found.length === 0) {
    const name = normalTopic(topic);
    throw new SentinelError("not_found", unknownTopic(name), existingTopics(snapshot, name));
  }
  return found;
}

async function listTopics(context: LessonCommandContext): Promise<void> {
  const { terminal } = context;
  const snapshot = await readMemory(context);
  for (const { topic, count } of topicsOf(snapshot))
    terminal.print(`${String(count).padStart(5)}  ${safeLine(topic)}`);
  const { bold } = terminal.page.colours;
  for (const alike of alikeTopics(snapshot)) {
    const names = alike.map((topic) => bold(safeLine(topic)));
    terminal.print(`\nMay be one topic: ${names.join(", ")}`);
  }
}
