/** Groups lessons that belong together, for an agent that reads them and writes the principles (docs/design/map.md, "Non-goals"). */
import { groupBy } from "../../ground/core/collections.ts";
import { memoizeByObject } from "../../ground/core/memoize.ts";
import { compare } from "../../ground/core/text.ts";
import { BYTE_LIMITS, formOf, type Lesson, topicForm } from "../format/lesson.ts";
import { isEmptyWhen, joinedWhen, type When, whenTooLarge } from "../format/when.ts";
import type { LessonLine, Snapshot } from "../merge/versions.ts";
import { principlesFirst } from "./lesson-ranking.ts";
import { likeness } from "./similarity.ts";
import { countTopics, looksLike, shareLeadingWord, topicsOf } from "./topics.ts";

/** Lessons that one principle can replace. */
export interface Group {
  /** The topic of most of its lessons. */
  readonly topic: string;
  readonly lines: readonly LessonLine[];
  /** Their questions that fit into one. Absent if none fits. */
  readonly question: string | undefined;
  /** When any of them comes up. Absent if none has a `when`. */
  readonly when: When | undefined;
  readonly note?: string | undefined;
}

/** The groups of a compaction. */
export interface Plan {
  readonly due: readonly Group[];
  /** Principles of one topic, listed if nothing is due. They may be merged, but need not be. */
  readonly optional: readonly Group[];
  /** How many lessons the plan is for. */
  readonly count: number;
}

/** Separates two questions that are asked as one. */
const BETWEEN_QUESTIONS = " / ";
const TWO_BRANCHES = "made from the same lessons on two branches: keep one";
/** The bytes of the separator between two lessons that are joined unchanged. */
const JOINT_BYTES = 2;
/** The most bytes of a group's texts that can be read at once: two lessons whose every field is full. */
const MOST_TEXT_BYTES =
  2 * (BYTE_LIMITS.missing_context + BYTE_LIMITS.lesson + BYTE_LIMITS.ask_next_time);
/** How many lessons of a topic, the oldest first, are compared with one lesson. */
const MOST_COMPARED = 200;

/** The most lessons of a group, and the most bytes of their rules. */
interface Limits {
  readonly lessons: number;
  readonly bytes: number;
}

/** The limits for lessons that one principle can contain unchanged. */
const AS_THEY_ARE: Limits = { lessons: Number.POSITIVE_INFINITY, bytes: BYTE_LIMITS.lesson };
/** The limits for two lessons that one principle can contain in fewer words. */
const PAIR: Limits = { lessons: 2, bytes: 2_500 };

/** Whether a group needs a log, because principles need not be merged, or accepts lessons of any type. */
type GroupsWith = "log" | "any";

/** Whether a compaction is due: more lessons than the threshold, and some to merge. */
export function compactionDue(snapshot: Snapshot, threshold: number): boolean {
  return snapshot.count > threshold && isMergeable(snapshot);
}

/** Whether a plan would have a group. Every session start needs this, so it looks for the first pair instead of making a plan. */
const isMergeable = memoizeByObject((snapshot: Snapshot) => {
  const lines = snapshot.lessons();
  return ofOneTopic(lines).some(hasPair) || siblingPrinciples(lines).length > 0;
});

/** Whether a log and another lesson fit into one principle. Every group with a log contains such a pair. */
function hasPair(lines: readonly LessonLine[]): boolean {
  return lines.some((line, at) =>
    lines.slice(at + 1).some((other) => {
      const pair = lessonsOf([line, other]);
      return pair.some(({ type }) => type === "log") && areMergeable(pair, PAIR);
    }),
  );
}

