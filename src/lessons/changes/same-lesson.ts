/** Finds the lesson that a text repeats in another spelling. */
import { compare } from "../../ground/core/text.ts";
import { formOf, topicForm } from "../format/forms.ts";
import { instantOf, type Lesson } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { countTopics } from "../queries/topics.ts";
import type { Draft } from "./draft.ts";

/** The topic in the case, separators and Unicode form of most lessons. @param except lessons to ignore. */
export function knownTopic(
  snapshot: Snapshot,
  topic: string,
  except: readonly LessonLine[] = [],
): string {
  const form = topicForm(topic);
  const same = snapshot.lessons().filter((line) => {
    return topicForm(line.version.topic) === form && !except.includes(line);
  });
  return countTopics(same)[0]?.topic ?? topic;
}

/** The earliest lesson of the same gap. @param except lessons to ignore. */
export function sameGap(
  snapshot: Snapshot,
  draft: Draft,
  except: readonly LessonLine[] = [],
): Lesson | undefined {
  const form = formOf(draft);
  if (form === undefined) return undefined;
  const same = snapshot.lessons().filter((line) => {
    return formOf(line.version) === form && !except.includes(line);
  });
  const [earliest] = same.map(({ version }) => version).sort(earliestFirst);
  return earliest;
}

function earliestFirst(a: Lesson, b: Lesson): number {
  const byTime = compare(instantOf(a.meta.created), instantOf(b.meta.created));
  return byTime || compare(a.id, b.id);
}
