/**
 * The lessons that a search shows: what clearly matches in full, then a line that says where the matches end, then the lessons
 * of the best one's topic in a line each, then counts. Each lesson is shown, named or counted.
 */
import { type Budget, capped, shareOf, without } from "../../ground/core/budget.ts";
import { oneLine } from "../../ground/core/text.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import type { LessonLine } from "../merge/versions.ts";
import type { RankedLine } from "../queries/lesson-ranking.ts";
import { References } from "../queries/references.ts";
import { spellingsOf, type TopicCount, topicsOf } from "../queries/topics.ts";
import { leftOf, named, packInFull, packInShort } from "./fit-lessons.ts";
import { topicList } from "./topic-text.ts";

/** What a search is made over. */
export interface Scope {
  readonly snapshot: Snapshot;
  /** All lessons, or those of one topic, best match first. */
  readonly ranked: readonly RankedLine[];
  readonly matching: readonly RankedLine[];
  readonly query: string | undefined;
  readonly topic: string | undefined;
}

interface ShownRecords {
  /** The lines inside the fence. */
  readonly lines: readonly string[];
  readonly inFull: readonly LessonLine[];
}

interface Parted {
  readonly matching: readonly LessonLine[];
  readonly others: readonly LessonLine[];
}

const MOST_MATCHES = 10;
const MOST_NEAREST = 5;
/** In tokens. A memory no larger than the first is given whole. */
const SMALL_MEMORY = 1_200;
const MOST_IN_FULL = 1_500;
const MOST_IN_SHORT = 300;
const MOST_OF_A_TOPIC = 600;
const MOST_COUNTS = 300;
/** Shares of a budget that is smaller than these; within a topic the last layer names each lesson. */
const OF_ALL = { full: 0.6, short: 0.15, last: 0.1 };
const OF_A_TOPIC = { full: 0.5, short: 0.15, last: 0.35 };

const WHOLE = "Other lessons, in full because there are few:";
const MORE_MATCHES = "More that match, in short; call with ids for the whole text:";
const NEAREST = "Other lessons, the nearest first; call with ids for the whole text:";
/** Stands for the lines of ours between the layers. */
const RESERVE = "a layer ".repeat(38);

/** Lays the lessons of a search out; the query may be absent, then the newest stand for the best. */
export function showMatches(scope: Scope, budget: Budget): ShownRecords {
  const references = new References(scope.snapshot);
  const matching = scope.matching.map(({ line }) => line);
  const isMatching = new Set(matching);
  const others = scope.ranked.map(({ line }) => line).filter((line) => !isMatching.has(line));
  const heading = scope.query === undefined ? [] : [WHOLE];
  return (
    showWhole({ matching, others, heading }, references, budget) ??
    showLayers(scope, { matching, others }, references, budget)
  );
}

/** @param heading what stands above the lessons that do not match. */
function showWhole(
  { matching, others, heading }: Parted & { readonly heading: readonly string[] },
  references: References,
  budget: Budget,
): ShownRecords | undefined {
  const { texts, taken, left } = packInFull([...matching, ...others], references, capped(budget, SMALL_MEMORY));
  if (left.length > 0) return undefined;
  const rest = texts.slice(matching.length);
  const end = rest.length > 0 ? heading : [];
  return { lines: [...texts.slice(0, matching.length), ...end, ...rest], inFull: taken };
}

function showLayers(
  { snapshot, ranked, query, topic }: Scope,
  { matching, others }: Parted,
  references: References,
  budget: Budget,
): ShownRecords {
  const room = without(budget, RESERVE);
  const shares = topic === undefined ? OF_ALL : OF_A_TOPIC;
  // Without a query, and where a topic was asked for, the newest are worth showing all the same.
  const best = matching.length > 0 ? matching : query === undefined || topic !== undefined ? others : [];
  const full = packInFull(best.slice(0, MOST_MATCHES), references, capped(shareOf(room, shares.full), MOST_IN_FULL));
  const isShown = new Set(full.taken);
  const short = shareOf(room, shares.short);
  const more = packInShort(
    matching.filter((line) => !isShown.has(line)),
    references,
    capped(short, MOST_IN_SHORT),
  );
  for (const line of more.taken) isShown.add(line);
  const matches = [...full.texts, ...(more.texts.length > 0 ? [MORE_MATCHES, ...more.texts] : [])];
  const unshown = ranked.map(({ line }) => line).filter((line) => !isShown.has(line));
  const last = shareOf(room, shares.last);
  const inFull = full.taken;

  if (topic !== undefined) {
    const { texts, left } = packInShort(unshown, references, capped(short, MOST_OF_A_TOPIC), false);
    return { lines: [...matches, ...ofTopic(topic, texts), ...named(left, references, last)], inFull };
  }
  const [first] = matching;
  const counts = topicsOf(snapshot);
  if (first === undefined) {
    const near = query === undefined ? [] : ranked.filter(({ sharedWords }) => sharedWords > 0).slice(0, MOST_NEAREST);
    const nearest = packInShort(
      near.map(({ line }) => line),
      references,
      capped(short, MOST_IN_SHORT),
    );
    const shown = [...isShown, ...nearest.taken];
    const names = nearest.texts.length > 0 ? [NEAREST, ...nearest.texts] : [];
    return { lines: [...matches, ...names, ...counted(counts, shown, last)], inFull };
  }
  const spellings = spellingsOf(first.version.topic, snapshot);
  const siblings = packInShort(
    unshown.filter(({ version }) => spellings.has(version.topic)),
    references,
    capped(short, MOST_IN_SHORT),
    false,
  );
  const shown = [...isShown, ...siblings.taken];
  return {
    lines: [...matches, ...ofTopic(first.version.topic, siblings.texts), ...counted(counts, shown, last)],
    inFull,
  };
}

function ofTopic(topic: string, lines: readonly string[]): string[] {
  return lines.length > 0
    ? [`Other lessons of topic ${oneLine(topic)}; call with ids for the whole text:`, ...lines]
    : [];
}

function counted(topics: readonly TopicCount[], shown: readonly LessonLine[], budget: Budget): string[] {
  const left = leftOf(topics, shown);
  if (left.length === 0) return [];
  const count = left.reduce((sum, topic) => sum + topic.count, 0);
  return [
    `Other lessons: ${count} by topic; call with one to list it, or with detail "all": ${topicList(left, capped(budget, MOST_COUNTS))}`,
  ];
}
