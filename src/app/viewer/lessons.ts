/** Lessons in the format of the page: all as rows, a search with the usual ranking, one lesson with its full history, and those that hooks gave. */
import { groupBy } from "../../ground/core/collections.ts";
import { localMinute } from "../../ground/core/time.ts";
import {
  instantOf,
  isTombstone,
  type Lesson,
  revisionOf,
  timesMet,
} from "../../lessons/format/lesson.ts";
import { whenText } from "../../lessons/format/when-text.ts";
import { knownVersions, type LifeEvent, lifeEvents } from "../../lessons/history/known-versions.ts";
import { type Given, readGiven } from "../../lessons/hooks/given-log.ts";
import { findRestorable } from "../../lessons/jsonl/restorable.ts";
import { lessonsIn, type Removed } from "../../lessons/jsonl/trash.ts";
import type { LessonLine } from "../../lessons/merge/versions.ts";
import { newestFirst, rankLessons } from "../../lessons/queries/lesson-ranking.ts";
import { findLesson, References, versionReference } from "../../lessons/queries/references.ts";
import { type TopicCount, topicsOf } from "../../lessons/queries/topics.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { whyRemoved } from "../../lessons/terminal/lessons.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import type { Offer } from "../review/offers.ts";

export interface LessonTexts {
  readonly type: Lesson["type"];
  readonly topic: string;
  readonly missing_context: string;
  readonly lesson: string;
  readonly ask_next_time: string;
  readonly when: string;
}

export interface LessonRow {
  readonly id: string;
  readonly type: Lesson["type"];
  readonly topic: string;
  readonly lesson: string;
  /** ISO 8601. */
  readonly at: string;
  /** How often its gap was met. */
  readonly times: number;
  readonly isContested: boolean;
}

/** A lesson that `restore` can bring back. */
export interface Gone {
  readonly ref: string;
  readonly at: string;
  readonly why: string;
  readonly texts: LessonTexts;
}

export interface AllLessons {
  readonly lessons: readonly LessonRow[];
  /** `last` is the time of the topic's newest lesson, ISO 8601. */
  readonly topics: readonly (TopicCount & { readonly last: string | undefined })[];
  readonly gone: readonly Gone[];
}

/** An event in the life of a lesson. */
export interface Happened {
  readonly kind: LifeEvent["kind"];
  readonly id: string;
  /** ISO 8601. Undefined if the date can't be read. */
  readonly at: string | undefined;
  readonly by: string;
  readonly reason: LifeEvent["reason"];
}

/** A lesson with its history. */
export interface OneLesson extends LessonTexts, LessonRow {
  readonly ref: string;
  readonly created: string;
  /** The event that it was made from, or empty. */
  readonly from: string;
  /** The other versions in conflict with it. One that forgets it has no texts. */
  readonly also: readonly {
    readonly at: string;
    readonly reason: string;
    readonly texts: LessonTexts | undefined;
  }[];
  readonly sources: readonly { readonly id: string; readonly text: string }[];
  readonly earlier: readonly Gone[];
  readonly history: readonly Happened[];
  /** When hooks gave it to agents, in ms since 1970, newest first. */
  readonly given: readonly number[];
}

/** A lesson as it was when a hook gave it. */
export interface GivenLesson extends TextAt {
  readonly id: string;
}

export interface GivenRow extends Omit<Given, "ids"> {
  readonly lessons: readonly GivenLesson[];
}

/** Returns the current lessons, newest first, and the removed ones that can be restored. */
export async function allLessons(store: LessonStore): Promise<AllLessons> {
  const [snapshot, removed] = await Promise.all([store.read(), store.removed()]);
  const rows = [...snapshot.lessons()].sort(newestFirst).map(rowOf);
  const topics = topicsOf(snapshot).map((one) => {
    return { ...one, last: rows.find(({ topic }) => topic === one.topic)?.at };
  });
  const all = lessonsIn(removed);
  const { gone } = findRestorable(removed, snapshot);
  return { lessons: rows, topics, gone: gone.map((entry) => goneOf(entry, all)) };
}

/** @returns the ids of the matches in the order that `search` prints, best first. A blank text returns null. */
export async function searchLessons(store: LessonStore, text: string): Promise<string[] | null> {
  if (text.trim() === "") {
    return null;
  }
  const lessons = (await store.read()).lessons();
  const ranked = rankLessons(lessons, text, { now: localMinute(Date.now()) });
  const matches = ranked.filter(({ comesUp, relevance }) => comesUp || relevance > 0);
  return matches.map(({ line }) => line.version.id);
}

