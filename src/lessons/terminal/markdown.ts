/** The memory as Markdown. */
import { groupBy } from "../../ground/core/collections.ts";
import { plural, present } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import { safeLine, safeLines } from "../../ground/terminal/layout.ts";
import { metOften, revisionOf } from "../format/lesson.ts";
import type { LessonLine } from "../merge/versions.ts";
import { principlesFirst } from "../queries/lesson-ranking.ts";

/** Lists topics by name, and in each the principles first. @param lines the newest first. */
export function markdownOf(lines: readonly LessonLine[]): string {
  const byTopic = groupBy(lines, ({ version }) => version.topic);
  const topics = [...byTopic.keys()].sort();
  const blocks = [
    "# Lessons of this project",
    `${plural(lines.length, "lesson")} in ${plural(topics.length, "topic")}.`,
  ];
  for (const topic of topics) {
    const ofTopic = (byTopic.get(topic) ?? []).sort(principlesFirst);
    blocks.push(`## ${plain(safeLine(topic))}`, ...ofTopic.map(item));
  }
  return blocks.join("\n\n");
}

function item({ version }: LessonLine): string {
  const { missing_context, lesson, ask_next_time = "", meta, id } = version;
  const facts = present(
    version.type === "principle" && "principle",
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
