/** The changes between two readings of the memory, for a reviewer. Pure. */
import { compare } from "../../ground/core/text.ts";
import { leftOutBy, listLeftOut } from "../changes/losses.ts";
import { PURGED } from "../changes/purge.ts";
import { isTombstone, type Lesson, textOf, timesMet } from "../format/lesson.ts";
import { isLessonLine, type LessonLine, type Snapshot, sourcesOf } from "../merge/versions.ts";

/** In the order of the output. */
const CHANGE_KINDS = [
  "new",
  "edited",
  "compacted",
  "replaced",
  "forgotten",
  "purged",
  "removed by hand",
  "restored",
  "met again",
  "in conflict",
] as const;

export interface Change {
  readonly kind: (typeof CHANGE_KINDS)[number];
  readonly id: string;
  /** The current lesson, or its last text before a removal. Undefined after a purge, because its text must not be shown again. */
  readonly lesson: Lesson | undefined;
  /** The text that it replaces, under the same id. */
  readonly before?: Lesson | undefined;
  /** The lessons it replaces, with their texts if these are known. */
  readonly sources: readonly Source[];
  /** The details of its sources that a principle leaves out. */
  readonly leftOut?: readonly string[];
  /** Why it was forgotten. */
  readonly reason?: string | undefined;
  /** New versions in conflict with it. */
  readonly also?: LessonLine["also"];
}

export interface Source {
  readonly id: string;
  readonly lesson: Lesson | undefined;
}

/** The changes, by kind, then by topic. @param known lessons by id from the history and the trash, for those in neither reading. */
export function differenceOf(
  before: Snapshot,
  now: Snapshot,
  known: ReadonlyMap<string, Lesson>,
): Change[] {
  const changes: Change[] = [];
  for (const line of now.lessons()) {
    const change = changeOf(line, before, now, known);
    if (change) {
      changes.push(change);
    }
  }
  const replaced = new Set(changes.flatMap(({ sources }) => sources.map(({ id }) => id)));
  for (const { version } of before.lessons()) {
    const isGone = !now.shown(version.id) && !replaced.has(version.id);
    if (isGone) {
      changes.push(lossOf(version, now));
    }
  }
  const place = (change: Change) =>
    `${CHANGE_KINDS.indexOf(change.kind)} ${change.lesson?.topic ?? ""} ${change.id}`;
  return changes.sort((a, b) => compare(place(a), place(b)));
}

function changeOf(
  { version, also: nowAlso = [] }: LessonLine,
  before: Snapshot,
  now: Snapshot,
  known: ReadonlyMap<string, Lesson>,
): Change | undefined {
  const { id } = version;
  const earlier = before.shown(id);
  const isSame = earlier !== undefined && textOf(earlier.version) === textOf(version);
  const sources = replacedSources(version, before, now, known);
  const beside = new Set(earlier?.also?.map(({ raw }) => raw));
  const also = nowAlso.filter(({ raw }) => !beside.has(raw));
  const change = (kind: Change["kind"]): Change => ({
    kind,
    id,
    lesson: version,
    sources,
    before: isSame ? undefined : earlier?.version,
    also: also.length > 0 ? also : undefined,
  });
  if (sources.length > 0 && version.type === "principle") {
    const texts = sources.flatMap(({ lesson }) => lesson ?? []);
    return { ...change("compacted"), leftOut: leftOutBy(version, texts) };
  }
  if (sources.length > 0) {
    return change("replaced");
  }
  if (!earlier) {
    return change(isKnown(id, before) ? "restored" : "new");
  }
  if (!isSame) {
    return change("edited");
  }
  if (timesMet(version) > timesMet(earlier.version)) {
    return change("met again");
  }
  return also.length > 0 ? change("in conflict") : undefined;
}

/** Returns the sources that showed before, or were added and removed in between. A source that was already hidden isn't a change. */
function replacedSources(
  version: Lesson,
  before: Snapshot,
  now: Snapshot,
  known: ReadonlyMap<string, Lesson>,
): Source[] {
  const sources: Source[] = [];
  for (const [id] of sourcesOf(version)) {
    const shown = before.shown(id);
    const wasHidden = !shown && isKnown(id, before);
    if (wasHidden || now.shown(id)) {
      continue;
    }
    const lesson = shown?.version ?? known.get(id);
    sources.push({ id, lesson: isPurged(id, now) ? undefined : lesson });
  }
  return sources;
}

/** Returns the change that explains why a lesson no longer shows. */
function lossOf(lesson: Lesson, now: Snapshot): Change {
  const { id } = lesson;
  const cover = now.coveredBy(id)?.version;
  if (!cover || !isTombstone(cover)) {
    return { kind: "removed by hand", id, lesson, sources: [] };
  }
  if (isPurged(id, now)) {
    return { kind: "purged", id, lesson: undefined, sources: [] };
  }
  const reason = cover.meta.reason === "" ? undefined : cover.meta.reason;
  return { kind: "forgotten", id, lesson, sources: [], reason };
}

function isKnown(id: string, snapshot: Snapshot): boolean {
  return snapshot.versions(id).length > 0 || snapshot.coveredBy(id) !== undefined;
}

/** Lists the details of its sources that each principle leaves out, in one line per principle. Skips sources whose text isn't known. @param known by id. */
export function leftOutOfSources(
  snapshot: Snapshot,
  known: ReadonlyMap<string, Lesson>,
): { readonly id: string; readonly leftOut: string }[] {
  const found: { readonly id: string; readonly leftOut: string }[] = [];
  for (const { version } of snapshot.lessons()) {
    if (version.type !== "principle") {
      continue;
    }
    const listed = sourcesOf(version).filter(([id]) => !isPurged(id, snapshot));
    const sources = listed.flatMap(([id]) => known.get(id) ?? []);
    const leftOut = listLeftOut(leftOutBy(version, sources));
    if (leftOut !== "") {
      found.push({ id: version.id, leftOut });
    }
  }
  return found;
}

function isPurged(id: string, snapshot: Snapshot): boolean {
  const lines = snapshot.versions(id);
  return lines.some(({ version }) => version.meta.reason === PURGED) && !lines.some(isLessonLine);
}
