/** Forms that spellings of the same gap, or the same topic, share. */
import { memoize, memoizeByObject } from "../../ground/core/memoize.ts";
import type { Lesson } from "./lesson.ts";

/** Many lessons share a topic. */
const TOPICS_KEPT = 1_000;
const FINAL_PUNCTUATION = /[\s.!?…。、,;:]+$/u;
const INVISIBLE = /\p{Cf}/gu;
/** The separators between the words of a topic. */
const SEPARATORS = /[\s_./:-]+/u;

/** A topic without differences in case, separators and Unicode form. */
export const topicForm = memoize((topic) => {
  const words = folded(topic.replace(INVISIBLE, "")).split(SEPARATORS);
  return words.filter((word) => word !== "").join("-") || topic;
}, TOPICS_KEPT);

/** A gap without differences in case, white space, final punctuation and Unicode form. */
export function gapForm(missing_context: string): string {
  return folded(missing_context).replace(/\s+/gu, " ").trim().replace(FINAL_PUNCTUATION, "");
}

/** The form of topic and gap. Undefined for a principle, which has no gap. */
export const formOf = memoizeByObject(
  (lesson: Pick<Lesson, "type" | "topic" | "missing_context">): string | undefined =>
    lesson.type === "log"
      ? `${topicForm(lesson.topic)}\n${gapForm(lesson.missing_context)}`
      : undefined,
);

const folded = (text: string): string => text.normalize("NFKC").toUpperCase().toLowerCase();
