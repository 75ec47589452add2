/** Finds what still contains words of a lesson that is purged. Pure. */
import { groupBy } from "../../ground/core/collections.ts";
import { isEveryday } from "../../ground/search/everyday.ts";
import {
  FUNCTION_CHARACTERS,
  runsOf,
  tokenize,
  writtenWords,
} from "../../ground/search/tokenizer.ts";
import { toLine } from "../format/file-lines.ts";
import { cuesOf, type Lesson } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import { isLessonLine, latestFirst, sourcesOf } from "../merge/versions.ts";
import { cuesOfLesson, withoutCues } from "./purge.ts";

/** A lesson that contains some words, and where on this machine. */
export interface WordsLeft {
  /** As it shows, or its last version. */
  readonly lesson: Lesson;
  readonly words: readonly string[];
  /** The files that have a version of it with such words, for people. */
  readonly places: readonly string[];
}

/** The words that matter in a lesson, as it spells them. */
type WordsIn = (lesson: Lesson) => readonly string[];

/** A word in up to this many other lessons is rare. */
const FEW_LESSONS = 2;
/** In characters: shorter words of a topic are rarely names. Words of scripts without spaces are indexed as pairs of characters. */
const LEAST_OF_TOPIC = 4;
const IN_PAIRS = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/u;

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
  wordsIn: WordsIn,
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

/**
 * Finds words of some texts in other lessons: those that aren't everyday words and that at most half of the unrelated lessons share. A word
 * that only their topic has must be rare and longer. Names and numbers come first. @param texts all versions of a lesson. @param unrelated versions of one lesson count once. @internal
 */
export function tellingWordsOf(texts: readonly Lesson[], unrelated: readonly Lesson[]): WordsIn {
  const holders = holdersIn(unrelated);
  const half = new Set(unrelated.map(({ id }) => id)).size / 2;
  const inTexts = new Set(
    texts.flatMap(({ topic: _, ...others }) => textsOf({ ...others, topic: "" })).flatMap(tokenize),
  );
  const onlyInTopic = new Set(texts.flatMap(({ topic }) => tokenize(topic)));
  for (const term of inTexts) onlyInTopic.delete(term);
  const isTelling = (term: string) => {
    if (term.length < 2 || isEveryday(term) || hasFunctionCharacter(term)) return false;
    const count = holders.get(term)?.size ?? 0;
    if (onlyInTopic.has(term)) {
      const isLong = term.length >= LEAST_OF_TOPIC || IN_PAIRS.test(term);
      return isLong && count <= FEW_LESSONS;
    }
    return count <= Math.max(FEW_LESSONS, half);
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

/** The words of a lesson that are or contain one of these. @param words in lower case. */
function wordsWith(words: readonly string[]): WordsIn {
  const isMeant = (run: string) => words.some((word) => run.toLowerCase().includes(word));
  return (lesson) => runsThat(isMeant, lesson);
}

function runsThat(isMeant: (run: string) => boolean, lesson: Lesson): string[] {
  return [...new Set(textsOf(lesson).flatMap(runsOf).filter(isMeant))];
}

/** The ids of the lessons that contain each term. */
function holdersIn(lessons: readonly Lesson[]): Map<string, Set<string>> {
  const holders = new Map<string, Set<string>>();
  for (const lesson of lessons) {
    for (const term of textsOf(lesson).flatMap(tokenize))
      holders.set(term, (holders.get(term) ?? new Set()).add(lesson.id));
  }
  return holders;
}

/** All texts of a lesson: its own, those of `when`, of unknown fields, and its cues. */
function textsOf({ id: _, type: __, meta, ...fields }: Lesson): string[] {
  return [...Object.values(fields).flatMap(textsIn), ...cuesOf(meta)];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