/** @param name the id, or the beginning of it. @returns an empty list if no current lesson matches. It may be among the removed lessons then. */
export async function oneLesson(
  { lessons, project }: SessionCommandContext,
  name: string,
): Promise<OneLesson[]> {
  const [snapshot, removed] = await Promise.all([lessons.read(), lessons.removed()]);
  const found = findLesson(snapshot, name);
  const lines = "line" in found ? [found.line] : [];
  const id = lines[0]?.version.id ?? "";
  const all = lessonsIn(removed);
  const byHand = removed.filter(({ because }) => because === "removed by hand");
  const events = lifeEvents(await knownVersions(lessons.location, snapshot, removed), byHand);
  const { earlier, gone } = findRestorable(removed, snapshot);
  const replaced = [...gone, ...earlier].filter(({ lesson }) => lesson.id === id);
  const given = readGiven(project.context.local).filter(({ ids }) => ids.includes(id));
  const references = new References(snapshot);
  const sourceOf = (source: string) => {
    const shown = snapshot.shown(source)?.version;
    const lesson = shown ?? all.find((other) => other.id === source);
    return { id: source, text: lesson?.lesson ?? "" };
  };
  return lines.map((line) => {
    const { meta } = line.version;
    return {
      ...textsOf(line.version),
      ...rowOf(line),
      ref: references.full(line),
      created: meta.created,
      from: meta.from ?? "",
      also: (line.also ?? []).map(({ version }) => {
        const texts = isTombstone(version) ? undefined : textsOf(version);
        return { at: revisionOf(version.meta), reason: version.meta.reason ?? "", texts };
      }),
      sources: Object.keys(meta.sources ?? {}).map(sourceOf),
      earlier: replaced.map((entry) => goneOf(entry, all)),
      history: events.filter((event) => event.id === id).map(happened),
      given: given.map(({ at }) => at).reverse(),
    };
  });
}

export function rowOf({ version, also }: LessonLine): LessonRow {
  const { id, type, topic, lesson, meta } = version;
  const times = timesMet(version);
  return { id, type, topic, lesson, at: revisionOf(meta), times, isContested: also !== undefined };
}

export function textsOf(said: Lesson | Offer["proposal"]): LessonTexts {
  const { type, topic, missing_context, lesson, ask_next_time = "", when } = said;
  return { type, topic, missing_context, lesson, ask_next_time, when: whenText(when) };
}

export function happened({ kind, id, instant, origin, reason }: LifeEvent): Happened {
  const by = typeof origin === "string" ? origin : `${origin.author}, ${origin.hash}`;
  const at = Number.isFinite(instant) ? new Date(instant).toISOString() : undefined;
  return { kind, id, at, by, reason };
}

function goneOf(entry: Removed, all: readonly Lesson[]): Gone {
  const { at, lesson } = entry;
  return { ref: versionReference(lesson, all), at, why: whyRemoved(entry), texts: textsOf(lesson) };
}

/** Returns the lessons that hooks gave to agents on this machine, newest first. Each has its text from that time, if this machine still has it. */
export async function givenLessons({
  lessons,
  project,
}: SessionCommandContext): Promise<GivenRow[]> {
  const snapshot = await lessons.read();
  const removed = groupBy(await lessons.removed(), ({ lesson }) => lesson.id);
  const rows = readGiven(project.context.local).map(({ ids, ...given }) => {
    const texts = ids.map((id) => {
      const now = snapshot.shown(id)?.version;
      const earlier = lessonsIn(removed.get(id) ?? []);
      return { id, ...textAt(given.at, now, earlier) };
    });
    return { ...given, lessons: texts };
  });
  return rows.reverse();
}

/** A lesson's text at an instant, and what happened to it since. */
interface TextAt {
  readonly topic: string;
  readonly lesson: string;
  /** Empty if nothing happened. */
  readonly since: string;
}

function textAt(instant: number, now: Lesson | undefined, earlier: readonly Lesson[]): TextAt {
  const from = ({ meta }: Lesson) => instantOf(revisionOf(meta));
  const versions = now ? [now, ...earlier] : [...earlier];
  const newest = versions.sort((a, b) => from(b) - from(a));
  const then = newest.find((version) => from(version) <= instant) ?? now;
  let since = "";
  if (!now) {
    since = "not in the memory any more";
  } else if (then?.lesson !== now.lesson) {
    since = "changed since";
  }
  return { topic: then?.topic ?? "", lesson: then?.lesson ?? "", since };
}
