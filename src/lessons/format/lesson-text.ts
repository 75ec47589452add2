/** Formats one lesson as fenced text for an agent. Indents all lines of a stored text except the first, so that they can't look like our lines. */
import { firstWords, indented, oneLine, present } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import type { VersionLine } from "./file-lines.ts";
import { isTombstone, type Lesson, metOften, revisionOf } from "./lesson.ts";
import { isOver, whenOf } from "./when.ts";
import { whenText } from "./when-text.ts";

/** A head with reference and dates, then its texts, without empty fields. @param also the versions of another branch. */
export function block(
  version: Lesson,
  number: number,
  reference: string,
  also: readonly VersionLine[] = [],
): string {
  const { type, meta } = version;
  const { until } = whenOf(version);
  const head = present(
    `#${number} ${reference} type=${type}`,
    // A bar would look like the end of the topic.
    `topic=${oneLine(version.topic).replaceAll("|", "\u00a6")}`,
    type === "principle" && meta.compacted_at
      ? `compacted: ${dateOf(meta.compacted_at)} (${mergedCount(version)} merged)`
      : dateOf(revisionOf(meta)),
    metOften(version),
    until !== undefined && `until ${until}`,
  );
  const lines = [head.join(" | ")];
  for (const name of ["missing_context", "lesson", "ask_next_time"] as const) {
    const text = version[name] ?? "";
    if (text.trim() !== "") {
      lines.push(`${name}: ${indented(text)}`);
    }
  }
  for (const text of alsoSaid(version, also)) {
    lines.push(indented(text));
  }
  return lines.join("\n");
}

/** Versions in conflict with the one that shows, a text each: the fields that differ. */
export function alsoSaid(version: Lesson, also: readonly VersionLine[]): string[] {
  const shown = fieldsOf(version);
  const said: string[] = [];
  for (const { version: other } of also) {
    const on = `on ${dateOf(revisionOf(other.meta))}`;
    if (isTombstone(other)) {
      const { reason } = other.meta;
      const why = reason ? ` (${oneLine(reason)})` : "";
      said.push(`also forgotten, ${on}${why}`);
      continue;
    }
    const unlike = fieldsOf(other).filter((field) => !shown.includes(field));
    const text = unlike.join("; ") || "the same, without a question or when";
    said.push(`also said, ${on}: ${text}`);
  }
  return said;
}

/** Marks the lessons in a text whose last day or minute has passed. Only our lines begin with # and a number. @param now YYYY-MM-DD HH:MM. */
export function markOver(text: string, now: string): string {
  return text.replaceAll(/^#\d+ .* \| until ([\d: -]+)$/gm, (head, until) =>
    isOver({ until }, now) ? `${head}, over` : head,
  );
}

/** Formats a lesson as one line: its reference, its topic and the first words of its rule. */
export const indexLine = ({ topic, lesson }: Lesson, reference: string): string =>
  `${reference} ${oneLine(topic)}: ${firstWords(lesson)}`;

function fieldsOf({ lesson, ask_next_time = "", when }: Lesson): string[] {
  const fields = [lesson];
  if (ask_next_time.trim() !== "") {
    fields.push(`ask_next_time: ${ask_next_time}`);
  }
  if (when !== undefined) {
    fields.push(`when: ${whenText(when)}`);
  }
  return fields;
}

function mergedCount({ meta }: Lesson): number {
  const listed = Object.keys(meta.sources ?? {}).length;
  // The count includes sources whose cover was too old to keep.
  return Math.max(listed, Number(meta.source_count ?? 0));
}
