/** Lessons by title or by topic, for a paraphrase or another language, which no ranking by words finds: a model only has to see them. */
import { type Budget, Meter, pack } from "../../ground/core/budget.ts";
import { oneLine, plural, present, withoutMarks } from "../../ground/core/text.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import type { Lesson } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { countTopics, nearestTopics, topicsOf } from "../queries/topics.ts";

export const BY_TITLE = "Other lessons by title. To read one, search for words of its title:";
/** For the list of topics. With its heading, it's under 200 tokens. */
const TOPICS: Budget = { characters: 600, bytes: 900, tokens: 120 };
/** In tokens: shorter ones say too little to be told apart. */
const SHORTEST = 5;
const LONGEST = 12;
/** Tokens between two titles, as a meter counts them. */
const JOINT = 2;
/** In characters: a title is made of no more. */
const LONGEST_TEXT = 200;
/** In tokens: a character takes no more, so several are cut off at once. */
const MOST_OF_ONE = 4;
const ENDS = /^[("'`]+|[)"'`,:.;]+$/gu;

/** The titles of the lessons that fit, one line per topic, all of one length, with those lessons. */
export function titlesOf(lines: readonly LessonLine[], budget: Budget) {
  const length = titleLength(lines, budget.tokens);
  const meter = new Meter(budget);
  const titles = new Map<string, string[]>();
  const taken: LessonLine[] = [];
  for (const line of lines) {
    const { topic } = line.version;
    const title = titleOf(line.version, length);
    const ofTopic = titles.get(topic);
    if (!meter.take(ofTopic ? `${title};` : `- ${oneLine(topic)}: ${title}`)) break;
    if (ofTopic) ofTopic.push(title);
    else titles.set(topic, [title]);
    taken.push(line);
  }
  // A topic in the first column could look like one of our lines.
  const texts = [...titles].map(([topic, some]) => `- ${oneLine(topic)}: ${some.join("; ")}`);
  return { texts, taken };
}

/** How many tokens each title may have. */
function titleLength(lines: readonly LessonLine[], tokens: number): number {
  // No more lessons than tokens can have a title.
  const topics = new Set(lines.slice(0, tokens).map(({ version }) => oneLine(version.topic)));
  const room = tokens - estimateTokens([...topics].join(": "));
  const share = Math.floor(room / Math.max(1, lines.length)) - JOINT;
  return Math.min(LONGEST, Math.max(SHORTEST, share));
}

/** Stands above the topics. @param which lessons they are, if not all. */
export function headOfTopics(count: number, which = ""): string {
  return `${plural(count, "lesson")} from earlier work${which}, by topic. Call search_memory first, with the task's key words and at least three other names for the same things.`;
}

/** The topics of some lessons with their counts, most used first, as many as fit. */
export function topicLine(lines: readonly LessonLine[]): string {
  const { texts, left } = pack(
    countTopics(lines),
    TOPICS,
    ({ topic, count }) => `${withoutMarks(oneLine(topic))} (${count})`,
  );
  const more = left.length > 0 && `and ${plural(left.length, "other topic")}`;
  // A topic in the first column could look like one of our lines.
  return `Topics: ${present(...texts, more).join(", ")}`;
}

/** The first words of a lesson's gap, or of a principle's rule. @param most how many tokens. */
function titleOf({ missing_context, lesson }: Lesson, most: number): string {
  const text = oneLine((missing_context.trim() || lesson).slice(0, LONGEST_TEXT));
  // Semicolons separate titles.
  const words = text.split(/[\s;]+/u).filter((word) => word !== "");
  let title = "";
  for (const word of words) {
    const next = title === "" ? word : `${title} ${word}`;
    if (estimateTokens(next) > most) return withoutEnds(title || cutTo(word, most));
    title = next;
  }
  return withoutEnds(title);
}

/** A title without punctuation at its ends, unless it's nothing else. */
const withoutEnds = (title: string): string => title.replace(ENDS, "") || title;

/** The beginning of a text without spaces, as Chinese is written. */
function cutTo(text: string, most: number): string {
  const characters = [...text];
  const over = estimateTokens(text) - most;
  if (over <= 0 || characters.length === 1) return text;
  return cutTo(characters.slice(0, -Math.ceil(over / MOST_OF_ONE)).join(""), most);
}

const MOST_NAMED = 5;

/** Says that no lesson has a topic. */
export function unknownTopic(topic: string): string {
  return `No lesson has the topic "${oneLine(topic).slice(0, 80)}".`;
}

/** Lists the existing topics nearest to a name. */
export function existingTopics(snapshot: Snapshot, name: string): string {
  const topics = topicsOf(snapshot).map(({ topic }) => topic);
  if (topics.length === 0) return "The memory has no topics yet.";
  const nearest = nearestTopics(name, topics).slice(0, MOST_NAMED).map(oneLine);
  return `Use an existing topic, for example: ${nearest.join(", ")}.`;
}
