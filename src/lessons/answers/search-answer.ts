/** The answer of search_memory: matches in full and titles of the rest, or all lessons that fit. Never cuts a lesson. (docs/design/lessons.md, "Answers") */
import {
  type Budget,
  capped,
  type Packed,
  pack,
  shareOf,
  without,
} from "../../ground/core/budget.ts";
import { fenced, oneLine, plural, present } from "../../ground/core/text.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { normalTopic } from "../changes/field-text.ts";
import { topicForm } from "../format/lesson.ts";
import { block, indexLine } from "../format/lesson-text.ts";
import type { LessonLine, Snapshot } from "../merge/versions.ts";
import type { MemoryPolicy } from "../policy.ts";
import { clearMatches, mostImportantFirst, type RankedLine } from "../queries/lesson-ranking.ts";
import { findLesson, References, WHY_NONE } from "../queries/references.ts";
import { lessonsOfTopic } from "../queries/topics.ts";
import type { Answer } from "./answer.ts";
import { BY_TITLE, titlesOf, unknownTopic } from "./titles.ts";

/** Questions for a task that no lesson matches. The agent may have no user to ask. */
const GAP_QUESTIONS = [
  "Check which of these the task leaves open. Ask the user, or if you can't, state your assumptions:",
  "1. constraints the task does not mention",
  "2. versions of the libraries, services or tools it depends on",
  "3. approaches that were tried before and failed",
].join("\n");
const NO_MATCH = "Nothing here clearly matches the query.";
const ONLY_STOP_WORDS = "The query has only stop words. Name the things that the task is about.";
const MOST_PROBLEMS = 10;
const TOO_LARGE =
  "These are too large for one answer. Read them in the file, or run sentinel-memory show ID.";
const WHOLE = "Other lessons, in full because there are few:";
const INDEX_HEADING = "Id, title, relevance from 0 to 1. To read some in full, call with ids:";
/** Reserves room for the lines between the layers. */
const RESERVE = "a layer ".repeat(24);

/** A memory up to this many tokens is returned whole. */
const SMALL_MEMORY = 400;
/** The tokens for matches and titles together. Titles fill the space that the matches leave. */
const MATCHES_AND_TITLES = 400;
/** The fewest tokens for titles if not all matches are shown in full. */
const UNSHOWN_MATCHES = 100;
const MOST_NEAR = 25;
/** The tokens for titles of all lessons, enough for about 300. */
const TITLES_OF_ALL = { least: 400, each: 9, most: 2_600 };
/** The most lessons shown in full if others are listed by title: for matches, and for a request for all lessons. */
const IN_FULL = {
  matches: { share: 0.6, lessons: 15, tokens: 1_500 },
  all: { share: 0.8, lessons: Number.POSITIVE_INFINITY, tokens: Number.POSITIVE_INFINITY },
};

type Policy = MemoryPolicy["values"];
type Detail = "matches" | "all" | "titles";

interface Search {
  readonly query?: string | undefined;
  /** Only these topics. Empty for all. */
  readonly topics?: readonly string[];
  /** Default: the policy's setting. */
  readonly detail?: "all" | "titles" | undefined;
  /** Selects the lessons to search. Absent for all. */
  readonly isMeant?: ((line: LessonLine) => boolean) | undefined;
}

/** The lines inside the fence of an answer. */
interface Shown {
  readonly lines: readonly string[];
  readonly inFull: readonly LessonLine[];
  /** Whether lessons that the caller asked for are not in full. */
  readonly isPart: boolean;
}

/** The lessons of a search. */
interface Scope {
  readonly snapshot: Snapshot;
  /** All lessons, or those of some topics, best match first. */
  readonly ranked: readonly RankedLine[];
  readonly matching: readonly LessonLine[];
  readonly hasQuery: boolean;
  readonly hasTopics: boolean;
}

