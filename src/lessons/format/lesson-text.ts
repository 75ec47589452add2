/** One lesson as fenced text for an agent. Lines after the first of a stored text are indented, so that none passes for ours. */
import { firstWords, indented, oneLine, present } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import type { VersionLine } from "./file-lines.ts";
import { isTombstone, type Lesson, metOften, revisionOf } from "./lesson.ts";
import { isOver, whenOf } from "./when.ts";
import { whenText } from "./when-text.ts";

/** A line with its reference and dates, then its texts; no empty fields. @param also what another branch said of it. */
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
    // A bar would pass for the end of the topic.
    `topic=${oneLine(version.topic).replaceAll("|", "\u00a6")}`,
    type === "principle" && meta.compacted_at
      ? `compacted: ${dateOf(meta.compacted_at)} (${mergedCount(version)} merged)`
      : dateOf(revisionOf(meta)),
    metOften(version),
    until !== undefined && `until ${until}`,
  );
  const fields = (["missing_context", "lesson", "ask_next_time"] as const)
    .filter((name) => version[name]?.trim())
    .map((name) => `${name}: ${indented(version[name] ?? "")}`);
  const others = alsoSaid(version, also).map((text) => indented(text));
  return [head.join(" | "), ...fields, ...others].join("\n");
}

/** Versions in conflict with the one that shows, a text each: the fields that differ. */
export function alsoSaid(version: Lesson, also: readonly VersionLine[]): string[] {
  return also.map((line) => {
    const on = `on ${dateOf(revisionOf(line.version.meta)) || "an unknown day"}`;
    if (isTombstone(line.version)) {
      const { reason = "" } = line.version.meta;
      return `also forgotten, ${on}${reason && ` (${oneLine(reason)})`}`;
    }
    const before = fieldsOf(version);
    const unlike = fieldsOf(line.version).filter((field) => !before.includes(field));
    return `also said, ${on}: ${unlike.join("; ") || "the same, without a question or when"}`;
  });
}

/** Marks the lessons in a text whose last day or minute has passed. Only a line of ours begins with # and a number. @param now YYYY-MM-DD HH:MM. */
export function markOver(text: string, now: string): string {
  return text.replaceAll(/^#\d+ .* \| until ([\d: -]+)$/gm, (head, until) =>
    isOver({ until }, now) ? `${head}, over` : head,
  );
}

/** One lesson in a line: its reference, its topic unless that is said already, the first words of its lesson. */
export function indexLine(version: Lesson, reference: string, nameTopic: boolean): string {
  return `${reference} ${nameTopic ? `${oneLine(version.topic)}: ` : ""}${firstWords(version.lesson)}`;
}

function fieldsOf({ lesson, ask_next_time = "", when }: Lesson): string[] {
  const others = Object.entries({ ask_next_time, when: whenText(when) }).filter(([, text]) =>
    text.trim(),
  );
  return [lesson, ...others.map(([name, text]) => `${name}: ${text}`)];
}

function mergedCount({ meta }: Lesson): number {
  const listed = Object.keys(meta.sources ?? {}).length;
  // The count includes sources whose cover was too old to keep.
  return Math.max(listed, Number(meta.source_count ?? 0));
}
