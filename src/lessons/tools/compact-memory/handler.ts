import type { Answer } from "../../answers/answer.ts";
import { compactionNotDue, compactionPlan } from "../../answers/compaction-plan.ts";
import { normalTopic } from "../../changes/field-text.ts";
import { partsLeft, planCompaction } from "../../queries/compaction.ts";
import type { LessonToolContext } from "../context.ts";
import type { Input } from "./definition.ts";

export async function handle(
  { target_topic, compact_threshold }: Input,
  { lessons, policy, privacy, conversation, budget }: LessonToolContext,
): Promise<Answer> {
  privacy.forStoring(); // A plan leads to saves, and none would succeed.
  const threshold = compact_threshold ?? policy.values.compact_threshold;
  const snapshot = await lessons.read();
  const topic = target_topic === undefined ? undefined : normalTopic(target_topic);
  const begun = conversation.compaction;
  const isDue = (begun?.hasBegun && begun.topic === undefined) || snapshot.count > threshold;
  if (topic === undefined && !isDue) return compactionNotDue(snapshot, threshold);
  const plan = planCompaction(snapshot, topic);
  const hasBegun = begun?.topic === topic && begun?.hasBegun === true;
  conversation.compaction = partsLeft(plan) > 0 ? { topic, hasBegun } : undefined;
  return compactionPlan(snapshot, plan, topic, budget);
}
