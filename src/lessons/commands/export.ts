/** Writes the memory as Markdown or JSON. */
import { groupBy } from "../../ground/core/collections.ts";
import { plural, present } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import { writeText } from "../../ground/files/read-files.ts";
import { json, safeLine, safeLines } from "../../ground/terminal/layout.ts";
import { type Lesson, metOften, revisionOf } from "../format/lesson.ts";
import type { LessonLine } from "../merge/versions.ts";
import { newestFirst } from "../queries/importance.ts";
import { type AddLessonCommand, readMemory } from "../terminal/read-memory.ts";

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
      const text = isJson ? json(lines.map(({ version }) => version)) : markdownOf(lines);
      if (output === undefined) return context.terminal.print(text);
      await writeText(output, `${text}\n`);
      context.terminal.note(`Written: ${output}`);
    });
};

/** Lists topics by name, and in each the principles first. @param lines the newest first. @internal */
export function markdownOf(lines: readonly LessonLine[]): string {
  const byTopic = groupBy(lines, ({ version }) => version.topic);
  const topics = [...byTopic.keys()].sort();
  const blocks = [
    "# Lessons of this project",
    `${plural(lines.length, "lesson")} in ${plural(topics.length, "topic")}.`,
  ];
  for (const topic of topics) {
    const lessons = (byTopic.get(topic) ?? []).map(({ version }) => version);
    lessons.sort((a, b) => Number(isPrinciple(b)) - Number(isPrinciple(a)));
    blocks.push(`## ${plain(safeLine(topic))}`, ...lessons.map(item));
  }
  return blocks.join("\n\n");
}

function item(version: Lesson): string {
  const { missing_context, lesson, ask_next_time = "", meta, id } = version;
  const facts = present(
    isPrinciple(version) && "principle",
    dateOf(revisionOf(meta)),
    metOften(version),
    `\`${id}\``,
  );
  return present(
    `- ${paragraph(lesson)}`,
    missing_context.trim() && `  Missing: ${paragraph(missing_context)}`,
    ask_next_time.trim() && `  Ask next time: ${paragraph(ask_next_time)}`,
    `  *${facts.join(", ")}*`,
  ).join("\n\n");
}

const isPrinciple = ({ type }: Lesson): boolean => type === "principle";

const paragraph = (text: string): string => plain(safeLines(text.trim(), "  "));

/** Keeps the emphasis and code of a stored text, but escapes HTML, images, headings, lists, quotations and rules. */
function plain(text: string): string {
  const inline = text.replace(/(`+)[^`]+?\1(?!`)|<(?=[a-z/!?])|!(?=\[)/gi, (found) =>
    found.startsWith("`") ? found : `\\${found}`,
  );
  return inline
    .replace(/^(\s*)(\d+)(?=[.)])/gm, "$1$2\\")
    .replace(/^(\s*)([#>+=|-]|\*(?=\s))/gm, "$1\\$2");
}
