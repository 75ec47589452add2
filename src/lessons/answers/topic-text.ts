import { type Budget, Meter } from "../../ground/core/budget.ts";
import { fenced, oneLine, plural } from "../../ground/core/text.ts";
import { nearestTopics, type TopicCount } from "../queries/topics.ts";

/** "payment (3), auth (1)": topics with their counts, as many as fit. */
function topicList(topics: readonly TopicCount[], budget: Budget): string {
  const meter = new Meter(budget);
  const named = topics
    .map(({ topic, count }) => `${oneLine(topic)} (${count})`)
    .filter((text) => meter.take(text));
  const left = topics.length - named.length;
  return named.join(", ") + (left > 0 ? `, and ${plural(left, "more topic")}` : "");
}

export const unknownTopic = (topic: string): string =>
  `No lesson has the topic "${oneLine(topic).slice(0, 80)}".`;

/** For a topic that no lesson has: the existing topics, nearest first, as many as fit. */
export function noTopic(topic: string, topics: readonly TopicCount[], budget: Budget): string {
  const counts = new Map(topics.map((entry) => [entry.topic, entry]));
  const nearest = nearestTopics(topic, [...counts.keys()]).flatMap(
    (name) => counts.get(name) ?? [],
  );
  return [
    unknownTopic(topic),
    ...(nearest.length > 0
      ? [fenced([`Existing topics, nearest first: ${topicList(nearest, budget)}`])]
      : []),
  ].join("\n");
}
