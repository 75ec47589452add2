/** Finds restorable versions in the trash: the last version of an id, and other texts by reference. Pure. */
import { correctionsOf } from "../changes/forget.ts";
import { type Lesson, textOf } from "../format/lesson.ts";
import { type Snapshot, sourcesOf } from "../merge/versions.ts";
import { findId, findLesson, versionNamed } from "../queries/references.ts";
import { lessonsIn, type Removed } from "./trash.ts";

/** The restorable versions in the trash, each list latest first. */
interface Restorable {
  /** The last version of each lesson that is not in the memory. */
  readonly gone: readonly Removed[];
  /** Every other text that the memory does not have. */
  readonly earlier: readonly Removed[];
}

/** Sorts the trash by the effect of a restore. Leaves out texts that the memory has, and copies of one text. */
export function findRestorable(removed: readonly Removed[], snapshot: Snapshot): Restorable {
  const texts = shownTexts(snapshot);
  const ids = new Set(snapshot.lessons().map(({ version }) => version.id));
  const gone: Removed[] = [];
  const earlier: Removed[] = [];
  for (const entry of removed) {
    const text = textOf(entry.lesson);
    if (texts.has(text)) {
      continue;
    }
    const list = ids.has(entry.lesson.id) ? earlier : gone;
    list.push(entry);
    texts.add(text);
    ids.add(entry.lesson.id);
  }
  return { gone, earlier };
}

/**
 * Plans which lessons a restoration brings back, and which it replaces. @param name an id, its first 6 or more digits, or id@version for
 * one text. @returns undefined if the name means no lesson, and an empty choice if the memory already has it.
 */
export function planRestore(name: string, removed: readonly Removed[], snapshot: Snapshot) {
  const choose = name.includes("@") ? chooseVersion : chooseLast;
  const chosen = choose(name, removed, snapshot);
  if (!chosen) {
    return undefined;
  }
  const inThePlace = [
    ...correctionsOf(chosen, snapshot, lessonsIn(removed)).map(({ version }) => version),
    ...principleInThePlace(name, chosen, snapshot),
  ];
  return { chosen, inThePlace };
}

function shownTexts(snapshot: Snapshot): Set<string> {
  return new Set(snapshot.lessons().map(({ version }) => textOf(version)));
}

/** Returns the version of a reference. Empty if the memory already has its text. */
function chooseVersion(
  reference: string,
  removed: readonly Removed[],
  snapshot: Snapshot,
): readonly Lesson[] | undefined {
  const inMemory = snapshot.lessons().map(({ version }) => version);
  const named = versionNamed(reference, [...lessonsIn(removed), ...inMemory]);
  if (!named) {
    return undefined;
  }
  return shownTexts(snapshot).has(textOf(named)) ? [] : [named];
}

/** Returns the last version of an id, or of the lessons that were compacted into it. Empty if the memory already has them. */
function chooseLast(
  name: string,
  removed: readonly Removed[],
  snapshot: Snapshot,
): readonly Lesson[] | undefined {
  const last = lastVersions(removed, shownTexts(snapshot));
  const own = findId(idsOf(last), name);
  if ("id" in own) {
    return lessonsIn(last.filter(({ lesson }) => lesson.id === own.id));
  }
  if (own.none === "ambiguous") {
    return undefined;
  }

  const compacted = last.filter(wasCompacted);
  const into = findId(principlesOf(compacted), name);
  if ("id" in into) {
    return lessonsIn(compacted.filter(({ by }) => by === into.id));
  }

  const known = [...idsOf(removed), ...principlesOf(removed.filter(wasCompacted))];
  return "id" in findId(known, name) ? [] : undefined;
}

/** Returns each lesson's version that was removed last, unless the memory has its text. */
function lastVersions(removed: readonly Removed[], texts: ReadonlySet<string>): Removed[] {
  const last = new Map<string, Removed>();
  for (const entry of removed) {
    const { id } = entry.lesson;
    const isPresent = entry.because === "updated" && texts.has(textOf(entry.lesson));
    if (!isPresent && !last.has(id)) {
      last.set(id, entry);
    }
  }
  return [...last.values()].filter(({ lesson }) => !texts.has(textOf(lesson)));
}

const wasCompacted = ({ because }: Removed): boolean =>
  because === "compacted" || because === "replaced";

const idsOf = (removed: readonly Removed[]): string[] => removed.map(({ lesson }) => lesson.id);

const principlesOf = (removed: readonly Removed[]): string[] => removed.map(({ by }) => by);

/** Returns the principle with a name, if all lessons that it covers come back or already show. */
function principleInThePlace(
  name: string,
  chosen: readonly Lesson[],
  snapshot: Snapshot,
): Lesson[] {
  const found = findLesson(snapshot, name);
  if ("none" in found || chosen.length === 0) {
    return [];
  }
  const { version } = found.line;
  const back = new Set(chosen.map(({ id }) => id));
  if (version.type !== "principle" || back.has(version.id)) {
    return [];
  }
  return sourcesLeft(version, back, snapshot) === 0 ? [version] : [];
}

/** Counts the sources of a lesson that a restoration can't bring back. @param back the ids of the lessons that it brings back. */
export function sourcesLeft(lesson: Lesson, back: ReadonlySet<string>, snapshot: Snapshot): number {
  const known = new Set(back);
  let hidden = 0;
  for (const [id] of sourcesOf(lesson)) {
    if (!back.has(id) && !snapshot.shown(id)) {
      hidden++;
    }
    known.add(id);
  }
  // A principle lists a source for 180 days, and counts it for longer.
  const unlisted = (lesson.meta.source_count ?? 0) - known.size;
  return hidden + Math.max(0, unlisted);
}
