/** Forgets and restores lessons. A tombstone keeps a merge from bringing a lesson back, and its versions move to the trash. */
import { instantOf, type Lesson, type Meta, type Mutable, nextRevision } from "../format/lesson.ts";
import {
  afterAll,
  type LessonLine,
  type Snapshot,
  sourcesOf,
  type WorkingCopy,
} from "../merge/versions.ts";
import { mayMean, notFound } from "../queries/references.ts";
import { lessonNamed } from "./retire.ts";
import { joinSources } from "./save.ts";

/**
 * Hides lessons behind tombstones. @returns the hidden lessons. @param ids whole, their first 6 or more digits, or current references.
 * @throws SentinelError `not_found` if an id means no lesson or several, `bad_reference`. Then nothing is changed.
 */
export function forgetLessons(
  memory: WorkingCopy,
  ids: readonly string[],
  reason: string,
  now: number,
): LessonLine[] {
  const lines = [...new Set(ids.map((id) => unchangedLesson(memory, id)))];
  for (const { version } of lines) {
    bury(memory, version.id, reason, now);
  }
  return lines;
}

/** Restores versions, each as the newest of its id. A principle retires its sources again. */
export function restoreLessons(
  memory: WorkingCopy,
  lessons: readonly Lesson[],
  now: number,
): LessonLine[] {
  const restored: LessonLine[] = [];
  for (const lesson of lessons) {
    const retired = sourcesToRetire(memory, lesson);
    const seen = [...memory.instants(lesson.id), ...retired.map(({ instant }) => instant)];
    const updated = nextRevision(now, seen);
    const after = afterAll(memory.versions(lesson.id), { ...lesson.meta, updated });
    const meta: Mutable<Meta> = { ...lesson.meta, updated, after };
    if (retired.length > 0) {
      meta.sources = joinSources(meta.sources, retired);
    }
    restored.push(memory.add({ ...lesson, meta }) as LessonLine);
  }
  return restored;
}

/** Returns the sources that were restored while their principle was removed. Lessons logged after the compaction are new, so they stay. */
export function sourcesToRetire(snapshot: Snapshot, principle: Lesson): readonly LessonLine[] {
  if (snapshot.shown(principle.id)) {
    return [];
  }
  return sourcesOf(principle).flatMap(([id, cover]) => {
    const shown = snapshot.shown(id);
    return shown && isOlderThan(shown, cover) ? [shown] : [];
  });
}

/** The lessons that only replaced others by a correction or move. @param removed the trash, with the texts in between. */
export function correctionsOf(
  lessons: readonly Lesson[],
  snapshot: Snapshot,
  removed: readonly Lesson[],
): readonly LessonLine[] {
  const back = new Set<string>();
  for (const lesson of lessons) {
    back.add(lesson.id);
    for (const [source] of sourcesOf(lesson)) {
      back.add(source);
    }
  }
  const between = new Set<string>();
  for (const lesson of removed) {
    if (sourcesOf(lesson).length > 0) {
      between.add(lesson.id);
    }
  }
  return snapshot.lessons().filter(({ version }) => {
    if (version.type !== "log" || back.has(version.id)) {
      return false;
    }
    const sources = sourcesOf(version).map(([id]) => id);
    const isOfThese = sources.some((id) => back.has(id));
    return isOfThese && sources.every((id) => back.has(id) || between.has(id));
  });
}

/** Whether a lesson was first logged before its cover. Then it was restored or updated later, not logged again. */
export function isOlderThan({ version }: LessonLine, cover: string): boolean {
  return instantOf(version.meta.created) <= instantOf(cover);
}

/** Hides every version of an id behind a tombstone. @param isForGood also hides older versions that this memory never had, such as those of another copy. */
export function bury(
  memory: WorkingCopy,
  id: string,
  reason: string,
  now: number,
  isForGood = false,
): void {
  const created = nextRevision(now, memory.instants(id));
  const meta = {
    created,
    reason: reason === "" ? undefined : reason,
    after: isForGood ? undefined : afterAll(memory.versions(id), { created }),
  };
  memory.add({ id, type: "forgotten", meta });
}

/** The lesson of an id, or of a reference that is current. */
function unchangedLesson(snapshot: Snapshot, name: string): LessonLine {
  const line = lessonNamed(snapshot, name);
  if (!mayMean(name, [line])) {
    throw notFound(name, "changed");
  }
  return line;
}
