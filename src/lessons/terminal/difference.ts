/** What a branch changes in the memory, for people. Stored text stands behind four blanks. Pure. */
import { groupBy } from "../../ground/core/collections.ts";
import { plural } from "../../ground/core/text.ts";
import { type Page, safeLine, safeLines } from "../../ground/terminal/layout.ts";
import { listLeftOut } from "../changes/losses.ts";
import type { Lesson } from "../format/lesson.ts";
import { alsoSaid } from "../format/lesson-text.ts";
import { whenText } from "../format/when-text.ts";
import type { Change, Source } from "../history/difference.ts";

const ID_DIGITS = 8;
const FIELDS = { missing_context: "missing", lesson: "lesson", ask_next_time: "ask" } as const;
const GONE = "its text is known neither to git nor to this machine";
const NOTHING = "Nothing changes in the memory.";

export function differenceInText(
  changes: readonly Change[],
  since: string,
  { colours }: Page,
): string {
  if (changes.length === 0) return `${NOTHING} (Compared with ${safeLine(since)}.)`;
  const sections = byKind(changes).map(([kind, some]) =>
    [colours.bold(kind), ...some.map((change) => inText(change, colours))].join("\n\n"),
  );
  return [`Compared with ${safeLine(since)}: ${summary(changes)}`, ...sections].join("\n\n");
}

function inText(
  { id, lesson, before, sources, leftOut = [], reason, also }: Change,
  colours: Page["colours"],
): string {
  const head = [colours.yellow(short(id)), lesson ? colours.bold(safeLine(lesson.topic)) : ""]
    .join("  ")
    .trimEnd();
  return [
    `  ${head}${reason === undefined ? "" : `  (${safeLine(reason)})`}`,
    ...fieldsOf(lesson, before).map(({ name, mark, text }) => {
      const line = `    ${mark} ${name.padEnd(8)} ${safeLines(text, " ".repeat(15))}`;
      if (mark === "+") return colours.green(line);
      return mark === "-" ? colours.red(line) : line;
    }),
    ...(lesson ? alsoSaid(lesson, also ?? []) : []).map(
      (text) => `    ! ${safeLines(text, " ".repeat(6))}`,
    ),
    ...sources.map((source) => `    ${colours.dim("from")} ${sourceInText(source)}`),
    ...leftOutInText(id, leftOut),
  ].join("\n");
}

function leftOutInText(id: string, leftOut: readonly string[]): string[] {
  if (leftOut.length === 0) return [];
  return [
    `    leaves out: ${safeLine(listLeftOut(leftOut))}`,
    `    To bring its sources back: sentinel-memory restore ${short(id)}`,
  ];
}

function sourceInText({ id, lesson }: Source): string {
  if (!lesson) return `${short(id)}  (${GONE})`;
  const texts = fieldsOf(lesson, undefined).map(
    ({ name, text }) => `${name}: ${safeLines(text, " ".repeat(11))}`,
  );
  return [
    `${short(id)}  ${safeLine(lesson.topic)}`,
    ...texts.map((text) => `         ${text}`),
  ].join("\n");
}

/** The fields of a lesson that are not empty; one that differs from before, as it was and as it is. */
function fieldsOf(lesson: Lesson | undefined, before: Lesson | undefined) {
  if (!lesson) return [];
  return [...Object.entries(FIELDS), ["when", "when"] as const].flatMap(([field, name]) => {
    const now = fieldOf(lesson, field);
    const was = before ? fieldOf(before, field) : now;
    const texts = was === now ? { " ": now } : { "-": was, "+": now };
    return Object.entries(texts).flatMap(([mark, text]) =>
      text.trim() === "" ? [] : [{ name, mark, text }],
    );
  });
}

function fieldOf(lesson: Lesson, field: string): string {
  return field === "when" ? whenText(lesson.when) : (lesson[field as keyof typeof FIELDS] ?? "");
}

const byKind = (changes: readonly Change[]): [Change["kind"], Change[]][] => [
  ...groupBy(changes, ({ kind }) => kind),
];

function summary(changes: readonly Change[]): string {
  const parts = byKind(changes).map(([kind, some]) => {
    const from = some.reduce((sum, { sources }) => sum + sources.length, 0);
    return `${some.length} ${kind}${from > 0 ? ` from ${plural(from, "lesson")}` : ""}`;
  });
  return parts.join(", ");
}

const short = (id: string): string => safeLine(id).slice(0, ID_DIGITS);
