/** Fits lessons into a budget: the best in full, then a line each, then counts or references; none is cut. (docs/design/lessons.md, "Answers") */
import { type Budget, Meter, type Packed, pack, shareOf } from "../../ground/core/budget.ts";
import { block, indexLine } from "../format/lesson-text.ts";
import type { LessonLine } from "../merge/versions.ts";
import type { References } from "../queries/references.ts";
import { countTopics, type TopicCount } from "../queries/topics.ts";
import { topicList } from "./topic-text.ts";

/** Shares of the budget. Within a topic the last share holds the references of 300 lessons even in the smallest one. */
export const OF_ALL = { full: 0.6, index: 0.3, last: 0.1 };
export const OF_A_TOPIC = { full: 0.5, index: 0.15, last: 0.35 };

/** @param lines best first. @param topics the topics of all, counted; absent where they are of one topic. */
export function fitRecords(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
  topics?: readonly TopicCount[],
) {
  const everything = packInFull(lines, references, budget);
  if (everything.left.length === 0)
    return { blocks: everything.texts, inFull: everything.taken, rest: [] };

  const shares = topics ? OF_ALL : OF_A_TOPIC;
  const full = packInFull(lines, references, shareOf(budget, shares.full));
  const index = packInShort(full.left, references, shareOf(budget, shares.index));
  const last = shareOf(budget, shares.last);
  const others = () =>
    topics
      ? counted(topics, [...full.taken, ...index.taken], last)
      : named(index.left, references, last);
  return {
    blocks: full.texts,
    inFull: full.taken,
    /** What comes after the full lessons, a line each; empty when every lesson is in full. */
    rest: [
      ...(index.texts.length > 0
        ? [`${index.texts.length} more in short. For the full text, call with ids:`]
        : []),
      ...index.texts,
      ...(index.left.length > 0 ? others() : []),
    ],
  };
}

/** As many lessons in full as fit, numbered from one on. */
export function packInFull(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
): Packed<LessonLine> {
  return pack(lines, budget, (line, place) =>
    block(line.version, place, references.short(line), line.also),
  );
}

/** As many lessons in a line each as fit. */
export function packInShort(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
  nameTopic = true,
): Packed<LessonLine> {
  return pack(lines, budget, (line) => indexLine(line.version, references.short(line), nameTopic));
}

/** The references of lessons that have no line of their own, as many as fit. */
export function named(
  lines: readonly LessonLine[],
  references: References,
  budget: Budget,
): string[] {
  if (lines.length === 0) return [];
  const meter = new Meter(budget);
  const names = lines.map((line) => references.short(line)).filter((name) => meter.take(name));
  const unnamed = lines.length - names.length;
  return [
    `${names.length} more by reference. For the full text, call with ids: ${names.join(" ")}`,
    ...(unnamed > 0 ? [`${unnamed} more do not fit. Narrow the query.`] : []),
  ];
}

/** How many lessons of each topic are not shown: a memory of many thousands is not counted again for each answer. */
function counted(
  topics: readonly TopicCount[],
  shown: readonly LessonLine[],
  budget: Budget,
): string[] {
  const taken = new Map(countTopics(shown).map(({ topic, count }) => [topic, count]));
  const left = topics
    .map(({ topic, count }) => ({ topic, count: count - (taken.get(topic) ?? 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const count = left.reduce((sum, topic) => sum + topic.count, 0);
  return [`${count} more, by topic. To list one, call with its topic: ${topicList(left, budget)}`];
}
