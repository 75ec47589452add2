/** Finds the record that a text belongs to although it is written differently. */
import { formOf, topicForm } from "../format/forms.ts";
import type { Lesson } from "../format/record.ts";
import { instantOf } from "../format/revision.ts";
import type { LessonLine } from "../merge/versions.ts";
import { countTopics } from "../queries/topics.ts";
import type { Draft } from "./draft.ts";

/** The topic as most records spell it, of those whose topic differs at most in case, separators and form of Unicode. */
export function knownTopic(lessons: readonly LessonLine[], topic: string): string {
  const form = topicForm(topic);
  const spellings = lessons.filter(({ version }) => topicForm(version.topic) === form);
  return countTopics(spellings.map(({ version }) => version))[0]?.topic ?? topic;
}

/** The earliest record of the same gap. */
export function sameGap(lessons: readonly LessonLine[], draft: Draft): Lesson | undefined {
  const form = formOf(draft);
  if (form === undefined) return undefined;
  const same = lessons.filter(({ version }) => formOf(version) === form);
  const [earliest] = same.map(({ version }) => version).sort(earliestFirst);
  return earliest;
}

function earliestFirst(a: Lesson, b: Lesson): number {
  const [x, y] = [instantOf(a.meta.created), instantOf(b.meta.created)];
  if (x !== y) return x < y ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
