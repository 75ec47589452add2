/**
 * Fits records into a budget, in layers (seed 3): the best in full, then a line each, then only the counts of their topics
 * or, within one topic, their references. Every record is in a layer or counted; none is cut in the middle.
 */
import { type Budget, Meter, shareOf } from "./budget.ts";
import { block, indexLine, topicList } from "./presentation.ts";
import type { References } from "./reference.ts";
import { estimateTokens } from "./tokens.ts";
import { countTopics } from "./topics.ts";
import type { LessonLine } from "./versions.ts";

export interface Layers {
  /** Records in full, one text each. */
  readonly blocks: readonly string[];
  /** The other layers, a line each; empty when every record is in full. */
  readonly rest: readonly string[];
}

const MOST_MISSES = 5;
/** Tokens that the number before a record may add to its text. */
const NUMBER_TOKENS = 2;
/** The tokens of each record in full; a line stays the same object as long as it stays in the file. */
const tokensInFull = new WeakMap<LessonLine, number>();
/** Shares of the budget. Within a topic the last layer holds the references of 300 records even in the smallest one. */
const OF_ALL = { full: 0.6, index: 0.3, last: 0.1 };
const OF_A_TOPIC = { full: 0.5, index: 0.15, last: 0.35 };

/**
 * @param lines best first.
 * @param withinTopic whether they are all of one topic, so that counting topics would say nothing.
 */
export function layOut(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
  withinTopic: boolean,
): Layers {
  const blockOf = (line: LessonLine, place: number) => block(line, place, references.short(line));
  const everything = fill(lines, budget, blockOf, blockTokens);
  if (everything.left.length === 0) return { blocks: everything.texts, rest: [] };

  const shares = withinTopic ? OF_A_TOPIC : OF_ALL;
  const full = fill(lines, shareOf(budget, shares.full), blockOf, blockTokens);
  const index = fill(full.left, shareOf(budget, shares.index), (line) => indexLine(line, references.short(line)));
  const others = index.left;
  const last = shareOf(budget, shares.last);
  return {
    blocks: full.texts,
    rest: [
      ...(index.texts.length > 0 ? [`${index.texts.length} more in short; call with ids for the whole text:`] : []),
      ...index.texts,
      ...(others.length === 0 ? [] : withinTopic ? named(others, references, last) : counted(others, last)),
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
  const left: LessonLine[] = [];
  let misses = 0;
  for (const [index, line] of lines.entries()) {
    const text = textOf(line, texts.length + 1);
    if (meter.take(text, tokensOf && (() => tokensOf(line, text)))) {
      texts.push(text);
      misses = 0;
    } else {
      left.push(line);
      misses++;
    }
    if (misses === MOST_MISSES) return { texts, left: [...left, ...lines.slice(index + 1)] };
  }
  return { texts, left };
}

function blockTokens(line: LessonLine, text: string): number {
  const known = tokensInFull.get(line) ?? estimateTokens(text) + NUMBER_TOKENS;
  tokensInFull.set(line, known);
  return known;
}

function counted(lines: readonly LessonLine[], budget: Budget): string[] {
  const topics = countTopics(lines.map(({ version }) => version));
  return [`${lines.length} more, by topic; call with one of these topics to list it: ${topicList(topics, budget)}`];
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
