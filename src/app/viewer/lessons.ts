/** Lessons in the format of the page: all as rows, a search with the usual ranking, and one lesson with its full history. */
import { localMinute } from "../../ground/core/time.ts";
import { isTombstone, type Lesson, revisionOf, timesMet } from "../../lessons/format/lesson.ts";
import { whenText } from "../../lessons/format/when-text.ts";
import { knownVersions } from "../../lessons/history/known-versions.ts";
import { type LifeEvent, lifeEvents } from "../../lessons/history/life-events.ts";
import { findRestorable } from "../../lessons/jsonl/restorable.ts";
import type { Removed } from "../../lessons/jsonl/trash.ts";
import type { LessonLine } from "../../lessons/merge/versions.ts";
import { newestFirst } from "../../lessons/queries/importance.ts";
import { rankLessons } from "../../lessons/queries/lesson-ranking.ts";
import { findRecords, References, versionReference } from "../../lessons/queries/references.ts";
import { topicsOf } from "../../lessons/queries/topics.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { whyRemoved } from "../../lessons/terminal/lessons.ts";
import type { Offer } from "../review/offers.ts";
import { givenTimes } from "./given.ts";
import type { ViewerContext } from "./viewer.ts";

export type LessonTexts = Readonly<ReturnType<typeof textsOf>>;
export type LessonRow = ReturnType<typeof rowOf>;

/** A lesson that `restore` can bring back. */
export type Gone = ReturnType<typeof goneOf>;
export type AllLessons = Awaited<ReturnType<typeof allLessons>>;
export type Happened = ReturnType<typeof happened>;

export type OneLesson = Awaited<ReturnType<typeof oneLesson>>[number];

/** Returns the current lessons, newest first, and the removed ones that can be restored. */
export async function allLessons(store: LessonStore) {
  const [snapshot, removed] = await Promise.all([store.read(), store.removed()]);
  const all = removed.map(({ lesson }) => lesson);
  const rows = [...snapshot.lessons()].sort(newestFirst).map(rowOf);
  const last = new Map(rows.map(({ topic, at }) => [topic, at] as const).reverse());
  return {
    lessons: rows,
    topics: topicsOf(snapshot).map((one) => ({ ...one, last: last.get(one.topic) })),
    gone: findRestorable(removed, snapshot).gone.map((entry) => goneOf(entry, all)),
  };
}

/** @returns the ids of the matches in the order that `search` prints, best first. A blank text returns null. */
export function searchLessons(store: LessonStore, text: (query: URLSearchParams) => string) {
  return async (query: URLSearchParams): Promise<readonly string[] | null> => {
    if (text(query).trim() === "") return null;
    const lessons = (await store.read()).lessons();
    const ranked = rankLessons(lessons, text(query), { now: localMinute(Date.now()) });
    return ranked
      .filter(({ comesUp, relevance }) => comesUp || relevance > 0)
      .map(({ line }) => line.version.id);
  };
}

/** @param name the id, or the beginning of it. @returns an empty list if no current lesson matches. It may be among the removed lessons then. */
export async function oneLesson({ lessons, project }: ViewerContext, name: string) {
  const [snapshot, removed] = await Promise.all([lessons.read(), lessons.removed()]);
  const found = findRecords(snapshot, name);
  const lines = "lines" in found ? found.lines : [];
  const id = lines[0]?.version.id ?? "";
  const all = removed.map(({ lesson }) => lesson);
  const byHand = removed.filter(({ because }) => because === "removed by hand");
  const events = lifeEvents(await knownVersions(lessons.location, snapshot, removed), byHand);
  const history = events.filter((event) => event.id === id).map(happened);
  const given = givenTimes(project.context.local, id);
  const textOfSource = (source: string) =>
    (snapshot.shown(source)[0]?.version ?? all.find((lesson) => lesson.id === source))?.lesson ??
    "";
  const { earlier, gone } = findRestorable(removed, snapshot);
  return lines.map((line) => ({
    ...textsOf(line.version),
    ...rowOf(line),
    ref: new References(snapshot).full(line),
    created: line.version.meta.created,
    from: line.version.meta.from ?? "",
    also: (line.also ?? []).map(({ version }) => ({
      at: revisionOf(version.meta),
      reason: version.meta.reason ?? "",
      texts: isTombstone(version) ? undefined : textsOf(version),
    })),
    sources: Object.keys(line.version.meta.sources ?? {}).map((source) => ({
      id: source,
      text: textOfSource(source),
    })),
    earlier: [...gone, ...earlier]
      .filter(({ lesson }) => lesson.id === id)
      .map((entry) => goneOf(entry, all)),
    history,
    given,
  }));
}

export function rowOf({ version, also }: LessonLine) {
  const { id, type, topic, lesson, meta } = version;
  return {
    id,
    type,
    topic,
    lesson,
    at: revisionOf(meta),
    times: timesMet(version),
    isContested: !!also,
  };
}

export function textsOf(said: Lesson | Offer["proposal"]) {
  const { type, topic, missing_context, lesson, ask_next_time = "", when } = said;
  return { type, topic, missing_context, lesson, ask_next_time, when: whenText(when) };
}

export function happened({ kind, id, instant, origin, reason }: LifeEvent) {
  const by = typeof origin === "string" ? origin : `${origin.author}, ${origin.hash}`;
  const at = Number.isFinite(instant) ? new Date(instant).toISOString() : undefined;
  return { kind, id, at, by, reason };
}

function goneOf(entry: Removed, all: readonly Lesson[]) {
  const { at, lesson } = entry;
  return { ref: versionReference(lesson, all), at, why: whyRemoved(entry), texts: textsOf(lesson) };
}
