/** Groups lessons that belong together, for an agent that reads them and writes the principles (docs/design/map.md, "Non-goals"). */
import { groupBy } from "../../ground/core/group-by.ts";
import { memoizeByObject } from "../../ground/core/memoize-by-object.ts";
import { formOf, topicForm } from "../format/forms.ts";
import { BYTE_LIMITS } from "../format/lesson.ts";
import { isEmptyWhen, joinedWhen, type When } from "../format/when.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import {
  haveParts,
  isReadable,
  lessonBytes,
  MOST_GROUP_BYTES,
  type PartsWith,
  partsOf,
} from "./alike-parts.ts";
import { countTopics, looksLike, shareLeadingWord, topicKeys } from "./topics.ts";

/** Lessons that one principle can replace. */
export interface Part {
  readonly lines: readonly LessonLine[];
  /** Their questions that fit into one. Absent if none fits. */
  readonly question?: string | undefined;
  /** The questions that did not fit. */
  readonly otherQuestions: readonly string[];
  /** When any of them comes up. Absent if none has a `when`. */
  readonly when?: When | undefined;
}

/** Parts of one topic that are read together. */
export interface Group {
  /** In the spelling of most of its lessons. */
  readonly topic: string;
  readonly parts: readonly Part[];
}

/** Each lesson of the plan's topics is in one of `siblings`, `groups`, `optional` and `singles`. */
export interface Plan {
  /** Principles made from the same lessons, as happens when two branches compact at once. */
  readonly siblings: readonly Group[];
  /** The lessons that can be merged within a topic. Topics that look alike follow each other. */
  readonly groups: readonly Group[];
  /** Principles of one topic, listed if nothing else is left. They may be merged, but need not be. */
  readonly optional: readonly Group[];
  /** Lessons without another of their topic to merge with. */
  readonly singles: readonly LessonLine[];
  /** Singles of topics that look alike, grouped as if these were one topic. */
  readonly across: readonly Group[];
  /** Sets of topics that may be one topic under several names, each topic in one spelling. */
  readonly alike: readonly (readonly string[])[];
}

/** Between two questions that are asked as one. */
const BETWEEN_QUESTIONS = " / ";

/** Whether a compaction is due: more lessons than the threshold, and a log to merge within its topic, or principles of the same lessons. */
export function compactionDue(snapshot: Snapshot, threshold: number): boolean {
  if (snapshot.count <= threshold) return false;
  return isMergeable(snapshot);
}

const isMergeable = memoizeByObject((snapshot: Snapshot) => {
  const topics = groupBy(snapshot.lessons(), ({ version }) => topicForm(version.topic));
  return [...topics.values()].some(haveParts) || siblingPrinciples(snapshot.lessons()).length > 0;
});

/** How many principles a plan asks for. */
export function partsLeft({ siblings, groups }: Plan): number {
  return [...siblings, ...groups].reduce((sum, { parts }) => sum + parts.length, 0);
}

/** Plans a compaction of all topics, or of one and those that look like it, with the siblings of their principles. */
export function planCompaction(snapshot: Snapshot, topic?: string): Plan {
  const all = snapshot.lessons();
  const lines =
    topic === undefined ? all : all.filter(({ version }) => related(version.topic, topic));
  const planned = new Set(lines);
  const siblings = siblingPrinciples(all).flatMap((group) => {
    const own = linesOf(group).filter((line) => planned.has(line));
    return own.length > 0 ? [{ ...group, topic: mostUsedTopic(own) }] : [];
  });
  const inSiblings = new Set(siblings.flatMap(linesOf));
  const rest = lines.filter((line) => !inSiblings.has(line)).sort(principlesThenOldest);
  const byTopic = [...groupBy(rest, ({ version }) => topicForm(version.topic)).values()];
  const groups = byTopic.flatMap((topicLines) => groupsOf(topicLines));
  const isDone = groups.length + siblings.length === 0;
  const optional = isDone ? byTopic.flatMap((topicLines) => groupsOf(topicLines, "any")) : [];
  const merged = new Set([...groups, ...optional].flatMap(linesOf));
  const singles = rest.filter((line) => !merged.has(line));
  const alike = alikeTopics(distinctTopics(lines));
  const across = acrossTopics(singles, alike);
  return { siblings, groups: sideBySide(groups, alike), optional, singles, across, alike };
}

/** Whether no lesson has a topic that a plan is for. */
export function isEmptyPlan({ siblings, groups, optional, singles }: Plan): boolean {
  return siblings.length + groups.length + optional.length + singles.length === 0;
}

/** The topics of some lessons, each in its most used spelling. */
function distinctTopics(lines: readonly LessonLine[]): string[] {
  const spellings = countTopics(lines).map(({ topic }) => topic);
  return [...groupBy(spellings, topicForm).values()].map(([first = ""]) => first);
}

