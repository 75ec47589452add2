/** Finds restorable versions in the trash: the last version of an id, and other texts by reference. Pure. */
import { groupBy } from "../../ground/core/group-by.ts";
import { correctionsOf } from "../changes/forget.ts";
import { instantOf, type Lesson, revisionOf, textOf } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import { type LessonLine, sourcesOf } from "../merge/versions.ts";
import { findId, findRecords, versionsNamed } from "../queries/references.ts";
import { lessonsIn, type Removed } from "./trash.ts";

/** The restorable versions in the trash, each list latest first. */
interface Restorable {
  /** The last version of each lesson that is not in the memory. */
  readonly gone: readonly Removed[];
  /** Every other text that the memory does not have. */
  readonly earlier: readonly Removed[];
  /** The version that the id of each lesson brings back. */
  readonly last: readonly Removed[];
}

/** Sorts the trash by the effect of a restore. Leaves out texts that the memory has, and copies of one text. */
export function findRestorable(removed: readonly Removed[], snapshot: Snapshot): Restorable {
  const last = new Set<Removed>();
  const texts = new Set<Removed>();
  for (const [id, versions] of groupBy(removed, ({ lesson }) => lesson.id)) {
    const shown = snapshot.shown(id);
    const offer = offered(versions, shown);
    if (offer) last.add(offer);
    const others = new Set(otherTexts(lessonsIn(versions), shown));
    for (const entry of versions) if (others.has(entry.lesson)) texts.add(entry);
  }
  const isGone = (entry: Removed) =>
    last.has(entry) && snapshot.shown(entry.lesson.id).length === 0;
  return {
    gone: removed.filter(isGone),
    earlier: removed.filter((entry) => texts.has(entry) && !isGone(entry)),
    last: removed.filter((entry) => last.has(entry)),
  };
}

/** The lesson with a name, or the lessons it was made from or replaced. @param name an id, or its first 6 or more digits. */
function chooseRestorable({ last }: Restorable, name: string): readonly Removed[] {
  const ids = last.map(({ lesson }) => lesson.id);
  const own = findId(ids, name);
  if ("id" in own) return last.filter(({ lesson }) => lesson.id === own.id);
  if (own.none === "ambiguous") return [];
  const compacted = last.filter(({ because }) => because === "compacted" || because === "replaced");
  const principles = compacted.map(({ by }) => by);
  const principle = findId(principles, name);
  return "id" in principle ? compacted.filter(({ by }) => by === principle.id) : [];
}

/** Chooses the one version of a full reference. Empty if the memory has the same text. Undefined for another name. */
function chooseVersion(
  removed: readonly Removed[],
  snapshot: Snapshot,
  reference: string,
): readonly Lesson[] | undefined {
  const named = versionsNamed(reference, lessonsIn(removed));
  if (!named || named.length > 1) return named && [];
  return named.filter((lesson) => otherTexts([lesson], snapshot.shown(lesson.id)).length > 0);
}

/** The version removed last, or the latest earlier text. If one write removed two, the newer. Undefined if the memory has its text. */
function offered(versions: readonly Removed[], shown: readonly LessonLine[]): Removed | undefined {
  const present = new Set(shown.map(({ version }) => textOf(version)));
  const last = versions.find(
    ({ because, lesson }) => because !== "updated" || !present.has(textOf(lesson)),
  );
  const [candidate] = versions
    .filter(({ at, because }) => at === last?.at && because === last.because)
    .sort((a, b) => instantOf(revisionOf(b.lesson.meta)) - instantOf(revisionOf(a.lesson.meta)));
  return candidate && !present.has(textOf(candidate.lesson)) ? candidate : undefined;
}

/** Each hidden text, in its latest version. */
function otherTexts(versions: readonly Lesson[], shown: readonly LessonLine[]): Lesson[] {
  const known = new Set(shown.map(({ version }) => textOf(version)));
  const others: Lesson[] = [];
  for (const lesson of versions) {
    const text = textOf(lesson);
    if (!known.has(text)) others.push(lesson);
    known.add(text);
  }
  return others;
}

/** Plans which lessons a restoration brings back, and which it replaces. @param name an id, its first 6 or more digits, or id@version for one text. */
export function planRestore(name: string, removed: readonly Removed[], snapshot: Snapshot) {
  const ofId = () => lessonsIn(chooseRestorable(findRestorable(removed, snapshot), name));
  const chosen = chooseVersion(removed, snapshot, name) ?? ofId();
  const lines = [
    ...correctionsOf(chosen, snapshot, lessonsIn(removed)),
    ...principleOf(name, chosen, snapshot),
  ];
  return { chosen, inThePlace: lines.map(({ version }) => version) };
}

/** The principle of a name, if all lessons that it covers come back or show already. */
function principleOf(
  name: string,
  chosen: readonly Lesson[],
  snapshot: Snapshot,
): readonly LessonLine[] {
  const found = findRecords(snapshot, name);
  const back = new Set(chosen.map(({ id }) => id));
  return ("lines" in found ? found.lines : []).filter(({ version }) => {
    if (version.type !== "principle" || back.has(version.id) || chosen.length === 0) return false;
    const { hidden, unlisted } = sourcesLeft(version, back, snapshot);
    return hidden.length + unlisted === 0;
  });
}

/** The sources of a lesson that a restoration can't bring back. @param back the ids of those that it brings back. */
export function sourcesLeft(
  lesson: Lesson,
  back: ReadonlySet<string>,
  snapshot: Snapshot,
): { readonly hidden: readonly string[]; readonly unlisted: number } {
  const listed = sourcesOf(lesson).map(([id]) => id);
  const hidden = listed.filter((id) => !back.has(id) && snapshot.shown(id).length === 0);
  const known = new Set([...listed, ...back]).size;
  // A principle lists a source for 180 days, and counts it for longer.
  const unlisted = Math.max(0, (lesson.meta.source_count ?? 0) - known);
  return { hidden, unlisted };
}
