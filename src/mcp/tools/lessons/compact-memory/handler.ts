import { COMPACT_THRESHOLD } from "../../../../core/config.ts";
import type { Answer } from "../../../../lessons/answers/answer.ts";
import { compactionNotDue, compactionPlan } from "../../../../lessons/answers/compaction-plan.ts";
import { normalTopic } from "../../../../lessons/changes/draft.ts";
import { planCompaction } from "../../../../lessons/queries/compaction.ts";
import type { ToolContext } from "../../../tool.ts";
import type { Input } from "./definition.ts";

export async function handle(
  { target_topic, compact_threshold = COMPACT_THRESHOLD }: Input,
  { store, budget }: ToolContext,
): Promise<Answer> {
  const snapshot = await store.read();
  const topic = target_topic === undefined ? undefined : normalTopic(target_topic);
  if (topic === undefined && snapshot.count <= compact_threshold) return compactionNotDue(snapshot, compact_threshold);
  return compactionPlan(snapshot, planCompaction(snapshot, topic), topic, budget);
}
