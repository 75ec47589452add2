/** Lists topics, and finds topics that are probably one topic under two names. */
import { distance } from "fastest-levenshtein";
import { countEach } from "../../ground/core/collections.ts";
import { memoize, memoizeByObject } from "../../ground/core/memoize.ts";
import { compare } from "../../ground/core/text.ts";
import { topicForm } from "../format/lesson.ts";
import type { LessonLine, Snapshot } from "../merge/versions.ts";

export interface TopicCount {
  readonly topic: string;
  readonly count: number;
}

/** In words of at least this length, one differing letter is more likely a typo than another word. */
const LEAST_LETTERS_FOR_SPELLING = 5;
/** A shorter beginning (`ui`, `api`) is too vague. In Chinese and Korean two characters are a word. */
const LEAST_LETTERS_FOR_BEGINNING = 4;
const LEAST_CHARACTERS_FOR_BEGINNING_CJK = 2;

/** The topics of some lessons, most used first, then by name. */
export function countTopics(
  lines: Iterable<{ readonly version: { readonly topic: string } }>,
): TopicCount[] {
  const counts = countEach(Array.from(lines, ({ version }) => version.topic));
  const topics = Array.from(counts, ([topic, count]) => ({ topic, count }));
  return topics.sort((a, b) => b.count - a.count || compare(a.topic, b.topic));
}

/** The topics of a snapshot that is only read from now on, most used first. */
export const topicsOf = memoizeByObject((snapshot: Snapshot): readonly TopicCount[] =>
  countTopics(snapshot.lessons()),
);

/** Returns the lessons of a topic, in any spelling. */
export function lessonsOfTopic(lines: readonly LessonLine[], topic: string): LessonLine[] {
  const form = topicForm(topic);
  return lines.filter(({ version }) => topicForm(version.topic) === form);
}

/** Whether topics look like one: a plural, the same words, a whole beginning, or one letter off. Different numbers never look alike. */
export function looksLike(a: string, b: string): boolean {
  const x = wordsOf(a);
  const y = wordsOf(b);
  if (x.length === 0 || y.length === 0) {
    return false;
  }
  if (sorted(x) === sorted(y)) {
    return true;
  }
  if (numbersOf(x) !== numbersOf(y)) {
    return false;
  }
  const [short = "", long = ""] = [x.join(""), y.join("")].sort((p, q) => p.length - q.length);
  if (startsWithWords(x, y) || startsWithWords(y, x)) {
    return hasLetters(short);
  }
  if (long.startsWith(short) && short.length >= leastBeginning(short)) {
    return true;
  }
  return short.length >= LEAST_LETTERS_FOR_SPELLING && distance(short, long) === 1;
}

/** Whether two topics share their first word, like `auth-login` and `auth-token`. */
export function shareLeadingWord(a: string, b: string): boolean {
  const [first] = wordsOf(a);
  return first !== undefined && first === wordsOf(b)[0] && hasLetters(first);
}

/** Topics by how near they are to a name, nearest first. */
export function nearestTopics(name: string, topics: readonly string[]): string[] {
  const ranked = topics.map((topic) => ({
    topic,
    far: looksLike(name, topic) || shareLeadingWord(name, topic) ? 0 : 1,
    edits: distance(name.toLowerCase(), topic.toLowerCase()),
  }));
  ranked.sort((a, b) => a.far - b.far || a.edits - b.edits || compare(a.topic, b.topic));
  return ranked.map(({ topic }) => topic);
}

const TOPICS_KEPT = 20_000;

/** Memoized because each topic is compared with many others. */
const wordsOf = memoize((topic): readonly string[] => {
  const words =
    topic
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.map(singular);
}, TOPICS_KEPT);

function singular(word: string): string {
  if (/^[a-z]{2,}ies$/.test(word)) {
    return `${word.slice(0, -3)}y`;
  }
  if (/^[a-z]+(?:ss|x|ch|sh)es$/.test(word)) {
    return word.slice(0, -2);
  }
  if (/^[a-z]{2,}[^siu]s$/.test(word)) {
    return word.slice(0, -1);
  }
  return word;
}

const sorted = (words: readonly string[]): string => [...words].sort().join(" ");

const numbersOf = (words: readonly string[]): string =>
  words.flatMap((word) => word.match(/\p{N}+/gu) ?? []).join(" ");

function startsWithWords(long: readonly string[], short: readonly string[]): boolean {
  return short.length < long.length && short.every((word, index) => word === long[index]);
}

const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

function leastBeginning(text: string): number {
  return /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]+$/u.test(text)
    ? LEAST_CHARACTERS_FOR_BEGINNING_CJK
    : LEAST_LETTERS_FOR_BEGINNING;
}