/** Plans a compaction of all topics, or of one and those that look like it, with the siblings of their principles. */
export function planCompaction(snapshot: Snapshot, topic?: string): Plan {
  const all = snapshot.lessons();
  const isPlanned = ({ version }: LessonLine) =>
    topic === undefined || related(version.topic, topic);
  const lines = all.filter(isPlanned);
  const siblings = siblingPrinciples(all).filter((principles) => principles.some(isPlanned));
  const inSiblings = new Set(siblings.flat());
  const rest = lines.filter((line) => !inSiblings.has(line)).sort(principlesThenOldest);
  const byTopic = topic === undefined ? ofOneTopic(rest) : withLone(rest, topic);
  const groups = byTopic.flatMap((ofTopic) => groupsOf(ofTopic, "log"));
  const ofSiblings = siblings.map((principles) =>
    groupOf(principles, mostUsedTopic(principles.filter(isPlanned)), TWO_BRANCHES),
  );
  const due = [...ofSiblings, ...groups];
  const optional = due.length > 0 ? [] : byTopic.flatMap((ofTopic) => groupsOf(ofTopic, "any"));
  return { due, optional, count: lines.length };
}

/** The lessons of each topic. */
function ofOneTopic(lines: readonly LessonLine[]): LessonLine[][] {
  return [...groupBy(lines, ({ version }) => topicForm(version.topic)).values()];
}

/** The lessons of each topic. A lone lesson joins those of the topic that it looks like. */
function withLone(lines: readonly LessonLine[], topic: string): LessonLine[][] {
  const lone = new Set(
    ofOneTopic(lines)
      .filter(({ length }) => length === 1)
      .flat(),
  );
  const keyOf = (line: LessonLine) => topicForm(lone.has(line) ? topic : line.version.topic);
  return [...groupBy(lines, keyOf).values()];
}

const mostUsedTopic = (lines: readonly LessonLine[]): string => countTopics(lines)[0]?.topic ?? "";

/** Lessons as one group. */
export function groupOf(
  lines: readonly LessonLine[],
  topic = mostUsedTopic(lines),
  note?: string,
): Group {
  const sorted = [...lines].sort(principlesThenOldest);
  const lessons = lessonsOf(sorted);
  const when = joinedWhen(lessons);
  return {
    topic,
    lines: sorted,
    question: joinedQuestion(lessons),
    when: isEmptyWhen(when) ? undefined : when,
    note,
  };
}

function joinedQuestion(lessons: readonly Lesson[]): string | undefined {
  const asked = lessons.map(({ ask_next_time = "" }) => ask_next_time.replaceAll(/\s+/g, " "));
  const questions = new Set(asked.map((text) => text.trim()).filter(Boolean));
  let joined: string | undefined;
  for (const question of questions) {
    const longer = joined === undefined ? question : joined + BETWEEN_QUESTIONS + question;
    if (bytesOf(longer) <= BYTE_LIMITS.ask_next_time) {
      joined = longer;
    }
  }
  return joined;
}

/** Divides lessons into groups of two or more similar ones that fit into one principle. */
function groupsOf(lines: readonly LessonLine[], holding: GroupsWith): Group[] {
  const left = new Set(lines);
  const groups: Group[] = [];
  for (const limits of [AS_THEY_ARE, PAIR]) {
    for (const seed of lines) {
      const isSeed = holding === "any" || seed.version.type === "log";
      if (!isSeed || !left.has(seed)) {
        continue;
      }
      const group = grow(seed, left, limits);
      if (group.length < 2) {
        continue;
      }
      groups.push(groupOf(group));
      for (const line of group) {
        left.delete(line);
      }
    }
  }
  return groups;
}

/** Returns a lesson with the lessons most similar to it, as far as they fit together. */
function grow(seed: LessonLine, left: ReadonlySet<LessonLine>, limits: Limits): LessonLine[] {
  const others = [...left].filter((line) => line !== seed);
  const group = growFrom(seed, others.slice(0, MOST_COMPARED), limits);
  return group.length > 1 ? group : growFrom(seed, others.slice(MOST_COMPARED), limits);
}

