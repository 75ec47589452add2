import { present } from "../../ground/core/text.ts";
import { dateOf, minuteOf } from "../../ground/core/time.ts";
import { MARKS } from "../../ground/redaction/span.ts";
import { cut, type Page, safeLine, safeLines } from "../../ground/terminal/layout.ts";
import { type Lesson, metOften, revisionOf } from "../format/lesson.ts";
import { alsoSaid } from "../format/lesson-text.ts";
import { whenText } from "../format/when-text.ts";
import type { Removed } from "../jsonl/trash.ts";
import type { LessonLine } from "../merge/versions.ts";
import type { References } from "../queries/references.ts";

const ID_DIGITS = 8;
export const LABEL_WIDTH = 11;

/** A lesson in one line: its id, its topic, and as much of its lesson as fits the page. */
export function inShort({ id, topic, lesson }: Lesson, { width }: Pick<Page, "width">): string {
  return cut(`${id.slice(0, ID_DIGITS)}  ${safeLine(topic)}: ${safeLine(lesson)}`, width);
}

/** A lesson in one line under the heading of its topic: reference, date, lesson. */
function row({ version, also }: LessonLine, reference: string, { width, colours }: Page): string {
  const date = dateOf(revisionOf(version.meta)).padEnd(10);
  const kind = `${version.type === "principle" ? "principle: " : ""}${also ? "(in conflict) " : ""}`;
  const start = `  ${reference}  ${date}  `;
  const lesson = cut(`${kind}${safeLine(version.lesson)}`, width - start.length);
  return `  ${colours.yellow(reference)}  ${colours.dim(date)}  ${lesson}`;
}

/** Marks lessons from which a secret or a private passage was removed. */
const LOCK = "\u{1f512}";

/** A lock if a secret or a private passage was removed from a lesson, else empty. */
export const lockOf = ({ missing_context, lesson, ask_next_time = "" }: Lesson): string =>
  [missing_context, lesson, ask_next_time].join("\n").search(MARKS) >= 0 ? LOCK : "";

/** A lesson with its texts in full: a head line, then a paragraph a field. @param more at the end of the head line. */
export function inFull(
  { version, also }: LessonLine,
  reference: string,
  { colours }: Page,
  more = "",
): string {
  const head = present(
    lockOf(version),
    colours.yellow(reference),
    colours.bold(safeLine(version.topic)),
    colours.dim(dateOf(revisionOf(version.meta))),
    version.type === "principle" && version.type,
    metOften(version),
    more,
  );
  return [head.join("  "), ...texts(version), ...alsoRows(version, also)].join("\n");
}

/** The versions in conflict with a lesson, a paragraph each. */
export function alsoRows(version: Lesson, also: LessonLine["also"] = []): string[] {
  return alsoSaid(version, also).map((text) => `  ${safeLines(text, " ".repeat(2 + LABEL_WIDTH))}`);
}

/** The texts of a lesson by their names in a terminal. */
export function fieldsOf(lesson: Lesson): ReadonlyMap<string, string> {
  const { missing_context, ask_next_time = "", when } = lesson;
  return new Map([
    ["missing", missing_context],
    ["lesson", lesson.lesson],
    ["ask", ask_next_time],
    ["when", whenText(when)],
  ]);
}

/** The fields of a lesson that are not empty, one below the other. */
export function texts(lesson: Lesson, indent = "  "): string[] {
  const rows: string[] = [];
  const below = indent + " ".repeat(LABEL_WIDTH);
  for (const [name, text] of fieldsOf(lesson)) {
    if (text.trim() === "") {
      continue;
    }
    rows.push(`${indent}${name.padEnd(LABEL_WIDTH)}${safeLines(text, below)}`);
  }
  return rows;
}

/** Formats facts as rows. Leaves out empty ones. */
export function factRows(facts: Readonly<Record<string, string>>, { colours }: Page): string[] {
  const known = Object.entries(facts).filter(([, fact]) => fact !== "");
  return known.map(([name, fact]) => `  ${colours.dim(name.padEnd(LABEL_WIDTH))}${fact}`);
}

/** Formats a lesson as one line, with the fields below that differ from another lesson's and aren't in the line. */
export function inShortUnlike(version: Lesson, other: Lesson, page: Page): string {
  const line = inShort(version, page);
  const isWhole = line.endsWith(safeLine(version.lesson));
  const known = new Set(texts(other));
  const below = texts({ ...version, lesson: isWhole ? "" : version.lesson }).filter(
    (row) => !known.has(row),
  );
  return [line, ...below].join("\n");
}

/** Rows for a group of lessons, under its heading. */
export function section(
  heading: string,
  group: readonly LessonLine[],
  references: References,
  page: Page,
): string {
  const rows = group.map((entry) => row(entry, references.short(entry), page));
  return [page.colours.bold(cut(heading, page.width)), ...rows].join("\n");
}

/** When a version went to the trash, and why. */
export function whenAndWhy(removed: Removed): string {
  return `${minuteOf(removed.at)}  ${whyRemoved(removed)}`;
}

/** Why a version is in the trash. */
export function whyRemoved({ because, by }: Removed): string {
  return because === "compacted" || because === "replaced"
    ? `${because} ${because === "compacted" ? "into" : "by"} ${by.slice(0, 8)}`
    : because;
}
