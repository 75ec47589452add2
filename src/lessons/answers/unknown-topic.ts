import { oneLine } from "../../ground/core/text.ts";
import type { Snapshot } from "../merge/fold.ts";
import { nearestTopics, topicsOf } from "../queries/topics.ts";

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
