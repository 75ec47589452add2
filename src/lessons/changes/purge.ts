/** Removes a lesson permanently, and finds lessons that still contain its words. */
import { groupBy } from "../../ground/core/collections.ts";
import { isEveryday } from "../../ground/search/everyday.ts";
import {
  FUNCTION_CHARACTERS,
  runsOf,
  tokenize,
  writtenWords,
} from "../../ground/search/tokenizer.ts";
import { cuesOf, type Lesson } from "../format/lesson.ts";
import { isLessonLine, type Snapshot, sourcesOf, type WorkingCopy } from "../merge/versions.ts";
import { cuesOfLesson, withoutCues } from "./cues.ts";
import { bury } from "./forget.ts";

/** The reason on the tombstone of a purged lesson. Its text must not be shown, even if it is still stored somewhere. */
export const PURGED = "purged";

/** Hides every version of an id behind a tombstone, visible or not, unless an earlier purge did. */
export function buryLesson(memory: WorkingCopy, id: string, now: number): void {
  const cover = memory.coveredBy(id)?.version;
  const isCovered = cover !== undefined && cover.id !== id;
  if (isCovered || memory.versions(id).some(isLessonLine)) {
    bury(memory, id, PURGED, now, true);
  }
}

/** A lesson that contains some words, and its places on this machine. */
export interface WordsLeft {
  /** The version that shows, or another one. */
  readonly lesson: Lesson;
  readonly words: readonly string[];
  /** The files with a version that contains the words, for people. */
  readonly places: readonly string[];
}

/** Returns the relevant words of a lesson, in its own spelling. */
type WordsIn = (lesson: Lesson) => readonly string[];

/** A word in up to this many other lessons is rare. */
const FEW_LESSONS = 2;
/** The fewest characters. Shorter words of a topic are rarely names. Words of scripts without spaces are indexed as pairs of characters. */
const LEAST_OF_TOPIC = 4;
const IN_PAIRS = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** A version that this machine has. */
interface StoredVersion {
  readonly version: Lesson;
  readonly place: string;
}

/**
 * Returns the lessons that contain telling words of a lesson and are related to it: directly or indirectly, one was made from the other
 * (docs/design/lessons.md, "Purging"). @param removed the lessons in the trash.
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
  const words = writtenWords(text);
  const isMeant = (run: string) => words.some((word) => run.toLowerCase().includes(word));
  return holding([...stored.keys()], stored, snapshot, (lesson) => runsThat(isMeant, lesson));
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

/** Returns the ids that are connected with one through `sources`, in either direction and at any distance. */
function relativesOf(
  id: string,
  stored: ReadonlyMap<string, readonly StoredVersion[]>,
): Set<string> {
  const versions = [...stored.values()].flat();
  const relatives = new Set([id]);
  let size = 0;
  while (relatives.size > size) {
    size = relatives.size;
    for (const { version } of versions) {
      const linked = [version.id, ...sourcesOf(version).map(([source]) => source)];
      if (!linked.some((other) => relatives.has(other))) {
        continue;
      }
      for (const other of linked) {
        relatives.add(other);
      }
    }
  }
  relatives.delete(id);
  return relatives;
}

/** The lessons among some ids that contain words. */
function holding(
  ids: readonly string[],
  stored: ReadonlyMap<string, readonly StoredVersion[]>,
  snapshot: Snapshot,
  wordsIn: WordsIn,
): WordsLeft[] {
  const found: WordsLeft[] = [];
  for (const id of ids) {
    const versions = stored.get(id) ?? [];
    const words = new Set<string>();
    const places = new Set<string>();
    for (const { version, place } of versions) {
      const held = wordsIn(version);
      if (held.length > 0) {
        places.add(place);
      }
      for (const word of held) {
        words.add(word);
      }
    }
    const lesson = snapshot.shown(id)?.version ?? versions[0]?.version;
    if (lesson && words.size > 0) {
      found.push({ lesson, words: [...words], places: [...places] });
    }
  }
  return found;
}

/**
 * Returns a function that finds the telling words of some texts in another lesson. These aren't everyday words, and at most half of the
 * unrelated lessons contain them. A word that appears only in a topic must also be rare and longer. Names and numbers come first.
 * @param texts all versions of a lesson. @param unrelated versions of one lesson count once. @internal
 */
export function tellingWordsOf(texts: readonly Lesson[], unrelated: readonly Lesson[]): WordsIn {
  const holders = holdersIn(unrelated);
  const half = new Set(unrelated.map(({ id }) => id)).size / 2;
  const withoutTopics = texts.flatMap((lesson) => textsOf({ ...lesson, topic: "" }));
  const inTexts = new Set(withoutTopics.flatMap(tokenize));
  const isTelling = (term: string) => {
    if (term.length < 2 || isEveryday(term) || hasFunctionCharacter(term)) {
      return false;
    }
    const count = holders.get(term)?.size ?? 0;
    if (inTexts.has(term)) {
      return count <= Math.max(FEW_LESSONS, half);
    }
    const isLong = term.length >= LEAST_OF_TOPIC || IN_PAIRS.test(term);
    return isLong && count <= FEW_LESSONS;
  };
  const terms = new Set(texts.flatMap(textsOf).flatMap(tokenize).filter(isTelling));
  return (lesson) => {
    const found = runsThat((run) => tokenize(run).some((term) => terms.has(term)), lesson);
    return found.sort((a, b) => Number(isMarked(b)) - Number(isMarked(a)));
  };
}

/** Whether a word is likely a name or a number. */
const isMarked = (word: string): boolean => /[\p{Lu}\p{N}]/u.test(word) || IN_PAIRS.test(word);

const hasFunctionCharacter = (term: string): boolean =>
  [...term].some((character) => FUNCTION_CHARACTERS.has(character));

function runsThat(isMeant: (run: string) => boolean, lesson: Lesson): string[] {
  return [...new Set(textsOf(lesson).flatMap(runsOf).filter(isMeant))];
}

/** The ids of the lessons that contain each term. */
function holdersIn(lessons: readonly Lesson[]): Map<string, Set<string>> {
  const holders = new Map<string, Set<string>>();
  for (const lesson of lessons) {
    for (const term of textsOf(lesson).flatMap(tokenize)) {
      holders.set(term, (holders.get(term) ?? new Set()).add(lesson.id));
    }
  }
  return holders;
}

/** All texts of a lesson, including those in `when`, in unknown fields and in its cues. */
function textsOf({ id: _, type: __, meta, ...fields }: Lesson): string[] {
  return [...Object.values(fields).flatMap(textsIn), ...cuesOf(meta)];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") {
    return [value];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
