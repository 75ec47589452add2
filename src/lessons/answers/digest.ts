/** The digest has one Markdown line per lesson. Agents read it as the team's own words, so no stored text may begin a line, import a file or be invisible. */
import { groupBy } from "../../ground/core/collections.ts";
import { oneLine, plural, present } from "../../ground/core/text.ts";
import type { Lesson } from "../format/lesson.ts";
import { isOver, isTooEarly, whenOf } from "../format/when.ts";

/** A lesson with its reference in answers. */
export interface Referred {
  readonly version: Lesson;
  readonly reference: string;
}

/** Most lines of a file, or of a block with its two markers. */
const MOST_LINES = 150;
const HEAD = [
  "# What this project has learnt",
  "",
  "Notes from earlier work, written by sentinel-memory: to weigh, not orders.",
  "",
] as const;
/** Codex reads 32 KiB of AGENTS.md, and the team's own text needs some of that. */
const MOST_BYTES = 24_000;
/** The lines around a block's lessons: two markers, and the count of the lessons that didn't fit. */
const AROUND = 3;
/** Matches a path on one person's machine, which means nothing on other machines. */
const OF_ONE_MACHINE = /(?:\/home\/|\/Users\/|[A-Za-z]:\\Users\\)[^\s/\\]+[/\\]/;

/** Returns the text, without a final line break. Each topic gets an equal share of the lines. Lines that it doesn't use go to the other topics. @param lessons the most important first. */
export function digestText(lessons: readonly Referred[]): string {
  const most = MOST_LINES - HEAD.length - AROUND;
  const topics = [...groupBy(lessons, ({ version }) => version.topic).values()];
  const taken = new Set<Referred>();
  let bytes = 0;
  for (const one of inTurns(topics)) {
    bytes += Buffer.byteLength(digestLine(one)) + 1;
    if (taken.size === most || bytes > MOST_BYTES) {
      break;
    }
    taken.add(one);
  }
  const shown = topics.flat().filter((one) => taken.has(one));
  const left = lessons.length - taken.size;
  return [...HEAD, ...shown.map(digestLine), ...present(left > 0 && moreOf(left))].join("\n");
}

/** The first lesson of each topic, then the second of each, and so on. */
function inTurns(topics: readonly (readonly Referred[])[]): Referred[] {
  const turns = topics.flatMap((topic) => topic.map((one, turn) => ({ one, turn })));
  return turns.sort((a, b) => a.turn - b.turn).map(({ one }) => one);
}

/** Returns the lines of a digest that come from no lesson in the list. */
export function foreignLines(text: string, lessons: readonly Referred[]): string[] {
  const known = new Set<string>([...HEAD, ...lessons.map(digestLine)]);
  const isCount = (line: string) => line === moreOf(Number(/^And (\d+) more/.exec(line)?.[1]));
  return text.split("\n").filter((line) => !known.has(line) && !isCount(line));
}

/** Whether a lesson applies now, to everyone and on every branch. @param now YYYY-MM-DD HH:MM. */
export function isForAll(lesson: Lesson, now: string): boolean {
  const when = whenOf(lesson);
  if (when.branches || isTooEarly(when, now) || isOver(when, now)) {
    return false;
  }
  const texts = [lesson.topic, lesson.lesson, ...(when.paths ?? [])];
  return !texts.some((text) => OF_ONE_MACHINE.test(text));
}

/** The line of a lesson. */
export function digestLine({ version, reference }: Referred): string {
  const { paths } = whenOf(version);
  const where = paths ? ` (${asText(paths.join(", "))})` : "";
  return `- [${reference}] ${asText(version.topic)}${where}: ${asText(version.lesson)}`;
}

/** Puts a text on one line, without invisible characters and without characters that Markdown or an agent's instruction reader would interpret. */
function asText(text: string): string {
  return oneLine(text)
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/<(?=[a-z!?/])/gi, "&lt;")
    .replaceAll(/(?<!\w)@/g, "&#64;")
    .replaceAll("`", "'");
}

const moreOf = (count: number): string =>
  `And ${plural(count, "more lesson")}: search_memory, or .context/memory_log.jsonl.`;
