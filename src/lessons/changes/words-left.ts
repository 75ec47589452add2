/** Finds what still contains words of a lesson that is purged. Pure. */
import { groupBy } from "../../ground/core/group-by.ts";
import { writtenWords } from "../../ground/search/tokenizer.ts";
import { toLine } from "../format/file-lines.ts";
import type { Lesson } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import { isLessonLine, latestFirst, sourcesOf } from "../merge/versions.ts";
import { type TellingWords, tellingWordsOf, wordsWith } from "../queries/telling-words.ts";
import { cuesOfLesson, withoutCues } from "./purge.ts";

/** A lesson that contains some words, and where on this machine. */
export interface WordsLeft {
  /** As it shows, or its last version. */
  readonly lesson: Lesson;
  readonly words: readonly string[];
  /** The files that have a version of it with such words, for people. */
  readonly places: readonly string[];
}

/** A version that this machine has. */
interface StoredVersion {
  readonly version: Lesson;
  readonly place: string;
}

/**
 * The lessons that were made from a lesson, that it was made from, or that are related to it through these, as far as they contain telling
 * words of it (docs/design/lessons.md, "Purging"). @param removed the lessons in the trash.
 */
export function wordsLeftOf(
  id: string,
  snapshot: Snapshot,
  removed: readonly Lesson[],
): WordsLeft[] {
  const stored = storedVersions(snapshot, removed);
  const relatives = relativesOf(id, stored);
  const versionsOf = (ids: readonly string[]) =>
    ids.flatMap((each) => stored.get(each) ?? []).map(({ version }) => version);
  const unrelated = [...stored.keys()].filter((other) => other !== id && !relatives.has(other));
  const tellingWords = tellingWordsOf(versionsOf([id]), versionsOf(unrelated));
  // The purge removes these cues.
  const purged = cuesOfLesson(id, snapshot, removed);
  return holding([...relatives], stored, snapshot, (version) =>
    tellingWords(withoutCues(version, purged(version))),
  );
}

/** All lessons on this machine whose texts contain a word. @param removed the lessons in the trash. */
export function textsWith(
  text: string,
  snapshot: Snapshot,
  removed: readonly Lesson[],
): WordsLeft[] {
  const stored = storedVersions(snapshot, removed);
  return holding([...stored.keys()], stored, snapshot, wordsWith(writtenWords(text)));
}

function storedVersions(
  snapshot: Snapshot,
  removed: readonly Lesson[],
): Map<string, StoredVersion[]> {
  const inMemory = snapshot
    .lines()
    .filter(isLessonLine)
    .map(({ version }) => ({ version, place: "the memory file" }));
  const inTrash = removed.map((version) => ({ version, place: "the trash of this machine" }));
  return groupBy([...inMemory, ...inTrash], ({ version }) => version.id);
}

/** The ids that are connected with one by `sources`, in either direction and at any distance. */
function relativesOf(
  id: string,
  stored: ReadonlyMap<string, readonly StoredVersion[]>,
): Set<string> {
  const links = [...stored.values()].flat().flatMap(({ version }) =>
    sourcesOf(version).flatMap(([source]) => [
      { from: version.id, to: source },
      { from: source, to: version.id },
    ]),
  );
  const linksFrom = groupBy(links, ({ from }) => from);
  const relatives = new Set([id]);
  // A set can grow while it's walked, and is then walked to its end.
  for (const each of relatives) {
    for (const { to } of linksFrom.get(each) ?? []) relatives.add(to);
  }
  relatives.delete(id);
  return relatives;
}

/** The lessons among some ids that contain words. */
function holding(
  ids: readonly string[],
  stored: ReadonlyMap<string, readonly StoredVersion[]>,
  snapshot: Snapshot,
  wordsIn: TellingWords,
): WordsLeft[] {
  const found: WordsLeft[] = [];
  for (const id of ids) {
    const versions = stored.get(id) ?? [];
    const withWords = versions
      .map(({ version, place }) => ({ place, words: wordsIn(version) }))
      .filter(({ words }) => words.length > 0);
    const lesson = lastVersion(id, versions, snapshot);
    if (!lesson || withWords.length === 0) continue;
    const words = [...new Set(withWords.flatMap((each) => each.words))];
    const places = [...new Set(withWords.map(({ place }) => place))];
    found.push({ lesson, words, places });
  }
  return found;
}

function lastVersion(
  id: string,
  versions: readonly StoredVersion[],
  snapshot: Snapshot,
): Lesson | undefined {
  const [shown] = snapshot.shown(id);
  if (shown) return shown.version;
  const lines = versions.map(({ version }) => toLine(version)).filter(isLessonLine);
  return lines.sort(latestFirst)[0]?.version;
}