/** Looks through all lessons, or a topic's. @param ranked all, best match first. */
export function searchAnswer(
  snapshot: Snapshot,
  ranked: readonly RankedLine[],
  { query, topics = [], detail, isMeant }: Search,
  policy: Policy,
  budget: Budget,
): Answer {
  const questions = policy.ask_when_unknown ? GAP_QUESTIONS : "";
  if (snapshot.count === 0) {
    const text = present("The memory of this project is empty.", questions).join("\n");
    return { text, snapshot };
  }
  const wanted = topicsNamed(ranked, topics);
  const known = wanted.filter((topic) => ofTopics(ranked, [topic]).length > 0);
  const unknown = wanted.filter((topic) => !known.includes(topic));
  const hasTopics = known.length > 0;
  const inScope = hasTopics ? ofTopics(ranked, known) : ranked;
  const lines = isMeant ? inScope.filter(({ line }) => isMeant(line)) : inScope;
  const matching = query === undefined ? [] : clearMatches(lines, query);
  const isUnknown = query !== undefined && lines.length > 0 && matching.length === 0;
  const problems = present(
    ...unknown.slice(0, MOST_PROBLEMS).map(unknownTopic),
    wanted.length > 0 && !hasTopics && "Searched all topics.",
  );
  const head = present(
    problems.join(" "),
    `[memory_log - ${plural(snapshot.count, "lesson")}]`,
    (hasTopics || isMeant) && countInScope(known, isMeant !== undefined, lines.length),
    isUnknown && (tokenize(query).length > 0 ? NO_MATCH : ONLY_STOP_WORDS),
    isUnknown && !hasTopics && questions,
  );
  const room = without(budget, [...head, fenced([])].join("\n"));
  const scope: Scope = {
    snapshot,
    ranked: lines,
    matching: matching.map(({ line }) => line),
    hasQuery: query !== undefined,
    hasTopics,
  };
  return answerOf(snapshot, head, showLessons(scope, detail ?? policy.answers, room));
}

/** Returns the lessons with the given ids that the filter allows, and for each other id the reason why it has no lesson. */
export function recordsById(
  snapshot: Snapshot,
  ids: readonly string[],
  isMeant: Search["isMeant"],
  budget: Budget,
): Answer {
  const found = new Set<LessonLine>();
  const problems: string[] = [];
  for (const id of new Set(ids)) {
    const named = findLesson(snapshot, id);
    if ("none" in named) {
      const name = oneLine(id).trim().slice(0, 40) || '""';
      problems.push(`${name}: ${WHY_NONE[named.none]}.`);
    } else {
      found.add(named.line);
    }
  }
  const lines = [...found].filter((line) => isMeant?.(line) ?? true);
  const head = present(
    isMeant && found.size > 0 && countInScope([], true, lines.length),
    ...problems.slice(0, MOST_PROBLEMS),
    problems.length > MOST_PROBLEMS && `… and ${problems.length - MOST_PROBLEMS} more like these.`,
  );
  const room = without(budget, [...head, TOO_LARGE, fenced([]), RESERVE].join("\n"));
  const { texts, taken, left } = packInFull(lines, snapshot, room);
  const more = present(left.length > 0 && `${left.length} more. Call with fewer ids.`);
  const isPart = left.length > 0;
  const shown = { lines: [...texts, ...more], inFull: taken, isPart };
  const answer = answerOf(snapshot, head, shown);
  return isPart && taken.length === 0 ? { ...answer, advice: TOO_LARGE } : answer;
}

/** Counts the lessons of a narrowed search, because an empty list wouldn't explain why it's empty. */
function countInScope(topics: readonly string[], isNarrowed: boolean, count: number): string {
  const ofTopic = topics.length > 1 ? "these topics" : topics.length > 0 && "this topic";
  const scope = present(ofTopic, isNarrowed && "this type and time").join(", ");
  const others = count === 0 ? " To search the others, call again without that filter." : "";
  return `Of ${scope}: ${plural(count, "lesson")}.${others}`;
}

function answerOf(
  snapshot: Snapshot,
  head: readonly string[],
  { lines, inFull, isPart }: Shown,
): Answer {
  const text = present(...head, lines.length > 0 && fenced(lines)).join("\n");
  return { text, snapshot, shown: { lines: inFull, isPart } };
}

/** Returns the lessons of some topics, in any spelling. */
function ofTopics(ranked: readonly RankedLine[], topics: readonly string[]): RankedLine[] {
  const forms = new Set(topics.map(topicForm));
  return ranked.filter(({ line }) => forms.has(topicForm(line.version.topic)));
}

/** The topics in a search, separated by commas, unless a lesson has the whole text as its topic. */
function topicsNamed(ranked: readonly RankedLine[], given: readonly string[]): string[] {
  const names = given.map((text) =>
    ofTopics(ranked, [normalTopic(text)]).length > 0 ? text : text.split(","),
  );
  const topics = names.flat().map(normalTopic);
  return [...new Set(topics)].filter(Boolean);
}

function showLessons(scope: Scope, detail: Detail, budget: Budget): Shown {
  if (scope.ranked.length === 0) {
    return { lines: [], inFull: [], isPart: false };
  }
  if (detail === "titles") {
    return showIndex(scope, budget);
  }
  const all = scope.ranked.map(({ line }) => line);
  const bestFirst = [...new Set([...scope.matching, ...all])];
  const most = detail === "all" ? budget : capped(budget, SMALL_MEMORY);
  const whole = packInFull(bestFirst, scope.snapshot, most);
  if (whole.left.length === 0) {
    return showWhole(scope, whole, detail);
  }
  return showPart(scope, bestFirst, detail, without(budget, RESERVE));
}

