/** Lessons as the page has them: a row each, search by the product's ranking, and one lesson with all that is known of it. */
import { localMinute } from "../../ground/core/time.ts";
import { isTombstone, type Lesson, revisionOf, timesMet } from "../../lessons/format/lesson.ts";
import { whenText } from "../../lessons/format/when-text.ts";
import { findRestorable } from "../../lessons/jsonl/restorable.ts";
import type { Removed } from "../../lessons/jsonl/trash.ts";
import { knownVersions } from "../../lessons/looking-back/known-versions.ts";
import { type LifeEvent, lifeEvents } from "../../lessons/looking-back/life-events.ts";
import type { LessonLine } from "../../lessons/merge/versions.ts";
import { newestFirst } from "../../lessons/queries/importance.ts";
import { LessonRanking } from "../../lessons/queries/lesson-ranking.ts";
import { findRecords, References, versionReference } from "../../lessons/queries/references.ts";
import { topicsOf } from "../../lessons/queries/topics.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { whyRemoved } from "../../lessons/terminal/lessons.ts";
import type { Offer } from "../review/offers.ts";
import { givenTimes } from "./given.ts";
import type { ViewerContext } from "./viewer.ts";

export type LessonTexts = Readonly<ReturnType<typeof textsOf>>;
export type LessonRow = ReturnType<typeof rowOf>;

/** A text that restore brings back. */
export type Gone = ReturnType<typeof goneOf>;
export type AllLessons = Awaited<ReturnType<typeof allLessons>>;
export type Happened = ReturnType<typeof happened>;

export type OneLesson = Awaited<ReturnType<typeof oneLesson>>[number];

/** The lessons that show, newest first, and those that can be brought back. */
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

/** @returns the ids of what matches, best first, as `search` prints it; null for a blank text, which makes the next one quick. */
export function searchLessons(store: LessonStore, text: (query: URLSearchParams) => string) {
  const ranking = new LessonRanking();
  return async (query: URLSearchParams): Promise<readonly string[] | null> => {
    const lessons = (await store.read()).lessons();
    if (text(query).trim() === "") {
      // Any word has the lessons read, which the next query then need not wait for.
      ranking.matches(lessons, "lesson");
      return null;
    }
    const ranked = ranking.rank(lessons, text(query), { now: localMinute(Date.now()) });
    return ranked
      .filter(({ comesUp, relevance }) => comesUp || relevance > 0)
      .map(({ line }) => line.version.id);
  };
}

/** @param name its id, or the beginning of it. @returns none where it shows no more; then the list of what is gone may have it. */
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
  const { type, topic, missing_context: missing, lesson, ask_next_time: ask = "", when } = said;
  return { type, topic, missing, lesson, ask, when: whenText(when) };
}

export function happened({ kind, id, instant, origin, reason }: LifeEvent) {
  const by = typeof origin === "string" ? origin : `${origin.author}, ${origin.hash}`;
  const at = Number.isFinite(instant) && { at: new Date(instant).toISOString() };
  return { kind, id, ...at, by, reason };
}

function goneOf(entry: Removed, all: readonly Lesson[]) {
  const { at, lesson } = entry;
  return { ref: versionReference(lesson, all), at, why: whyRemoved(entry), texts: textsOf(lesson) };
}
