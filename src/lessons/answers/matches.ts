/** The lessons that a search shows: clear matches in full, a heading, then titles of near lessons. If none matches, titles of all. */
import { type Budget, capped, shareOf, without } from "../../ground/core/budget.ts";
import { memoizeByObject } from "../../ground/core/memoize-by-object.ts";
import { oneLine } from "../../ground/core/text.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { topicForm } from "../format/forms.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { mostImportantFirst } from "../queries/importance.ts";
import type { RankedLine } from "../queries/lesson-ranking.ts";
import { References } from "../queries/references.ts";
import {
  named,
  notShown,
  OF_A_TOPIC,
  OF_ALL,
  packInFull,
  packInShort,
  type Shown,
} from "./fit-lessons.ts";
import { BY_TITLE, titlesOf } from "./titles.ts";

/** The lessons of a search. */
export interface Scope {
  readonly snapshot: Snapshot;
  /** All lessons, or those of some topics, best match first. */
  readonly ranked: readonly RankedLine[];
  readonly matching: readonly RankedLine[];
  readonly query: string | undefined;
  /** The only topics that are searched. Empty for all. */
  readonly topics: readonly string[];
}

const MOST_MATCHES = 15;
/** A memory up to this many tokens is returned whole. */
const SMALL_MEMORY = 400;
/** The same, in tokens, while the client has seen nothing of it. */
const FIRST_SIGHT = 800;
const MOST_IN_FULL = 1_500;
const MOST_OF_A_TOPIC = 600;
/** In tokens: titles fill what matches leave of it. */
const MATCHES_AND_TITLES = 400;
/** In tokens: the least that titles have where not all that matches is in full. */
const UNSHOWN_MATCHES = 100;
const MOST_NEAR = 25;
/** The tokens for titles if nothing matches: enough for all of some three hundred lessons. */
const TITLES_ALONE = { least: 400, each: 9, most: 2_600 };

const WHOLE = "Other lessons, in full because there are few:";
/** Reserves room for the lines between the layers. */
const RESERVE = "a layer ".repeat(24);

/** The lines inside the fence. Without a query, the newest lessons come first. @param isFirst whether the client has seen no lesson yet. */
export function showMatches(scope: Scope, budget: Budget, isFirst: boolean): Shown {
  const references = new References(scope.snapshot);
  const matching = scope.matching.map(({ line }) => line);
  const isMatching = new Set(matching);
  const others = scope.ranked.map(({ line }) => line).filter((line) => !isMatching.has(line));
  const most = isFirst ? FIRST_SIGHT : SMALL_MEMORY;
  const whole = packInFull([...matching, ...others], references, capped(budget, most));
  if (whole.left.length > 0) return showLayers(scope, matching, others, references, budget);
  const matches = whole.texts.slice(0, matching.length);
  const rest = whole.texts.slice(matching.length);
  const heading = scope.query === undefined || rest.length === 0 ? [] : [WHOLE];
  return { lines: [...matches, ...heading, ...rest], inFull: whole.taken, isPart: false };
}

function showLayers(
  scope: Scope,
  matching: readonly LessonLine[],
  others: readonly LessonLine[],
  references: References,
  budget: Budget,
): Shown {
  const { query, topics } = scope;
  const hasTopics = topics.length > 0;
  const room = without(budget, RESERVE);
  // Without a query or with a topic, the newest lessons are worth showing anyway.
  const fallback = query === undefined || hasTopics ? others : [];
  const best = matching.length > 0 ? matching : fallback;
  const shares = hasTopics ? OF_A_TOPIC : OF_ALL;
  const full = packInFull(
    best.slice(0, MOST_MATCHES),
    references,
    capped(shareOf(room, shares.full), MOST_IN_FULL),
  );
  const inFull = full.taken;
  const isShown = new Set(inFull);
  const unshown = [...matching, ...others].filter((line) => !isShown.has(line));
  if (hasTopics) {
    const short = capped(shareOf(room, shares.index), MOST_OF_A_TOPIC);
    const { texts, left } = packInShort(unshown, references, short, false);
    const rest = named(left, references, shareOf(room, shares.last));
    const heading = `Other lessons of topic ${oneLine(topics.join(", "))}. For the full text, call with ids:`;
    return {
      lines: [...full.texts, ...below(heading, texts), ...rest],
      inFull,
      isPart: unshown.length > 0,
    };
  }
  const titled = toBeTitled(scope, matching, unshown);
  const tokens =
    matching.length === 0
      ? tokensAlone(titled.length)
      : tokensBeside(full.texts, inFull.length < matching.length);
  const titles = titlesOf(titled, capped(shareOf(room, shares.index), tokens));
  const left = unshown.length - titles.taken.length;
  return {
    lines: [...full.texts, ...below(BY_TITLE, titles.texts), ...notShown(left)],
    inFull,
    isPart: inFull.length < best.length,
  };
}

/** The tokens for the titles if nothing matches. */
function tokensAlone(count: number): number {
  const { least, each, most } = TITLES_ALONE;
  return Math.min(most, Math.max(least, each * count));
}

/** The tokens for the titles below matches. */
function tokensBeside(matches: readonly string[], isPart: boolean): number {
  const left = MATCHES_AND_TITLES - estimateTokens(matches.join("\n"));
  return Math.max(isPart ? UNSHOWN_MATCHES : 0, left);
}

const below = (heading: string, texts: readonly string[]): readonly string[] =>
  texts.length > 0 ? [heading, ...texts] : [];

/** The lessons to list by title: those that share a word with the query, then the best match's topic. Without a match all, the most important first. */
function toBeTitled(
  { snapshot, ranked }: Scope,
  matching: readonly LessonLine[],
  unshown: readonly LessonLine[],
): readonly LessonLine[] {
  const sharing = ranked.filter(({ sharedWords }) => sharedWords > 0).map(({ line }) => line);
  const isNear = new Set([...matching, ...sharing]);
  const near = unshown.filter((line) => isNear.has(line));
  const others = new Set(unshown.filter((line) => !isNear.has(line)));
  const [first] = matching;
  if (first === undefined)
    return [...near, ...inOrder(snapshot.lessons()).filter((line) => others.has(line))];
  const form = topicForm(first.version.topic);
  return [...near, ...[...others].filter(({ version }) => topicForm(version.topic) === form)].slice(
    0,
    MOST_NEAR,
  );
}

const inOrder = memoizeByObject((lessons: readonly LessonLine[]) =>
  [...lessons].sort(mostImportantFirst),
);