/** All lessons in full. A heading marks the end of the matches. */
function showWhole(
  { matching, hasQuery }: Scope,
  { texts, taken }: Packed<LessonLine>,
  detail: Detail,
): Shown {
  const rest = texts.slice(matching.length);
  const hasHeading = detail === "matches" && hasQuery && rest.length > 0;
  const lines = present(...texts.slice(0, matching.length), hasHeading && WHOLE, ...rest);
  return { lines, inFull: taken, isPart: false };
}

/** Some lessons in full, then titles. Without a query or with a topic, the newest lessons are worth showing though none matches. */
function showPart(
  scope: Scope,
  bestFirst: readonly LessonLine[],
  detail: "matches" | "all",
  room: Budget,
): Shown {
  const { snapshot, matching, hasQuery, hasTopics } = scope;
  const hasMatches = matching.length > 0 || (hasQuery && !hasTopics);
  const best = detail === "matches" && hasMatches ? matching : bestFirst;
  const { share, lessons, tokens } = IN_FULL[detail];
  const full = packInFull(best.slice(0, lessons), snapshot, capped(shareOf(room, share), tokens));
  const isPart = full.taken.length < best.length;

  const isShown = new Set(full.taken);
  const unshown = bestFirst.filter((line) => !isShown.has(line));
  const isOfAll = detail === "all" || hasTopics || matching.length === 0;
  const titled = nearFirst(scope, unshown, isOfAll);
  const most = isOfAll ? tokensForAll(titled.length) : tokensBeside(full.texts, isPart);
  const titles = titlesOf(titled, capped(shareOf(room, 1 - share), most));
  const lines = [...full.texts];
  if (titles.texts.length > 0) {
    lines.push(BY_TITLE, ...titles.texts);
  }
  lines.push(...notShown(unshown.length - titles.taken.length));
  return { lines, inFull: full.taken, isPart };
}

/** One line per lesson with its id, title and relevance: those that match, or all if none does. */
function showIndex({ snapshot, ranked }: Scope, budget: Budget): Shown {
  const references = new References(snapshot);
  const matching = ranked.filter(({ comesUp, relevance }) => comesUp || relevance > 0);
  const listed = matching.length > 0 ? matching : ranked;
  const room = without(budget, INDEX_HEADING + RESERVE);
  const { texts, left } = pack(listed, room, ({ line, relevance }) => {
    return `${indexLine(line.version, references.short(line))} | ${relevance.toFixed(2)}`;
  });
  const lines = [INDEX_HEADING, ...texts, ...notShown(ranked.length - texts.length)];
  return { lines, inFull: [], isPart: left.length > 0 };
}

/** The lessons that fit in full, numbered from one. */
function packInFull(
  lines: readonly LessonLine[],
  snapshot: Snapshot,
  budget: Budget,
): Packed<LessonLine> {
  const references = new References(snapshot);
  return pack(lines, budget, (line, place) =>
    block(line.version, place, references.short(line), line.also),
  );
}

/** The line about lessons that aren't in an answer at all. */
const notShown = (count: number): string[] =>
  present(count > 0 && `Other lessons, not shown: ${count}`);

function tokensForAll(count: number): number {
  const { least, each, most } = TITLES_OF_ALL;
  return Math.min(most, Math.max(least, each * count));
}

function tokensBeside(matches: readonly string[], isPart: boolean): number {
  const left = MATCHES_AND_TITLES - estimateTokens(matches.join("\n"));
  return Math.max(isPart ? UNSHOWN_MATCHES : 0, left);
}

/** The lessons that match or share a word with the query, then all others, the most important first, or a few of the best match's topic. */
function nearFirst(
  { ranked, matching }: Scope,
  unshown: readonly LessonLine[],
  isOfAll: boolean,
): LessonLine[] {
  const near = new Set(matching);
  for (const { line, sharedWords } of ranked) {
    if (sharedWords > 0) {
      near.add(line);
    }
  }
  const first = unshown.filter((line) => near.has(line));
  const others = unshown.filter((line) => !near.has(line));
  if (isOfAll) {
    return [...first, ...others.sort(mostImportantFirst)];
  }
  const topic = matching[0]?.version.topic ?? "";
  return [...first, ...lessonsOfTopic(others, topic)].slice(0, MOST_NEAR);
}
