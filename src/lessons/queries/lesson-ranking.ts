/** Which lessons come first for people, in a search and at a prompt. A prompt gets only lessons that clearly match it. Pure. */
import { memoizeByObject } from "../../ground/core/memoize.ts";
import { compare } from "../../ground/core/text.ts";
import { instantOfAge } from "../../ground/core/time.ts";
import { isEveryday } from "../../ground/search/everyday.ts";
import { type Ranked, Ranking } from "../../ground/search/ranking.ts";
import { tellingWords } from "../../ground/search/relevance.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { cuesOf, type Lesson, timesMet } from "../format/lesson.ts";
import { whenOf } from "../format/when.ts";
import type { LessonLine, Snapshot } from "../merge/versions.ts";
import { comingUp, isKeptOut, type Moment, workOn } from "./matches-when.ts";

/** A lesson in its place in the order. */
export interface RankedLine extends Omit<Ranked<LessonLine>, "item"> {
  readonly line: LessonLine;
  /** Whether its `when` matches the query. */
  readonly comesUp: boolean;
}

/** A task resembles the gap that it meets more than the rule that was drawn from the gap. */
const WEIGHTS = { topic: 1.5, missing_context: 1.2, lesson: 1, ask_next_time: 0.8 } as const;
type Field = keyof typeof WEIGHTS;

/**
 * Ranks all lessons: first those that come up in the work of the query, then those that match it, each best first, then the newest, with
 * relevance 0. A principle that comes up follows the best match, because its `when` may belong to another of its gaps.
 * @param lessons the same array is tokenized once.
 */
export function rankLessons(
  lessons: readonly LessonLine[],
  query: string,
  moment: Moment,
): RankedLine[] {
  const newest = inOrder(lessons);
  const matches = matchesOf(lessons, query).map(({ item, ...place }) => ({ line: item, ...place }));
  const meant = new Set(comingUp(newest, workOn({ ...moment, prompt: query })));
  const matched = new Set(matches.map(({ line }) => line));
  const unmatched = newest.filter((line) => !matched.has(line));
  const all = [...matches, ...unmatched.map((line) => ({ line, relevance: 0, sharedWords: 0 }))];
  const ranked = all.map((place) => ({ ...place, comesUp: meant.has(place.line) }));
  if (meant.size === 0) {
    return ranked;
  }
  const isOwn = ({ comesUp, line }: RankedLine) => comesUp && line.version.type !== "principle";
  const others = ranked.filter((place) => !isOwn(place));
  const behind = others.slice(1).sort((a, b) => Number(b.comesUp) - Number(a.comesUp));
  return [...ranked.filter(isOwn), ...others.slice(0, 1), ...behind];
}

/** From this `relevance` on, shared words are hardly a coincidence. */
const SEARCH_FLOOR = 0.2;
/** The least relevance, as a share of the best match's. If one lesson has all words of the query, a lesson with a third of them isn't meant. */
const LEAST_OF_THE_BEST = 0.4;
/** One shared word may be a coincidence, unless the query has no other. */
const ENOUGH_WORDS = 2;

/** The ranked lessons that clearly match a query or come up, in their order. */
export function clearMatches(ranked: readonly RankedLine[], query: string): RankedLine[] {
  const alike = new Set(alikeIn(ranked, query, SEARCH_FLOOR));
  return ranked.filter((place) => place.comesUp || alike.has(place));
}

/** Returns the ranked lessons that share at least two telling words with a query, or one if the query has only one. @param floor their least relevance. */
function alikeIn<Place extends Pick<RankedLine, "relevance" | "sharedWords">>(
  ranked: readonly Place[],
  query: string,
  floor: number,
): Place[] {
  const enough = Math.max(1, Math.min(ENOUGH_WORDS, tellingWords(query)));
  const sharing = ranked.filter(({ sharedWords }) => sharedWords >= enough);
  const best = Math.max(0, ...sharing.map(({ relevance }) => relevance));
  const least = Math.max(floor, best * LEAST_OF_THE_BEST);
  return sharing.filter(({ relevance }) => relevance >= least);
}

