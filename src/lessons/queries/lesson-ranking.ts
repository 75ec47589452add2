/** Ranks lessons: weighs their fields, and finds the lessons that come up by their `when` and those that clearly match. */
import { memoizeByObject } from "../../ground/core/memoize.ts";
import { instantOfAge } from "../../ground/core/time.ts";
import { type Ranked, Ranking } from "../../ground/search/ranking.ts";
import { tellingWords } from "../../ground/search/relevance.ts";
import { cuesOf, type Lesson } from "../format/lesson.ts";
import type { LessonLine } from "../merge/versions.ts";
import { newestFirst } from "./importance.ts";
import { comingUp, type Moment, workOn } from "./matches-when.ts";

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
const FLOOR = 0.2;
/** The least relevance, as a share of the best match's. If one lesson has all words of the query, a lesson with a third of them isn't meant. */
const LEAST_OF_THE_BEST = 0.4;
/** One shared word may be a coincidence, unless the query has no other. */
const ENOUGH_WORDS = 2;

/** The ranked lessons that clearly match a query or come up, in their order. */
export function clearMatches(ranked: readonly RankedLine[], query: string): RankedLine[] {
  const alike = new Set(alikeIn(ranked, query, FLOOR));
  return ranked.filter((place) => place.comesUp || alike.has(place));
}

/** Returns the ranked lessons that share at least two telling words with a query, or one if the query has only one. @param floor their least relevance. */
export function alikeIn<Place extends Pick<RankedLine, "relevance" | "sharedWords">>(
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
export function matchesOf(lessons: readonly LessonLine[], query: string): Ranked<LessonLine>[] {
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
