import type { Answer } from "../../../../lessons/answers/answer.ts";
import { recordsById, searchAnswer } from "../../../../lessons/answers/search-answer.ts";
import type { ToolContext } from "../../../tool.ts";
import type { Input } from "./definition.ts";

export async function handle({ query, topic, ids = [] }: Input, { store, rank, budget }: ToolContext): Promise<Answer> {
  const snapshot = await store.read();
  if (ids.length > 0) return recordsById(snapshot, ids, budget);
  return searchAnswer(snapshot, await rank(snapshot, query ?? ""), { query, topic }, budget);
}
