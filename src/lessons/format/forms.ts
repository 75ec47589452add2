/** When two texts are one: the same gap, or the same topic, written differently. */
import type { Lesson } from "./record.ts";

const FINAL_PUNCTUATION = /[\s.!?…。、,;:]+$/u;
const SEPARATORS = /[\s_./-]+/gu;

/** A topic but for case, separators and Unicode form. */
export function topicForm(topic: string): string {
  return folded(topic).replace(SEPARATORS, "-");
}

/** A gap but for case, white space, final punctuation and Unicode form. */
function gapForm(missing_context: string): string {
  return folded(missing_context).replace(/\s+/gu, " ").trim().replace(FINAL_PUNCTUATION, "");
}

/** Of lessons compared before: a lesson never changes. */
const known = new WeakMap<object, string>();

/** What all records of one gap share; undefined for a principle, whose text is what it is. */
export function formOf(lesson: Pick<Lesson, "type" | "topic" | "missing_context">): string | undefined {
  if (lesson.type !== "log") return undefined;
  const form = known.get(lesson) ?? `${topicForm(lesson.topic)}\n${gapForm(lesson.missing_context)}`;
  known.set(lesson, form);
  return form;
}

function folded(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase();
}
