/** Lessons by title or by topic, for a paraphrase or another language, which no ranking by words finds: a model only has to see them. */
import { type Budget, Meter, pack } from "../../ground/core/budget.ts";
import { groupBy } from "../../ground/core/collections.ts";
import { oneLine, plural, present, withoutMarks } from "../../ground/core/text.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import type { Lesson } from "../format/lesson.ts";
import type { LessonLine } from "../merge/versions.ts";
import { countTopics } from "../queries/topics.ts";

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
  // No more lessons than tokens can have a title.
  const names = [...new Set(lines.slice(0, budget.tokens).map(({ version }) => version.topic))];
  const room = budget.tokens - estimateTokens(names.map(oneLine).join(": "));
  const most = Math.min(
    LONGEST,
    Math.max(SHORTEST, Math.floor(room / Math.max(1, lines.length)) - JOINT),
  );
  const meter = new Meter(budget);
  const topics = new Set<string>();
  const titles = new Map<LessonLine, string>();
  for (const line of lines) {
    const { topic } = line.version;
    const title = titleOf(line.version, most);
    if (!meter.take(topics.has(topic) ? `${title};` : `- ${oneLine(topic)}: ${title}`)) break;
    topics.add(topic);
    titles.set(line, title);
  }
  const groups = groupBy([...titles], ([line]) => line.version.topic);
  return {
    // A topic in the first column could look like one of our lines.
    texts: [...groups].map(
      ([topic, some]) => `- ${oneLine(topic)}: ${some.map(([, title]) => title).join("; ")}`,
    ),
    taken: [...titles.keys()],
  };
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
