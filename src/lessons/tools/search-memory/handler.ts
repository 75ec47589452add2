import { localDay } from "../../../ground/core/time.ts";
import type { Answer } from "../../answers/answer.ts";
import { recordsById, searchAnswer } from "../../answers/search-answer.ts";
import { markOver } from "../../format/lesson-text.ts";
import type { LessonToolContext } from "../context.ts";
import type { Input } from "./definition.ts";

export async function handle({ query, topic, ids = [], detail }: Input, context: LessonToolContext): Promise<Answer> {
  const { lessons, policy, rank, budget, conversation } = context;
  const snapshot = await lessons.read();
  const isFirst = !conversation.hasSearched;
  conversation.hasSearched = true;
  const answer =
    ids.length > 0
      ? recordsById(snapshot, ids, policy.values, budget)
      : searchAnswer(
          snapshot,
          await rank(snapshot, query ?? ""),
          { query, topic, detail },
          policy.values,
          budget,
          isFirst,
        );
  return { ...answer, text: markOver(answer.text, localDay(Date.now())) };
}
