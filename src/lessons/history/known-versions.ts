/** The known versions of lessons, from the commits up to now, the file and this machine's trash, and the changes that they show. */
import { groupBy } from "../../ground/core/collections.ts";
import { compare } from "../../ground/core/text.ts";
import { linesByCommit, textAt } from "../../ground/project/git.ts";
import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import { adopt } from "../changes/import.ts";
import { PURGED } from "../changes/purge.ts";
import { parseFile, toLine, type VersionLine } from "../format/file-lines.ts";
import {
  instantOf,
  isTombstone,
  type Lesson,
  textOf,
  timesMet,
  topicForm,
  type Version,
} from "../format/lesson.ts";
import { lessonsIn, type Removed } from "../jsonl/trash.ts";
import {
  fold,
  follows,
  isLessonLine,
  type Snapshot,
  sameButForJoined,
  sourcesOf,
} from "../merge/versions.ts";
import type { Change } from "./difference.ts";

/** The place of a version: a commit, the current file, or this machine's trash. */
type Origin = { readonly hash: string; readonly author: string } | "not committed" | "this machine";

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

/** Returns the versions, each line once, with the first place that contains it. @param file path of the memory file. */
export async function knownVersions(
  file: string,
  snapshot: Snapshot,
  removed: readonly Removed[],
): Promise<KnownVersion[]> {
  const found = new Map<string, KnownVersion>();
  const note = (lines: readonly VersionLine[], origin: Origin) => {
    for (const line of lines) {
      if (!found.has(line.raw)) {
        found.set(line.raw, { ...line, origin });
      }
    }
  };
  for (const { hash, author, lines } of await linesByCommit(file)) {
    note(versionsIn(lines.join("\n")), { hash, author });
  }
  note(snapshot.lines(), "not committed");
  note(lessonsIn(removed).map(toLine), "this machine");
  return [...found.values()];
}

/** Returns the memory at a commit. */
export async function snapshotAt(file: string, commit: string): Promise<Snapshot> {
  return snapshotIn((await textAt(file, commit)) ?? "");
}

/** Returns the memory in a text of the file. */
export const snapshotIn = (text: string): Snapshot => fold(versionsIn(text));

/** Returns the last known text of each lesson. */
export function lastTexts(versions: readonly KnownVersion[]): Map<string, Lesson> {
  const lines: readonly VersionLine[] = [...versions].sort((a, b) => compare(a.instant, b.instant));
  return new Map(lines.filter(isLessonLine).map(({ version }) => [version.id, version]));
}

const versionsIn = (text: string): readonly VersionLine[] =>
  adopt(parseFile(Buffer.from(text)), NO_OWN_WORDS).versions;

interface Returned {
  /** The id of the principle. */
  readonly principle: string;
  /** The ids of its sources that show again. */
  readonly sources: readonly string[];
}

/**
 * Finds the lessons that show again although a principle was made from them. A principle drops its covers after 180 days, so only
 * earlier versions of the principle still list them. A lesson that was restored or edited since doesn't count.
 * @param known all versions that git, the file and the trash contain.
 */
export function returnedSources(snapshot: Snapshot, known: readonly VersionLine[]): Returned[] {
  const versions = groupBy(known, ({ version }) => version.id);
  const found: Returned[] = [];
  for (const { version } of snapshot.lessons()) {
    if (version.type !== "principle") {
      continue;
    }
    const covers = coversEver(version.id, versions);
    const sources = [...covers].filter(([id, cover]) => isBack(id, cover, snapshot));
    if (sources.length > 0) {
      found.push({ principle: version.id, sources: sources.map(([id]) => id) });
    }
  }
  return found;
}

/** Whether a lesson shows in a version that the cover once hid. */
function isBack(id: string, cover: number, snapshot: Snapshot): boolean {
  const shown = snapshot.shown(id);
  return shown !== undefined && shown.instant <= cover;
}

/** The latest instant up to which a principle, or one that it replaced, ever covered each lesson, by id. */
function coversEver(
  principle: string,
  versions: ReadonlyMap<string, readonly VersionLine[]>,
): ReadonlyMap<string, number> {
  const covers = new Map<string, number>();
  const followed = new Set([principle]);
  for (const id of followed) {
    for (const { version } of versions.get(id) ?? []) {
      if (version.type !== "principle") {
        continue;
      }
      for (const [source, revision] of sourcesOf(version)) {
        covers.set(source, Math.max(covers.get(source) ?? 0, instantOf(revision)));
        followed.add(source);
      }
    }
  }
  covers.delete(principle);
  return covers;
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
