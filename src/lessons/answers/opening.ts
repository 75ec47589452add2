/** The lessons at the start of a session: all of them if they're few, otherwise their topics. */
import { type Budget, pack } from "../../ground/core/budget.ts";
import { withoutMarks } from "../../ground/core/marks.ts";
import { fenced, indented, oneLine, plural, present } from "../../ground/core/text.ts";
import { MARK } from "../../ground/redaction/span.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { mostImportantFirst } from "../queries/importance.ts";
import { inForce, type Moment } from "../queries/matches-when.ts";
import { References } from "../queries/references.ts";
import { countTopics } from "../queries/topics.ts";

/** In bytes of UTF-8, with the heading and the fence. Together with the loop, every client that we measured shows it whole. */
const MOST_BYTES = 1_300;
/** For the list of topics. With the heading, it's under 200 tokens. */
const TOPICS: Budget = { characters: 600, bytes: 900, tokens: 120 };
const HEAD = "The lessons of this project, most important first:";

/** The lessons for a server's instructions, which a model reads as the system's own words: all in force if they fit, otherwise their topics. */
export function openingOf(snapshot: Snapshot, moment: Moment): string {
  const references = new References(snapshot);
  const lines = [...inForce(snapshot.lessons(), moment)].sort(mostImportantFirst);
  if (lines.length === 0) return "";
  const texts = lines.filter(isReadable).map((line) => {
    const { topic, lesson } = line.version;
    return `${references.short(line)} ${oneLine(topic)}: ${indented(lesson)}`;
  });
  const whole = `${HEAD}\n${fenced(texts)}`;
  if (texts.length > 0 && Buffer.byteLength(whole) <= MOST_BYTES) return whole;
  return `${headOfTopics(lines.length)}\n${fenced([topicsOf(lines)])}`;
}

/** Stands above the topics. @param which lessons they are, if not all. */
export function headOfTopics(count: number, which = ""): string {
  return `${plural(count, "lesson")} from earlier work${which}, by topic. Call search_memory first, with the task's key words and at least three other names for the same things.`;
}

/** The topics of some lessons with their counts, most used first, as many as fit. */
export function topicsOf(lines: readonly LessonLine[]): string {
  const { texts, left } = pack(
    countTopics(lines),
    TOPICS,
    ({ topic, count }) => `${withoutMarks(oneLine(topic))} (${count})`,
  );
  const more = left.length > 0 && `and ${plural(left.length, "other topic")}`;
  // A topic in the first column could look like one of our lines.
  return `Topics: ${present(...texts, more).join(", ")}`;
}

/** A redacted lesson may have nothing left to follow. */
const isReadable = ({ version }: LessonLine): boolean => !version.lesson.includes(MARK);