function acrossTopics(singles: readonly LessonLine[], alike: Plan["alike"]): Group[] {
  return alike.flatMap((topics) => {
    const forms = new Set(topics.map(topicForm));
    const own = singles.filter(({ version }) => forms.has(topicForm(version.topic)));
    const isAcross = ({ lines }: Part) =>
      new Set(lines.map(({ version }) => topicForm(version.topic))).size > 1;
    return groupsOf(own, "any")
      .map((group) => ({ ...group, parts: group.parts.filter(isAcross) }))
      .filter(({ parts }) => parts.length > 0);
  });
}

/** The lessons of a group. */
export const linesOf = ({ parts }: Pick<Group, "parts">): LessonLine[] =>
  parts.flatMap(({ lines }) => [...lines]);

function groupsOf(lines: readonly LessonLine[], holding?: PartsWith): Group[] {
  const packed: (readonly LessonLine[])[][] = [];
  for (const part of partsOf(lines, holding)) {
    const last = packed.at(-1);
    const together = [last ?? [], part].flat(2).map(({ version }) => version);
    const fits = lessonBytes(together) <= MOST_GROUP_BYTES && isReadable(together);
    if (last && fits) last.push(part);
    else packed.push([part]);
  }
  return packed.map((parts) => groupOf(parts));
}

function groupOf(parts: readonly (readonly LessonLine[])[]): Group {
  return { topic: mostUsedTopic(parts.flat()), parts: parts.map(partOf) };
}

const mostUsedTopic = (lines: readonly LessonLine[]): string => countTopics(lines)[0]?.topic ?? "";

/** Lessons as one part. */
export function partOf(lines: readonly LessonLine[]): Part {
  const sorted = [...lines].sort(principlesThenOldest);
  const asked = sorted.map(
    ({ version }) => version.ask_next_time?.replaceAll(/\s+/g, " ").trim() ?? "",
  );
  const otherQuestions: string[] = [];
  let question = "";
  for (const text of new Set(asked.filter((each) => each !== ""))) {
    const longer = question === "" ? text : question + BETWEEN_QUESTIONS + text;
    if (Buffer.byteLength(longer, "utf8") <= BYTE_LIMITS.ask_next_time) question = longer;
    else otherQuestions.push(text);
  }
  const when = joinedWhen(sorted.map(({ version }) => version));
  return {
    lines: sorted,
    question: question === "" ? undefined : question,
    otherQuestions,
    when: isEmptyWhen(when) ? undefined : when,
  };
}

function principlesThenOldest(a: LessonLine, b: LessonLine): number {
  const principles =
    Number(b.version.type === "principle") - Number(a.version.type === "principle");
  if (principles !== 0) return principles;
  if (a.instant !== b.instant) return a.instant < b.instant ? -1 : 1;
  return a.raw < b.raw ? -1 : 1;
}

/** Sorts the groups so that topics that look alike follow each other. */
function sideBySide(groups: readonly Group[], alike: readonly (readonly string[])[]): Group[] {
  const setOf = new Map(
    alike.flatMap((topics) => topics.map((topic) => [topicForm(topic), topics[0] as string])),
  );
  return [...groupBy(groups, ({ topic }) => setOf.get(topicForm(topic)) ?? topic).values()].flat();
}

/** Principles that are connected by lessons which both were made from. */
function siblingPrinciples(lines: readonly LessonLine[]): Group[] {
  const principles = lines
    .filter(({ version }) => version.type === "principle")
    .sort(principlesThenOldest);
  const sets = connected(principles, ({ version }) => Object.keys(version.meta.sources ?? {}));
  return sets.map((members) => groupOf([members]));
}

/** Sets of lessons whose gaps differ only in case, white space, final punctuation or Unicode form, as after a merge. */
export function sameGaps(lines: readonly LessonLine[]): (readonly LessonLine[])[] {
  const logs = lines.filter(({ version }) => version.type === "log");
  return [...groupBy(logs, ({ version }) => formOf(version)).values()].filter(
    (same) => same.length > 1,
  );
}

/** Whether one of two topics may replace the other. @internal */
export function related(a: string, b: string): boolean {
  return a === b || looksLike(a, b) || shareLeadingWord(a, b) || topicForm(a) === topicForm(b);
}

/** Sets of two topics or more that are related, directly or through others, each in the given order. @internal */
export const alikeTopics = (topics: readonly string[]): string[][] =>
  connected(topics, topicKeys, related);

/** Sets of two or more items that share keys, also through others, in order. @param areRelated whether two with a key belong together. */
function connected<T>(
  items: readonly T[],
  keysOf: (item: T) => Iterable<string>,
  areRelated: (a: T, b: T) => boolean = () => true,
): T[][] {
  const setOf = new Map(items.map((item) => [item, new Set([item])]));
  const buckets = new Map<string, T[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const bucket = buckets.get(key) ?? [];
      buckets.set(key, bucket);
      for (const other of bucket) {
        const own = setOf.get(item) ?? new Set();
        const its = setOf.get(other) ?? new Set();
        if (own === its || !areRelated(item, other)) continue;
        for (const each of its) setOf.set(each, own.add(each));
      }
      bucket.push(item);
    }
  }
  return [...groupBy(items, (item) => setOf.get(item)).values()].filter((set) => set.length > 1);
}
