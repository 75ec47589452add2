/** Finds the lesson that a text belongs to although it is written differently. */
import { formOf, topicForm } from "../format/forms.ts";
import { instantOf, type Lesson } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LineList } from "../merge/line-list.ts";
import type { LessonLine } from "../merge/versions.ts";
import { countTopics } from "../queries/topics.ts";
import type { Draft } from "./draft.ts";

/** The topic as most lessons spell it, by case, separators and form of Unicode. @param except lessons that do not count. */
export function knownTopic(
  snapshot: Snapshot,
  topic: string,
  except: readonly LessonLine[] = [],
): string {
  const same = snapshot.by("topicForm").get(topicForm(topic));
  const spelling = same.first?.version.topic;
  // One spelling, as a rule.
  const isOnly =
    spelling !== undefined && snapshot.by("topic").get(spelling).length === same.length;
  if (isOnly && same.length > except.length) return spelling;
  return countTopics(without(same, except))[0]?.topic ?? topic;
}

/** The earliest lesson of the same gap. @param except lessons that are passed over. */
export function sameGap(
  snapshot: Snapshot,
  draft: Draft,
  except: readonly LessonLine[] = [],
): Lesson | undefined {
  const form = formOf(draft);
  if (form === undefined) return undefined;
  const same = without(snapshot.by("gapForm").get(form), except);
  const [earliest] = same.map(({ version }) => version).sort(earliestFirst);
  return earliest;
}

function without(list: LineList, except: readonly LessonLine[]): readonly LessonLine[] {
  return except.length === 0 ? list.lines : list.lines.filter((line) => !except.includes(line));
}

function earliestFirst(a: Lesson, b: Lesson): number {
  const [x, y] = [instantOf(a.meta.created), instantOf(b.meta.created)];
  if (x !== y) return x < y ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
