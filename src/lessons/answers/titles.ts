/** Lists lessons by title or topic. A ranking by words misses a lesson in other words or another language, but a model that reads its title recognizes it. */
import { type Budget, Meter, pack } from "../../ground/core/budget.ts";
import { oneLine, plural, present, withoutMarks } from "../../ground/core/text.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import type { Lesson } from "../format/lesson.ts";
import type { LessonLine, Snapshot } from "../merge/versions.ts";
import { countTopics, nearestTopics, topicsOf } from "../queries/topics.ts";

export const BY_TITLE = "Other lessons by title. To read one, search for words of its title:";
/** For the list of topics. With its heading, it's under 200 tokens. */
const TOPICS: Budget = { characters: 600, bytes: 900, tokens: 120 };
/** The shortest title, in tokens. Shorter ones are too similar. */
const SHORTEST = 5;
const LONGEST = 12;
/** Tokens between two titles, as a meter counts them. */
const JOINT = 2;
/** The most characters of a text to make a title from. */
const LONGEST_TEXT = 200;
/** The most tokens that one character takes, used to cut several characters at once. */
const MOST_OF_ONE = 4;
const ENDS = /^[("'`]+|[)"'`,:.;]+$/gu;

/** Returns the titles that fit, one line per topic and all of the same length, and their lessons. */
export function titlesOf(lines: readonly LessonLine[], budget: Budget) {
  const length = titleLength(lines, budget.tokens);
  const meter = new Meter(budget);
  const titles = new Map<string, string[]>();
  const taken: LessonLine[] = [];
  for (const line of lines) {
    const { topic } = line.version;
    const title = titleOf(line.version, length);
    const ofTopic = titles.get(topic);
    if (!meter.take(ofTopic ? `${title};` : `- ${oneLine(topic)}: ${title}`)) {
      break;
    }
    if (ofTopic) {
      ofTopic.push(title);
    } else {
      titles.set(topic, [title]);
    }
    taken.push(line);
  }
  // A topic in the first column could look like one of our lines.
  const texts = [...titles].map(([topic, some]) => `- ${oneLine(topic)}: ${some.join("; ")}`);
  return { texts, taken };
}

/** How many tokens each title may have. */
function titleLength(lines: readonly LessonLine[], tokens: number): number {
  // Each title takes at least one token, so more lessons than tokens never fit.
  const topics = new Set(lines.slice(0, tokens).map(({ version }) => oneLine(version.topic)));
  const room = tokens - estimateTokens([...topics].join(": "));
  const share = Math.floor(room / Math.max(1, lines.length)) - JOINT;
  return Math.min(LONGEST, Math.max(SHORTEST, share));
}

/** Returns the heading above the topics. @param which lessons they are, if not all. */
export function headOfTopics(count: number, which = ""): string {
  return `${plural(count, "lesson")} from earlier work${which}, by topic. Call search_memory first, with the task's key words and at least three other names for the same things.`;
}

/** Lists the topics of the lessons with their counts, most used first, until the line is full. */
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
  const words = text.split(/[\s;]+/u).filter(Boolean);
  let title = "";
  for (const word of words) {
    const next = title === "" ? word : `${title} ${word}`;
    if (estimateTokens(next) > most) {
      return withoutEnds(title || cutTo(word, most));
    }
    title = next;
  }
  return withoutEnds(title || text);
}

/** Trims punctuation at both ends of a title, unless nothing would remain. */
const withoutEnds = (title: string): string => title.replace(ENDS, "") || title;

/** Cuts a text without spaces, such as Chinese, to a number of tokens. */
function cutTo(text: string, most: number): string {
  const characters = [...text];
  const over = estimateTokens(text) - most;
  if (over <= 0 || characters.length === 1) {
    return text;
  }
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
  if (topics.length === 0) {
    return "The memory has no topics yet.";
  }
  const nearest = nearestTopics(name, topics).slice(0, MOST_NAMED).map(oneLine);
  return `Use an existing topic, for example: ${nearest.join(", ")}.`;
}
