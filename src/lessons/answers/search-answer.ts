/** The answer of search_memory: matches in full and how to read the rest, or all lessons that fit. */
import { type Budget, without } from "../../ground/core/budget.ts";
import { fenced, oneLine, plural, present } from "../../ground/core/text.ts";
import { normalTopic } from "../changes/field-text.ts";
import { topicForm } from "../format/forms.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import type { MemoryPolicy } from "../policy.ts";
import { clearMatches } from "../queries/clear-matches.ts";
import { compactionDue } from "../queries/compaction.ts";
import type { RankedLine } from "../queries/lesson-ranking.ts";
import { type Narrowing, noneMeant } from "../queries/narrowed.ts";
import { findRecords, References, WHY_NONE } from "../queries/references.ts";
import type { Answer } from "./answer.ts";
import { fitRecords, type Shown } from "./fit-lessons.ts";
import { type Scope, showMatches } from "./matches.ts";
import { unknownTopic } from "./topic-text.ts";
import { showAll, showIndex } from "./whole-memory.ts";

/** Questions for a task that no lesson matches. The agent may have no user to ask. */
const GAP_QUESTIONS = [
  "Check which of these the task leaves open. Ask the user, or if you can't, state your assumptions:",
  "1. constraints the task does not mention",
  "2. versions of the libraries, services or tools it depends on",
  "3. approaches that were tried before and failed",
].join("\n");
const MOST_PROBLEMS = 10;
const COMPACTION_DUE = "compaction is due: call compact_memory";
const TOO_LARGE =
  "These are too large for one answer. Read them in the file, or run sentinel-memory show ID.";

type Policy = MemoryPolicy["values"];

interface Search extends Narrowing {
  readonly query?: string | undefined;
  /** Only these topics. Empty for all. */
  readonly topics?: readonly string[];
  /** Default: as the policy says. */
  readonly detail?: "all" | "titles" | undefined;
  /** Which lessons it is about. Absent for all. */
  readonly isMeant?: ((line: LessonLine) => boolean) | undefined;
}

/** Looks through all lessons, or a topic's. @param ranked all, best match first. @param isFirst nothing was given before. */
export function searchAnswer(
  snapshot: Snapshot,
  ranked: readonly RankedLine[],
  { query, topics = [], detail, isMeant, ...narrowed }: Search,
  policy: Policy,
  budget: Budget,
  isFirst = false,
): Answer {
  if (snapshot.count === 0) {
    const text = present(
      "The memory of this project is empty.",
      policy.ask_when_unknown && GAP_QUESTIONS,
    ).join("\n");
    return { text, snapshot };
  }
  const wanted = topicsNamed(ranked, topics);
  const known = wanted.filter((topic) => ofTopics(ranked, [topic]).length > 0);
  const unknown = wanted.filter((topic) => !known.includes(topic)).map(unknownTopic);
  const inScope = known.length > 0 ? ofTopics(ranked, known) : ranked;
  const lines = isMeant ? inScope.filter(({ line }) => isMeant(line)) : inScope;
  const problems = present(
    ...unknown.slice(0, MOST_PROBLEMS),
    wanted.length > 0 && known.length === 0 && "Searched all topics.",
  );
  const matching = query === undefined ? [] : clearMatches(lines, query);
  const scope = { snapshot, ranked: lines, matching, query, topics: known };
  if (lines.length === 0) return nothingMeant(snapshot, known, narrowed, problems);
  const head = present(
    problems.join(" "),
    isMeant && countOfMeant(lines),
    ...headOf(scope, policy),
  );
  const room = without(budget, [...head, fenced([])].join("\n"));
  const shown = showLessons(scope, room, detail ?? policy.answers, isFirst);
  const text = [...head, fenced(shown.lines)].join("\n");
  return withDue({ text, snapshot, shown: { lines: shown.inFull, isPart: shown.isPart } }, policy);
}

/** The lessons of some ids that the filter allows, and why the other ids have none. */
export function recordsById(
  snapshot: Snapshot,
  ids: readonly string[],
  { isMeant, ...narrowed }: Pick<Search, "isMeant"> & Narrowing,
  policy: Policy,
  budget: Budget,
): Answer {
  const references = new References(snapshot);
  const found = new Set<LessonLine>();
  const problems: string[] = [];
  for (const id of new Set(ids)) {
    const named = findRecords(snapshot, id);
    if ("none" in named)
      problems.push(`${oneLine(id).trim().slice(0, 40) || '""'}: ${WHY_NONE[named.none]}.`);
    else for (const line of named.lines) found.add(line);
  }
  const lines = [...found].filter((line) => isMeant?.(line) ?? true);
  const head = present(
    isMeant &&
      (lines.length > 0
        ? countOfMeant(lines)
        : found.size > 0 && noneMeant("None of these lessons", narrowed)),
    ...problems.slice(0, MOST_PROBLEMS),
    problems.length > MOST_PROBLEMS && `… and ${problems.length - MOST_PROBLEMS} more like these.`,
  );
  const room = without(budget, [...head, TOO_LARGE, fenced([])].join("\n"));
  const { texts, inFull } = fitRecords(lines, references, room);
  const text = present(...head, lines.length > 0 && fenced(texts)).join("\n");
  const isPart = inFull.length < lines.length;
  const answer = withDue({ text, snapshot, shown: { lines: inFull, isPart } }, policy);
  return lines.length > 0 && inFull.length === 0 ? { ...answer, advice: TOO_LARGE } : answer;
}

const countOfMeant = ({ length }: readonly unknown[]): string =>
  `Of this type and time: ${plural(length, "lesson")}.`;

/** An empty list would not say why it is empty. */
function nothingMeant(
  snapshot: Snapshot,
  topics: readonly string[],
  narrowed: Narrowing,
  problems: string[],
): Answer {
  const where = topics.length > 0 ? ` in topic ${oneLine(topics.join(", "))}` : "";
  const none = noneMeant(`No lesson${where}`, narrowed);
  const lines = [
    sizeOf(snapshot),
    ...problems,
    `${none} To search the others, call again without that filter.`,
  ];
  return { text: lines.join("\n"), snapshot, shown: { lines: [], isPart: false } };
}

const sizeOf = ({ count }: Snapshot): string => `[memory_log - ${plural(count, "lesson")}]`;

/** The lessons of some topics, however these are spelled. */
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
  return [...new Set(topics)].filter((topic) => topic !== "");
}

function headOf({ snapshot, ranked, matching, query, topics }: Scope, policy: Policy): string[] {
  const isUnknown = query !== undefined && matching.length === 0;
  const hasTopics = topics.length > 0;
  const these = topics.length > 1 ? "these topics" : "this topic";
  return present(
    sizeOf(snapshot),
    hasTopics && `Of ${these}: ${plural(ranked.length, "lesson")}.`,
    isUnknown && `Nothing ${hasTopics ? `in ${these}` : "here"} clearly matches the query.`,
    isUnknown && !hasTopics && policy.ask_when_unknown && GAP_QUESTIONS,
  );
}

function showLessons(
  scope: Scope,
  budget: Budget,
  detail: "matches" | "all" | "titles",
  isFirst: boolean,
): Shown {
  if (detail === "all") return showAll(scope, budget);
  if (detail === "titles") return showIndex(scope, budget);
  return showMatches(scope, budget, isFirst);
}

function withDue(answer: Answer, { compact_threshold }: Policy): Answer {
  return compactionDue(answer.snapshot, compact_threshold)
    ? { ...answer, remark: COMPACTION_DUE }
    : answer;
}
