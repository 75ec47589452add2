import { Option } from "commander";
import { SentinelError } from "../../ground/core/errors.ts";
import { groupBy } from "../../ground/core/group-by.ts";
import { plural } from "../../ground/core/text.ts";
import { json, safeLine } from "../../ground/terminal/layout.ts";
import { normalTopic } from "../changes/field-text.ts";
import { topicForm } from "../format/forms.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { planCompaction } from "../queries/compaction.ts";
import { newestFirst } from "../queries/importance.ts";
import { References } from "../queries/references.ts";
import { nearestTopics, topicsOf } from "../queries/topics.ts";
import { section } from "../terminal/lessons.ts";
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
    .action(({ topics, stats, ...options }) =>
      topics ? listTopics(open()) : stats ? printStats(open()) : list(open(), options),
    );
};

async function list(
  context: LessonCommandContext,
  options: { topic?: string; json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const snapshot = await readMemory(context);
  const records = [
    ...(options.topic === undefined ? snapshot.lessons() : ofTopic(snapshot, options.topic)),
  ].sort(newestFirst);
  if (options.json) return terminal.print(json(records.map(({ version }) => version)));
  const references = new References(snapshot);
  const sections = [...groupBy(records, ({ version }) => version.topic)].map(([topic, group]) => {
    return section(
      `${safeLine(topic)} (${plural(group.length, "lesson")})`,
      group,
      references,
      terminal.page,
    );
  });
  if (sections.length > 0) terminal.print(sections.join("\n\n"));
}

function ofTopic(snapshot: Snapshot, topic: string): readonly LessonLine[] {
  const found = snapshot.by("topicForm").get(topicForm(topic));
  if (found.size === 0) throw noSuchTopic(snapshot, normalTopic(topic));
  return [...found];
}

const MOST_NAMED = 5;

function noSuchTopic(snapshot: Snapshot, topic: string): SentinelError {
  const topics = topicsOf(snapshot).map((entry) => entry.topic);
  const nearest = nearestTopics(topic, topics).slice(0, MOST_NAMED).map(safeLine);
  return new SentinelError(
    "not_found",
    `No lesson has the topic "${safeLine(topic)}".`,
    nearest.length > 0
      ? `Use an existing topic, for example: ${nearest.join(", ")}.`
      : "The memory has no topics yet.",
  );
}

async function listTopics(context: LessonCommandContext): Promise<void> {
  const { terminal } = context;
  const snapshot = await readMemory(context);
  for (const { topic, count } of topicsOf(snapshot))
    terminal.print(`${String(count).padStart(5)}  ${safeLine(topic)}`);
  for (const alike of planCompaction(snapshot).alike) {
    terminal.print(
      `\nMay be one topic: ${alike.map((topic) => terminal.page.colours.bold(safeLine(topic))).join(", ")}`,
    );
  }
}
