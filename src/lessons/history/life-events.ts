/** The changes of all lessons, from the versions in git, in the file and in the trash. Pure. */
import { groupBy } from "../../ground/core/collections.ts";
import { compare } from "../../ground/core/text.ts";
import { PURGED } from "../changes/purge.ts";
import type { VersionLine } from "../format/file-lines.ts";
import {
  instantOf,
  isTombstone,
  type Lesson,
  textOf,
  timesMet,
  topicForm,
  type Version,
} from "../format/lesson.ts";
import type { Removed } from "../jsonl/trash.ts";
import { follows, isLessonLine, sameButForJoined, sourcesOf } from "../merge/versions.ts";
import type { Change } from "./difference.ts";

/** The place of a version: a commit, the current file, or this machine's trash. */
export type Origin =
  | { readonly hash: string; readonly author: string }
  | "not committed"
  | "this machine";

export interface KnownVersion extends VersionLine {
  readonly origin: Origin;
}

export interface LifeEvent {
  readonly kind: "learnt" | Exclude<Change["kind"], "new">;
  /** In ms since 1970. */
  readonly instant: number;
  readonly id: string;
  /** Its text then, or before it was removed. Undefined if it isn't known, or was purged since. */
  readonly lesson: Lesson | undefined;
  /** How many lessons it covers. */
  readonly sources: number;
  readonly reason?: string | undefined;
  readonly origin: Origin;
}

/** All events, oldest first. @param versions the first of several with the same line counts. @param removed by hand. */
export function lifeEvents(
  versions: readonly KnownVersion[],
  removed: readonly Pick<Removed, "lesson" | "at">[],
): LifeEvent[] {
  const covers = coversIn(versions);
  const events: LifeEvent[] = [];
  for (const [id, known] of groupBy(versions, ({ version }) => version.id)) {
    events.push(...withoutPurged(lifeOf(distinct(known), covers.get(id) ?? [])));
  }
  for (const { lesson, at } of removed) {
    events.push({
      kind: "removed by hand",
      origin: "this machine",
      instant: instantOf(at),
      id: lesson.id,
      lesson,
      sources: 0,
    });
  }
  return events.sort((a, b) => compare(a.instant, b.instant) || compare(a.id, b.id));
}

/** The events of lessons that are or were in a topic. */
export function eventsOfTopic(events: readonly LifeEvent[], topic: string): LifeEvent[] {
  const form = topicForm(topic);
  const ids = new Set<string>();
  for (const { id, lesson } of events) {
    if (lesson && topicForm(lesson.topic) === form) {
      ids.add(id);
    }
  }
  return events.filter(({ id }) => ids.has(id));
}

/** The covers of each lesson, by its id. */
function coversIn(versions: readonly KnownVersion[]): ReadonlyMap<string, readonly Cover[]> {
  const covers = new Map<string, Cover[]>();
  for (const { version, instant } of versions) {
    for (const [id, revision] of sourcesOf(version)) {
      const known = covers.get(id) ?? [];
      known.push({ upTo: instantOf(revision), since: instant });
      covers.set(id, known);
    }
  }
  return covers;
}

interface Cover {
  /** Up to which revision of the source. */
  readonly upTo: number;
  /** When the covering version was written. */
  readonly since: number;
}

/** Sorts versions by revision. Leaves out versions that differ only in fields that a merge or a prune joins. */
function distinct(versions: readonly KnownVersion[]): KnownVersion[] {
  const kept: KnownVersion[] = [];
  for (const line of versions) {
    const isKnown = kept.some(
      (other) => other.instant === line.instant && sameButForJoined(other.version, line.version),
    );
    if (!isKnown) {
      kept.push(line);
    }
  }
  return kept.sort((a, b) => compare(a.instant, b.instant) || lessonsFirst(a, b));
}

const lessonsFirst = (a: KnownVersion, b: KnownVersion): number =>
  Number(isTombstone(a.version)) - Number(isTombstone(b.version));

function lifeOf(versions: readonly KnownVersion[], covers: readonly Cover[]): LifeEvent[] {
  const events: LifeEvent[] = [];
  for (const [place, line] of versions.entries()) {
    // The last version that its writer knew need not be the one that was written last.
    const known = versions.slice(0, place).filter((earlier) => follows(line, earlier));
    const before = known.map(lessonIn).findLast((lesson) => lesson !== undefined);
    const { version, instant, origin } = line;
    const event = { instant, id: version.id, origin };
    if (isTombstone(version)) {
      const { reason } = version.meta;
      const kind = reason === PURGED ? "purged" : "forgotten";
      events.push({ ...event, kind, lesson: before, sources: 0, reason: reason || undefined });
      continue;
    }
    const sources = sourcesOf(version).length;
    for (const kind of kindsOf(line, version, before, known.at(-1), covers)) {
      const at = kind === "learnt" ? instantOf(version.meta.created) : instant;
      events.push({ ...event, instant: at, kind, lesson: version, sources });
    }
  }
  return events;
}

/** The changes that a version made. @param before the last text that its writer knew. @param last the last version. */
function kindsOf(
  line: KnownVersion,
  version: Lesson,
  before: Lesson | undefined,
  last: KnownVersion | undefined,
  covers: readonly Cover[],
): LifeEvent["kind"][] {
  if (!before) {
    return firstKinds(version);
  }
  const wasOut = last !== undefined && isOut(last, line, covers);
  const kind = kindOf(version, before, wasOut);
  return kind === undefined ? [] : [kind];
}

const lessonIn = (line: VersionLine): Lesson | undefined =>
  isLessonLine(line) ? line.version : undefined;

/** Whether the lesson was forgotten or covered before a version. */
function isOut(last: KnownVersion, next: KnownVersion, covers: readonly Cover[]): boolean {
  if (isTombstone(last.version)) {
    return true;
  }
  return covers.some(
    ({ upTo, since }) => upTo >= last.instant && since > last.instant && since < next.instant,
  );
}

function kindOf(version: Lesson, before: Lesson, wasOut: boolean): LifeEvent["kind"] | undefined {
  if (timesMet(version) > timesMet(before)) {
    return "met again";
  }
  const isBack = version.meta.created !== before.meta.created || textOf(version) === textOf(before);
  if (wasOut && isBack) {
    return "restored";
  }
  if (sourcesOf(version).length > sourcesOf(before).length) {
    return stands(version);
  }
  return textOf(version) === textOf(before) ? undefined : "edited";
}

/** The changes that the first known version made. An earlier one may be lost. */
function firstKinds(version: Lesson): LifeEvent["kind"][] {
  if (sourcesOf(version).length > 0) {
    return [stands(version)];
  }
  const { created, updated } = version.meta;
  if (updated === undefined || instantOf(updated) === instantOf(created)) {
    return ["learnt"];
  }
  return ["learnt", timesMet(version) > 1 ? "met again" : "edited"];
}

const stands = ({ type }: Version): "compacted" | "replaced" =>
  type === "principle" ? "compacted" : "replaced";

/** Removes the texts of purged lessons, though git may still have them. */
function withoutPurged(events: readonly LifeEvent[]): LifeEvent[] {
  const purged = events.findLastIndex(({ kind }) => kind === "purged");
  return events.map((event, index) => (index <= purged ? { ...event, lesson: undefined } : event));
}