/** The restrictions of a search. */
interface Narrowing {
  readonly type?: Lesson["type"] | undefined;
  /** An age or a date. Lessons must have been written or met since then. */
  readonly since?: string | undefined;
}

/** A filter for the lessons of a search. Undefined for all. @param now in ms since 1970. @throws SentinelError `bad_argument` */
export function narrowing(
  { type, since }: Narrowing,
  now: number,
): ((line: LessonLine) => boolean) | undefined {
  if (type === undefined && since === undefined) {
    return undefined;
  }
  const earliest = instantOfAge(since, now);
  const isOfType = (line: LessonLine) => type === undefined || line.version.type === type;
  return (line) => isOfType(line) && line.instant >= earliest;
}

/** The lessons that match a query by their words, best first. */
function matchesOf(lessons: readonly LessonLine[], query: string): Ranked<LessonLine>[] {
  return rankingOf(lessons).rank(query);
}

const inOrder = memoizeByObject((lessons: readonly LessonLine[]) => [...lessons].sort(newestFirst));

const rankingOf = memoizeByObject((lessons: readonly LessonLine[]) => {
  const documents = inOrder(lessons).map((item) => ({ item, fields: fieldsOf(item.version) }));
  return new Ranking<LessonLine, Field>(WEIGHTS, documents);
});

function fieldsOf({
  topic,
  missing_context,
  lesson,
  ask_next_time = "",
  meta,
}: Lesson): Record<Field, string> {
  // The cues of a principle are words of the gaps that it covers.
  return {
    topic,
    missing_context: [missing_context, ...cuesOf(meta)].join("\n"),
    lesson,
    ask_next_time,
  };
}

/** Higher than the floor of a search, because the user didn't ask for lessons. */
const PROMPT_FLOOR = 0.3;
/** A prompt with fewer telling words gets no lesson by its words. */
const LEAST_WORDS = 2;
/** The task is in the first lines of a prompt. Every lesson shares some words with a long pasted text. Measured: `9b2ae1a7: bench:bundle`. */
const PROMPT_CHARACTERS = 250;

/** Whether a lesson can match the prompt by its words. "Yes, go on" has no subject to match. */
export const mayMatch = (prompt: string): boolean => tellingWords(taskOf(prompt)) >= LEAST_WORDS;

/** Returns the lessons whose `when` matches the prompt, then the lessons that clearly match it by words, best match first. */
export function lessonsFor(snapshot: Snapshot, prompt: string, moment: Moment): LessonLine[] {
  const work = workOn({ ...moment, prompt });
  const meant = comingUp(snapshot.lessons(), work).sort(mostImportantFirst);
  if (!mayMatch(prompt)) {
    return meant;
  }
  const task = taskOf(prompt);
  const alike = alikeIn(matchesOf(snapshot.lessons(), task), task, PROMPT_FLOOR)
    .map(({ item }) => item)
    .filter(({ version }) => !isKeptOut(whenOf(version), work));
  return [...new Set([...meant, ...alike])];
}

/** The words of a prompt by which a lesson matches it. */
export function wordsInCommon(snapshot: Snapshot, prompt: string, line: LessonLine): string[] {
  const words = taskOf(prompt).split(BETWEEN_WORDS);
  const telling = words.filter((word) => tokenize(word).some((term) => !isEveryday(term)));
  return [...new Set(telling)].filter((word) =>
    matchesOf(snapshot.lessons(), word).some(({ item }) => item === line),
  );
}

const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}_.-]+/u;

const taskOf = (prompt: string): string => prompt.slice(0, PROMPT_CHARACTERS);

/** Principles first, then the gaps met most often, then the newest. */
export function mostImportantFirst(a: LessonLine, b: LessonLine): number {
  const met = timesMet(b.version) - timesMet(a.version);
  return principlesFirst(a, b) || met || newestFirst(a, b);
}

export function principlesFirst(a: LessonLine, b: LessonLine): number {
  return Number(b.version.type === "principle") - Number(a.version.type === "principle");
}

/** The last written first. */
export function newestFirst(a: LessonLine, b: LessonLine): number {
  return compare(b.instant, a.instant) || compare(a.raw, b.raw);
}
