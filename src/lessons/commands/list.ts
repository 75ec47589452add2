/** Lists the lessons, their topics, the size of the memory, and the lessons that may be merged. */
import { Option } from "commander";
import { budgetFor } from "../../ground/clients/clients.ts";
import { groupBy } from "../../ground/core/collections.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { sizeOfFile } from "../../ground/files/read-files.ts";
import { safeLine, safeLines } from "../../ground/terminal/layout.ts";
import { compactionPlan } from "../answers/compaction-plan.ts";
import { existingTopics, unknownTopic } from "../answers/titles.ts";
import { normalTopic } from "../changes/field-text.ts";
import { block } from "../format/lesson-text.ts";
import type { LessonLine, Snapshot } from "../merge/versions.ts";
import { alikeTopics, compactionDue, planCompaction } from "../queries/compaction.ts";
import { newestFirst } from "../queries/lesson-ranking.ts";
import { References } from "../queries/references.ts";
import { lessonsOfTopic, topicsOf } from "../queries/topics.ts";
import {
  type AddLessonCommand,
  type LessonCommandContext,
  readMemory,
  readPolicy,
  section,
} from "../terminal/lessons.ts";

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
      if (topics) {
        return listTopics(context);
      }
      return stats ? printStats(context) : list(context, options);
    });
};

export const addCompact: AddLessonCommand = (program, open) => {
  program
    .command("compact")
    .description("show which lessons may be merged")
    .option("--topic <topic>", "only this topic, with those that look like it")
    .action(({ topic }: { readonly topic?: string }) => compact(open(), topic));
};

async function list(
  context: LessonCommandContext,
  { topic, json: isJson }: { topic?: string; json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const snapshot = await readMemory(context);
  const found = topic === undefined ? snapshot.lessons() : ofTopic(snapshot, topic);
  const lines = [...found].sort(newestFirst);
  if (isJson) {
    return terminal.printJson(lines.map(({ version }) => version));
  }
  const references = new References(snapshot);
  const sections: string[] = [];
  for (const [name, group] of groupBy(lines, ({ version }) => version.topic)) {
    const heading = `${safeLine(name)} (${plural(group.length, "lesson")})`;
    sections.push(section(heading, group, references, terminal.page));
  }
  if (sections.length > 0) {
    terminal.print(sections.join("\n\n"));
  }
}

/** @throws SentinelError `not_found`. */
function ofTopic(snapshot: Snapshot, topic: string): readonly LessonLine[] {
  const found = lessonsOfTopic(snapshot.lessons(), topic);
  if (found.length > 0) {
    return found;
  }
  const name = normalTopic(topic);
  throw new SentinelError("not_found", unknownTopic(name), existingTopics(snapshot, name));
}

async function listTopics(context: LessonCommandContext): Promise<void> {
  const { terminal } = context;
  const snapshot = await readMemory(context);
  for (const { topic, count } of topicsOf(snapshot)) {
    terminal.print(`${String(count).padStart(5)}  ${safeLine(topic)}`);
  }
  const { bold } = terminal.page.colours;
  for (const alike of alikeTopics(snapshot)) {
    const names = alike.map((topic) => bold(safeLine(topic)));
    terminal.print(`\nMay be one topic: ${names.join(", ")}`);
  }
}

/** Prints the size of the memory and its cost in tokens. */
async function printStats(context: LessonCommandContext): Promise<void> {
  const { lessons, terminal } = context;
  const snapshot = await readMemory(context);
  const { compact_threshold: threshold } = await readPolicy(context);
  const bytes = await sizeOfFile(lessons.location);
  const principles = snapshot.lessons().filter(({ version }) => version.type === "principle");
  const due = compactionDue(snapshot, threshold)
    ? "a compaction is due"
    : `no compaction is due; the threshold is ${threshold}`;
  const tokens = plural(tokensOf(snapshot), "token");
  const facts = {
    records: `${snapshot.count} (${due})`,
    principles: String(principles.length),
    topics: String(topicsOf(snapshot).length),
    file: `${plural(bytes, "byte")}, ${lessons.location}`,
    "in full": `about ${tokens} in an answer that shows every lesson`,
  };
  const { dim } = terminal.page.colours;
  for (const [name, fact] of Object.entries(facts)) {
    terminal.print(`${dim(name.padEnd(12))}${fact}`);
  }
}

function tokensOf(snapshot: Snapshot): number {
  const references = new References(snapshot);
  const blocks = snapshot
    .lessons()
    .map((line, index) => block(line.version, index + 1, references.short(line), line.also));
  return estimateTokens(blocks.join("\n"));
}

async function compact(context: LessonCommandContext, topic: string | undefined): Promise<void> {
  const { terminal } = context;
  const snapshot = await readMemory(context);
  if (snapshot.count === 0) {
    return;
  }
  const only = topic === undefined ? undefined : normalTopic(topic);
  const plan = planCompaction(snapshot, only);
  const { text, advice } = compactionPlan(snapshot, plan, only, budgetFor());
  terminal.print(safeLines(text, ""));
  if (advice !== undefined) {
    terminal.tell(advice);
  }
}
