/** The changes between two readings of the memory, for a reviewer. Pure. */
import { leftOutBy, listLeftOut } from "../changes/losses.ts";
import { PURGED } from "../changes/purge.ts";
import { isTombstone, type Lesson, textOf, timesMet } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import { isLessonLine, type LessonLine, sourcesOf } from "../merge/versions.ts";

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
  /** As it is now, or was before its removal. Undefined after a purge, because its text must not be shown again. */
  readonly lesson: Lesson | undefined;
  /** The text that it replaces, under the same id. */
  readonly before?: Lesson | undefined;
  /** The lessons it replaces, with their texts if these are known. */
  readonly sources: readonly Source[];
  /** The parts of its sources that a principle leaves out. */
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
  const came = now.lessons().flatMap((line) => changeOf(line, before, now, known) ?? []);
  const taken = new Set(came.flatMap(({ sources }) => sources.map(({ id }) => id)));
  const went = before.lessons().flatMap((line) => lossOf(line, now, taken) ?? []);
  const place = (change: Change) =>
    `${CHANGE_KINDS.indexOf(change.kind)} ${change.lesson?.topic ?? ""} ${change.id}`;
  return [...came, ...went].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

function changeOf(
  { version, also: nowAlso = [] }: LessonLine,
  before: Snapshot,
  now: Snapshot,
  known: ReadonlyMap<string, Lesson>,
): Change | undefined {
  const { id } = version;
  const others = before.shown(id).map((line) => line.version);
  const same = others.find((other) => textOf(other) === textOf(version));
  const earlier = same ? undefined : others[0];
  const sources = sourcesOf(version).flatMap(([source]) => wentWith(source, before, now, known));
  const beside = new Set(
    before.shown(id).flatMap((line) => (line.also ?? []).map(({ raw }) => raw)),
  );
  const also = nowAlso.filter(({ raw }) => !beside.has(raw));
  const change = (kind: Change["kind"]): Change => {
    const news = also.length > 0 ? also : undefined;
    return { kind, id, lesson: version, sources, before: earlier, also: news };
  };
  if (sources.length > 0 && version.type === "principle") {
    const texts = sources.flatMap(({ lesson }) => lesson ?? []);
    return { ...change("compacted"), leftOut: leftOutBy(version, texts) };
  }
  if (sources.length > 0) return change("replaced");
  if (others.length === 0) return change(isKnown(id, before) ? "restored" : "new");
  if (!same) return change("edited");
  if (timesMet(version) > timesMet(same)) return change("met again");
  return also.length > 0 ? change("in conflict") : undefined;
}

/** A source that showed before, or was added and removed in between. One that was hidden before is not a change. */
function wentWith(
  id: string,
  before: Snapshot,
  now: Snapshot,
  known: ReadonlyMap<string, Lesson>,
): Source[] {
  if (now.shown(id).length > 0 || (before.shown(id).length === 0 && isKnown(id, before))) return [];
  return [
    { id, lesson: isPurged(id, now) ? undefined : (before.shown(id)[0]?.version ?? known.get(id)) },
  ];
}

function lossOf(
  { version }: LessonLine,
  now: Snapshot,
  taken: ReadonlySet<string>,
): Change | undefined {
  const { id } = version;
  if (now.shown(id).length > 0 || taken.has(id)) return undefined;
  const cover = now.coveredBy(id)?.version;
  if (!cover || !isTombstone(cover))
    return { kind: "removed by hand", id, lesson: version, sources: [] };
  if (isPurged(id, now)) return { kind: "purged", id, lesson: undefined, sources: [] };
  const reason = cover.meta.reason === "" ? undefined : cover.meta.reason;
  return { kind: "forgotten", id, lesson: version, sources: [], reason };
}

function isKnown(id: string, snapshot: Snapshot): boolean {
  return snapshot.versions(id).length > 0 || snapshot.coveredBy(id) !== undefined;
}

/** What principles leave out of their sources, in one line each, if the texts of these are known. @param known by id. */
export function leftOutOfSources(
  snapshot: Snapshot,
  known: ReadonlyMap<string, Lesson>,
): { readonly id: string; readonly leftOut: string }[] {
  const principles = snapshot.lessons().filter(({ version }) => version.type === "principle");
  const all = principles.map(({ version }) => {
    const gone = sourcesOf(version).filter(([id]) => !isPurged(id, snapshot));
    const sources = gone.flatMap(([id]) => known.get(id) ?? []);
    return { id: version.id, leftOut: listLeftOut(leftOutBy(version, sources)) };
  });
  return all.filter(({ leftOut }) => leftOut !== "");
}

function isPurged(id: string, snapshot: Snapshot): boolean {
  const lines = snapshot.versions(id);
  return lines.some(({ version }) => version.meta.reason === PURGED) && !lines.some(isLessonLine);
}
