import { groupBy } from "../../ground/core/collections.ts";
import { plural, present } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import { safeLine, safeLines } from "../../ground/terminal/layout.ts";
import { type Lesson, metOften, revisionOf } from "../format/lesson.ts";
import type { LessonLine } from "../merge/versions.ts";
import { newestFirst } from "../queries/importance.ts";

/** Lists topics by name, and in each the principles first, then the newest lessons. */
export function markdownOf(lessons: readonly LessonLine[]): string {
  const byTopic = groupBy([...lessons].sort(newestFirst), ({ version }) => version.topic);
  const topics = [...byTopic].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    "# Lessons of this project",
    `${plural(lessons.length, "lesson")} in ${plural(topics.length, "topic")}.`,
    ...topics.map(([topic, group]) => {
      const records = group.map(({ version }) => version);
      records.sort((a, b) => Number(isPrinciple(b)) - Number(isPrinciple(a)));
      return [`## ${plain(safeLine(topic))}`, ...records.map(item)].join("\n\n");
    }),
    "",
  ]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}

function item(record: Lesson): string {
  const { missing_context, lesson, ask_next_time = "", meta, id } = record;
  const facts = present(
    isPrinciple(record) && "principle",
    dateOf(revisionOf(meta)),
    metOften(record),
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
  return inline.replace(
    /^(\s*)([#>+=|-]|\*(?=\s)|\d+(?=[.)]))/gm,
    (_, space: string, mark: string) => {
      return /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`;
    },
  );
}
