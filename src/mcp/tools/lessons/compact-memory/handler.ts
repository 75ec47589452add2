import type { Answer } from "../../../../lessons/answers/answer.ts";
import { compactionNotDue, compactionPlan } from "../../../../lessons/answers/compaction-plan.ts";
import { normalTopic } from "../../../../lessons/changes/draft.ts";
import { planCompaction } from "../../../../lessons/queries/compaction.ts";
import type { ToolContext } from "../../../tool.ts";
import type { Input } from "./definition.ts";

export async function handle(
  { target_topic, compact_threshold }: Input,
  { store, policy, budget }: ToolContext,
): Promise<Answer> {
  const threshold = compact_threshold ?? policy.values.compact_threshold;
  const snapshot = await store.read();
  const topic = target_topic === undefined ? undefined : normalTopic(target_topic);
  if (topic === undefined && snapshot.count <= threshold) return compactionNotDue(snapshot, threshold);
  return compactionPlan(snapshot, planCompaction(snapshot, topic), topic, budget);
}
