/**
 * Fits records into a budget, in steps (DESIGN.md, "Answers"): the best in full, then a line each, then only the counts of their topics
 * or, within one topic, their references. Every record is in one of them or counted; none is cut in the middle.
 */
import { type Budget, Meter, shareOf } from "../../core/budget.ts";
import { estimateTokens } from "../../core/tokens.ts";
import type { LessonLine } from "../merge/versions.ts";
import type { References } from "../queries/references.ts";
import { countTopics, type TopicCount } from "../queries/topics.ts";
import { block, indexLine, topicList } from "./record-text.ts";

export interface FittedRecords {
  /** Records in full, one text each. */
  readonly blocks: readonly string[];
  /** What comes after the full records, a line each; empty when every record is in full. */
  readonly rest: readonly string[];
}

const MOST_MISSES = 5;
/** Tokens that the number before a record may add to its text. */
const NUMBER_TOKENS = 2;
/** The tokens of each record in full; a line stays the same object as long as it stays in the file. */
const tokensInFull = new WeakMap<LessonLine, number>();
/** Shares of the budget. Within a topic the last share holds the references of 300 records even in the smallest one. */
const OF_ALL = { full: 0.6, index: 0.3, last: 0.1 };
const OF_A_TOPIC = { full: 0.5, index: 0.15, last: 0.35 };

/**
 * @param lines best first.
 * @param topics the topics of all of them, counted; absent when they are of one topic, so that counting would say nothing.
 */
export function fitRecords(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
  topics?: readonly TopicCount[],
): FittedRecords {
  const blockOf = (line: LessonLine, place: number) => block(line, place, references.short(line));
  const everything = fill(lines, budget, blockOf, blockTokens);
  if (everything.left.length === 0) return { blocks: everything.texts, rest: [] };

  const shares = topics ? OF_ALL : OF_A_TOPIC;
  const full = fill(lines, shareOf(budget, shares.full), blockOf, blockTokens);
  const index = fill(full.left, shareOf(budget, shares.index), (line) => indexLine(line, references.short(line)));
  const others = index.left;
  const last = shareOf(budget, shares.last);
  return {
    blocks: full.texts,
    rest: [
      ...(index.texts.length > 0 ? [`${index.texts.length} more in short; call with ids for the whole text:`] : []),
      ...index.texts,
      ...(others.length === 0
        ? []
        : topics
          ? counted(others.length, leftOf(topics, [...full.taken, ...index.taken]), last)
          : named(others, references, last)),
    ],
  };
}

/**
 * Takes records in order as long as they fit. One that is too large does not stop smaller ones after it, but some that do
 * not fit in a row do: a memory of many thousands is not tried to its end.
 */
function fill(
  lines: readonly LessonLine[],
  budget: Budget,
  textOf: (line: LessonLine, place: number) => string,
  tokensOf?: (line: LessonLine, text: string) => number,
) {
  const meter = new Meter(budget);
  const texts: string[] = [];
  const taken: LessonLine[] = [];
  const left: LessonLine[] = [];
  let misses = 0;
  for (const [index, line] of lines.entries()) {
    const text = textOf(line, texts.length + 1);
    if (meter.take(text, tokensOf && (() => tokensOf(line, text)))) {
      texts.push(text);
      taken.push(line);
      misses = 0;
    } else {
      left.push(line);
      misses++;
    }
    if (misses === MOST_MISSES) return { texts, taken, left: [...left, ...lines.slice(index + 1)] };
  }
  return { texts, taken, left };
}

function blockTokens(line: LessonLine, text: string): number {
  const known = tokensInFull.get(line) ?? estimateTokens(text) + NUMBER_TOKENS;
  tokensInFull.set(line, known);
  return known;
}

/** The counts without what is shown: a memory of many thousands is not counted again for each answer. */
function leftOf(topics: readonly TopicCount[], shown: readonly LessonLine[]): TopicCount[] {
  const taken = new Map(countTopics(shown.map(({ version }) => version)).map(({ topic, count }) => [topic, count]));
  return topics
    .map(({ topic, count }) => ({ topic, count: count - (taken.get(topic) ?? 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

function counted(left: number, topics: readonly TopicCount[], budget: Budget): string[] {
  return [`${left} more, by topic; call with one of these topics to list it: ${topicList(topics, budget)}`];
}

function named(lines: readonly LessonLine[], references: References, budget: Budget): string[] {
  const meter = new Meter(budget);
  const names = lines.map((line) => references.short(line)).filter((name) => meter.take(name));
  const unnamed = lines.length - names.length;
  return [
    `${names.length} more by reference; call with ids for the whole text: ${names.join(" ")}`,
    ...(unnamed > 0 ? [`${unnamed} more do not fit; narrow the query.`] : []),
  ];
}
