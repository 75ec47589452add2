import type { Answer } from "../../answers/answer.ts";
import { recordsById, searchAnswer } from "../../answers/search-answer.ts";
import type { LessonToolContext } from "../context.ts";
import type { Input } from "./definition.ts";

export async function handle({ query, topic, ids = [], detail }: Input, context: LessonToolContext): Promise<Answer> {
  const { lessons, policy, rank, budget } = context;
  const snapshot = await lessons.read();
  if (ids.length > 0) return recordsById(snapshot, ids, policy.values, budget);
  return searchAnswer(snapshot, await rank(snapshot, query ?? ""), { query, topic, detail }, policy.values, budget);
}
