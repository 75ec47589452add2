/** Removes a lesson permanently, with the cues that only its text gave to principles. */
import { writtenWords } from "../../ground/search/tokenizer.ts";
import { cuesOf, type Lesson, nextRevision } from "../format/lesson.ts";
import type { Snapshot, WorkingCopy } from "../merge/fold.ts";
import { isLessonLine } from "../merge/versions.ts";
import { bury } from "./forget.ts";
import { cueWords } from "./new-cues.ts";

/** The reason on the tombstone of a purged lesson. Its text must not be shown, even if it is still stored somewhere. */
export const PURGED = "purged";

/** Which cues of a principle to remove. */
export type CuePurge = (principle: Lesson) => readonly string[];

/** The cues that only one lesson gives to a principle. @param removed the lessons in the trash. */
export function cuesOfLesson(id: string, snapshot: Snapshot, removed: readonly Lesson[]): CuePurge {
  const kept = snapshot.lines().filter(isLessonLine);
  const stored = [...kept.map(({ version }) => version), ...removed];
  const purged = new Set(stored.filter((lesson) => lesson.id === id).flatMap(allWords));
  const standsForIt = ({ meta }: Lesson) => meta.sources?.[id] !== undefined;
  return (principle) => {
    if (!standsForIt(principle)) return [];
    // Another principle that covers the lesson has its words from there.
    const others = stored.filter((lesson) => {
      const isSource = principle.meta.sources?.[lesson.id] !== undefined;
      return isSource && lesson.id !== id && !standsForIt(lesson);
    });
    const elsewhere = new Set(others.flatMap(cueWordsOf));
    return cuesOf(principle.meta).filter((cue) => purged.has(cue) && !elsewhere.has(cue));
  };
}

/** The cues that are or contain a word of a text. */
export function cuesOfWord(text: string): CuePurge {
  const words = writtenWords(text);
  return ({ meta }) => cuesOf(meta).filter((cue) => words.some((word) => cue.includes(word)));
}

/** Whether a purge removes cues from any principle that shows. */
export function takesCues(snapshot: Snapshot, purge: CuePurge): boolean {
  return snapshot.lessons().some(({ version }) => purge(version).length > 0);
}

/** Removes cues from every principle that shows. @param now in ms since 1970. @returns how many. */
export function purgeCues(memory: WorkingCopy, purge: CuePurge, now: number): number {
  let count = 0;
  for (const { version } of [...memory.lessons()]) {
    const purged = purge(version);
    if (purged.length === 0) continue;
    const revision = nextRevision(now, memory.instants(version.id));
    const { meta, ...texts } = withoutCues(version, purged);
    memory.add({ ...texts, meta: { ...meta, updated: revision } });
    count += purged.length;
  }
  return count;
}

/** A principle without some of its cues. */
export function withoutCues(principle: Lesson, purged: readonly string[]): Lesson {
  if (purged.length === 0) return principle;
  const { cues: _, ...meta } = principle.meta;
  const left = cuesOf(principle.meta).filter((cue) => !purged.includes(cue));
  return { ...principle, meta: left.length > 0 ? { ...meta, cues: left } : meta };
}

/** Whether a purge of an id changes the file: it has versions of it, or only a cover without the mark of a purge. */
export function isToBury(snapshot: Snapshot, id: string): boolean {
  const cover = snapshot.coveredBy(id)?.version;
  return snapshot.versions(id).some(isLessonLine) || (cover !== undefined && cover.id !== id);
}

/** Hides every version of an id behind a tombstone, whether it shows or not. */
export function buryLesson(memory: WorkingCopy, id: string, now: number): void {
  if (isToBury(memory, id)) bury(memory, id, PURGED, now, true);
}

function cueWordsOf({ topic, missing_context, meta }: Lesson): string[] {
  return [topic, missing_context, ...cuesOf(meta)].flatMap(cueWords);
}

function allWords(lesson: Lesson): string[] {
  return [...cueWordsOf(lesson), ...[lesson.lesson, lesson.ask_next_time ?? ""].flatMap(cueWords)];
}
