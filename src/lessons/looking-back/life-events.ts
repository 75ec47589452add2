/** What happened to the lessons of a memory, from all versions of them that anything still knows. Pure. */
import { groupBy } from "../../ground/core/group-by.ts";
import { PURGED } from "../changes/purge.ts";
import type { VersionLine } from "../format/file-lines.ts";
import { topicForm } from "../format/forms.ts";
import {
  instantOf,
  isTombstone,
  type Lesson,
  textOf,
  timesMet,
  type Version,
} from "../format/lesson.ts";
import type { Removed } from "../jsonl/trash.ts";
import { held } from "../merge/after.ts";
import { isLessonLine, sameButForJoined, sourcesOf } from "../merge/versions.ts";
import type { Change } from "./difference.ts";

/** Where a version is known from: the commit that brought it, the file as it is, or this machine's trash. */
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
  /** As it was then, or before it went; undefined where no text is known, or it was purged since. */
  readonly lesson: Lesson | undefined;
  /** How many lessons it stands for. */
  readonly sources: number;
  readonly reason?: string;
  readonly origin: Origin;
}

/** All events, oldest first. @param versions of one line, the one whose origin counts first. @param removed taken out by hand. */
export function lifeEvents(
  versions: readonly KnownVersion[],
  removed: readonly Pick<Removed, "lesson" | "at">[],
): LifeEvent[] {
  const all = versions.flatMap(({ version, instant }) =>
    sourcesOf(version).map(([id, revision]) => ({ id, upTo: instantOf(revision), since: instant })),
  );
  const covers = groupBy(all, ({ id }) => id);
  const lives = [...groupBy(versions, ({ version }) => version.id)].flatMap(([id, known]) => {
    return withoutPurged(lifeOf(distinct(known), covers.get(id) ?? []));
  });
  const removals = removed.map(({ lesson, at }): LifeEvent => {
    const by = { kind: "removed by hand", origin: "this machine" } as const;
    return { ...by, instant: instantOf(at), id: lesson.id, lesson, sources: 0 };
  });
  return [...lives, ...removals].sort((a, b) => a.instant - b.instant || (a.id < b.id ? -1 : 1));
}

/** The events of lessons that are, or were, in a topic. */
export function eventsOfTopic(events: readonly LifeEvent[], topic: string): LifeEvent[] {
  const form = topicForm(topic);
  const ids = new Set(
    events.filter(({ lesson }) => lesson && topicForm(lesson.topic) === form).map(({ id }) => id),
  );
  return events.filter(({ id }) => ids.has(id));
}

interface Cover {
  /** Up to which revision of the source. */
  readonly upTo: number;
  /** When the covering version was written. */
  readonly since: number;
}

/** In order of revisions, without those that differ in what a merge or a prune joins. */
function distinct(versions: readonly KnownVersion[]): KnownVersion[] {
  const kept: KnownVersion[] = [];
  for (const line of versions)
    if (
      !kept.some(
        (other) => other.instant === line.instant && sameButForJoined(other.version, line.version),
      )
    )
      kept.push(line);
  return kept.sort(
    (a, b) =>
      a.instant - b.instant || Number(isTombstone(a.version)) - Number(isTombstone(b.version)),
  );
}

function lifeOf(versions: readonly KnownVersion[], covers: readonly Cover[]): LifeEvent[] {
  const events: LifeEvent[] = [];
  for (const [place, line] of versions.entries()) {
    const { version, instant, origin } = line;
    const event = { instant, id: version.id, origin };
    // The versions that its writer held: the last of them need not be the one that was written last.
    const known = versions.slice(0, place).filter((earlier) => held(line, earlier));
    const last = known.at(-1);
    const before = known.map(textsOf).findLast((lesson) => lesson !== undefined);
    if (isTombstone(version)) {
      const { reason } = version.meta;
      const kind = reason === PURGED ? "purged" : "forgotten";
      events.push({ ...event, kind, lesson: before, sources: 0, ...(reason && { reason }) });
    } else {
      const wasOut = last !== undefined && isOut(last, line, covers);
      const kinds = before ? [kindOf(version, before, wasOut)] : firstKinds(version);
      for (const kind of kinds) {
        if (kind === undefined) continue;
        const first = kind === "learnt" && { instant: instantOf(version.meta.created) };
        events.push({
          ...event,
          ...first,
          kind,
          lesson: version,
          sources: sourcesOf(version).length,
        });
      }
    }
  }
  return events;
}

const textsOf = (line: VersionLine): Lesson | undefined =>
  isLessonLine(line) ? line.version : undefined;

/** Whether the lesson was out of the memory before a version: forgotten, or covered by another one. */
function isOut(last: KnownVersion, next: KnownVersion, covers: readonly Cover[]): boolean {
  if (isTombstone(last.version)) return true;
  return covers.some(
    ({ upTo, since }) => upTo >= last.instant && since > last.instant && since < next.instant,
  );
}

function kindOf(version: Lesson, before: Lesson, wasOut: boolean): LifeEvent["kind"] | undefined {
  if (timesMet(version) > timesMet(before)) return "met again";
  const isBack = version.meta.created !== before.meta.created || textOf(version) === textOf(before);
  if (wasOut && isBack) return "restored";
  if (sourcesOf(version).length > sourcesOf(before).length) return stands(version);
  return textOf(version) === textOf(before) ? undefined : "edited";
}

/** The first version that is known need not be the first there was. */
function firstKinds(version: Lesson): LifeEvent["kind"][] {
  if (sourcesOf(version).length > 0) return [stands(version)];
  const { created, updated } = version.meta;
  if (updated === undefined || instantOf(updated) === instantOf(created)) return ["learnt"];
  return ["learnt", timesMet(version) > 1 ? "met again" : "edited"];
}

const stands = ({ type }: Version): "compacted" | "replaced" =>
  type === "principle" ? "compacted" : "replaced";

/** The text of what was purged is not shown, though git may still have it. */
function withoutPurged(events: readonly LifeEvent[]): LifeEvent[] {
  const purged = events.findLastIndex(({ kind }) => kind === "purged");
  return events.map((event, index) => (index <= purged ? { ...event, lesson: undefined } : event));
}