function growFrom(seed: LessonLine, others: readonly LessonLine[], limits: Limits): LessonLine[] {
  const group = [seed];
  const nearest = others
    .map((line) => ({ line, alike: likeness(seed.version, line.version) }))
    .sort((a, b) => b.alike - a.alike);
  for (const { line } of nearest) {
    if (areMergeable(lessonsOf([...group, line]), limits)) {
      group.push(line);
    }
  }
  return group;
}

/** Whether some lessons can become one principle. */
function areMergeable(lessons: readonly Lesson[], limits: Limits): boolean {
  const isSmall = lessons.length <= limits.lessons && lessonBytes(lessons) <= limits.bytes;
  return isSmall && isReadable(lessons) && whenFits(lessons);
}

const lessonsOf = (lines: readonly LessonLine[]): Lesson[] => lines.map(({ version }) => version);

/** Returns the bytes of some lessons, joined unchanged. */
function lessonBytes(lessons: readonly Lesson[]): number {
  const joints = JOINT_BYTES * (lessons.length - 1);
  return lessons.reduce((sum, { lesson }) => sum + bytesOf(lesson), joints);
}

/** Whether some lessons can be read as one group. */
function isReadable(lessons: readonly Lesson[]): boolean {
  const texts = lessons.map(
    ({ missing_context, lesson, ask_next_time = "" }) => missing_context + lesson + ask_next_time,
  );
  return bytesOf(texts.join("")) <= MOST_TEXT_BYTES;
}

function whenFits(lessons: readonly Lesson[]): boolean {
  const hasWhen = lessons.some(({ when }) => when !== undefined);
  return !hasWhen || whenTooLarge(joinedWhen(lessons)) === undefined;
}

const bytesOf = (text: string): number => Buffer.byteLength(text, "utf8");

function principlesThenOldest(a: LessonLine, b: LessonLine): number {
  return principlesFirst(a, b) || compare(a.instant, b.instant) || compare(a.raw, b.raw);
}

/** Groups principles that were made from some of the same lessons. */
function siblingPrinciples(lines: readonly LessonLine[]): LessonLine[][] {
  const principles = lines.filter(({ version }) => version.type === "principle");
  const sourcesOf = ({ version }: LessonLine) => Object.keys(version.meta.sources ?? {});
  const shareSource = (a: LessonLine, b: LessonLine) => {
    const sources = sourcesOf(b);
    return sourcesOf(a).some((id) => sources.includes(id));
  };
  return connected(principles, shareSource);
}

/** Returns sets of lessons whose gaps differ only in case, white space, final punctuation or Unicode form. A merge can cause them. */
export function sameGaps(lines: readonly LessonLine[]): (readonly LessonLine[])[] {
  const logs = lines.filter(({ version }) => version.type === "log");
  return [...groupBy(logs, ({ version }) => formOf(version)).values()].filter(
    (same) => same.length > 1,
  );
}

/** Sets of topics that may be one topic under several names, each topic in its most used spelling. */
export function alikeTopics(snapshot: Snapshot): string[][] {
  const spellings = topicsOf(snapshot).map(({ topic }) => topic);
  const distinct = [...groupBy(spellings, topicForm).values()].map(([first = ""]) => first);
  return connected(distinct, related);
}

/** Whether one of two topics may replace the other. @internal */
export function related(a: string, b: string): boolean {
  return a === b || looksLike(a, b) || shareLeadingWord(a, b) || topicForm(a) === topicForm(b);
}

/** Sets of two or more items that are related, directly or through others. */
function connected<T>(items: readonly T[], areRelated: (a: T, b: T) => boolean): T[][] {
  let sets: T[][] = [];
  for (const item of items) {
    const isOwn = (set: readonly T[]) => set.some((other) => areRelated(other, item));
    const own = sets.filter(isOwn);
    const others = sets.filter((set) => !own.includes(set));
    sets = [...others, [...own.flat(), item]];
  }
  return sets.filter((set) => set.length > 1);
}
