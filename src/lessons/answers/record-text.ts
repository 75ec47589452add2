/**
 * Records as text that an agent reads.
 *
 * Stored text is untrusted: it is fenced, said to be notes, and laid out so that it cannot pass for anything else. Every
 * line that begins in the first column is ours; a stored text that goes on for several lines is indented.
 */
import { type Budget, Meter } from "../../core/budget.ts";
import { fenced, indented } from "../../core/fence.ts";
import { firstWords, oneLine, plural } from "../../core/text.ts";
import { dateOf } from "../../core/time.ts";
import { type Lesson, timesMet } from "../format/record.ts";
import { revisionOf } from "../format/revision.ts";
import type { LessonLine } from "../merge/versions.ts";
import { nearestTopics, type TopicCount } from "../queries/topics.ts";

/** One record: a first line with its reference and dates, then its texts; no empty fields. */
export function block(line: LessonLine, number: number, reference: string): string {
  const { version } = line;
  const { type, meta } = version;
  const head = [
    `#${number} ${reference} type=${type}`,
    // A bar would pass for the end of the topic.
    `topic=${oneLine(version.topic).replaceAll("|", "\u00a6")}`,
    type === "principle" && meta.compacted_at
      ? `compacted: ${dateOf(meta.compacted_at)} (${mergedCount(version)} merged)`
      : dateOf(revisionOf(meta)),
    ...(timesMet(version) > 1 ? [`met ${timesMet(version)} times`] : []),
  ];
  const fields = (["missing_context", "lesson", "ask_next_time"] as const)
    .filter((name) => version[name]?.trim())
    .map((name) => `${name}: ${indented(version[name] ?? "")}`);
  return [head.join(" | "), ...fields].join("\n");
}

/** One record in a line: its reference, its topic unless that is said already, the first words of its lesson. */
export function indexLine({ version }: LessonLine, reference: string, nameTopic: boolean): string {
  return `${reference} ${nameTopic ? `${oneLine(version.topic)}: ` : ""}${firstWords(version.lesson)}`;
}

/** "payment (3), auth (1)": topics with their counts, as many as fit. */
export function topicList(topics: readonly TopicCount[], budget: Budget): string {
  const meter = new Meter(budget);
  const named = topics.map(({ topic, count }) => `${oneLine(topic)} (${count})`).filter((text) => meter.take(text));
  const left = topics.length - named.length;
  return named.join(", ") + (left > 0 ? `, and ${plural(left, "more topic")}` : "");
}

/** For a topic that no record has: the topics there are, nearest first, as many as fit. */
export function noTopic(topic: string, topics: readonly TopicCount[], budget: Budget): string {
  const counts = new Map(topics.map((entry) => [entry.topic, entry]));
  const nearest = nearestTopics(topic, [...counts.keys()]).flatMap((name) => counts.get(name) ?? []);
  return [
    `No record has the topic "${oneLine(topic).slice(0, 80)}".`,
    ...(nearest.length > 0 ? [fenced([`Topics there are, nearest first: ${topicList(nearest, budget)}`])] : []),
  ].join("\n");
}

function mergedCount({ meta }: Lesson): number {
  return meta.sources ? Object.keys(meta.sources).length : Number(meta.source_count ?? 0);
}
