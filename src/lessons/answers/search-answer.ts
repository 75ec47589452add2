/** What search_memory answers: records, best match first, as many in full as fit. */
import { type Budget, shareOf, without } from "../../core/budget.ts";
import { fenced } from "../../core/fence.ts";
import { plural } from "../../core/text.ts";
import { normalTopic } from "../changes/draft.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import type { LessonLine } from "../merge/versions.ts";
import type { MemoryPolicy } from "../policy.ts";
import { compactionDue } from "../queries/compaction.ts";
import type { RankedLine } from "../queries/lesson-ranking.ts";
import { findById, References } from "../queries/references.ts";
import { topicsOf } from "../queries/topics.ts";
import type { Answer } from "./answer.ts";
import { fitRecords } from "./fit-records.ts";
import { noTopic, topicList } from "./record-text.ts";

/** The questions to ask where the memory knows nothing. */
const GAP_QUESTIONS = [
  "Before you start, ask the user:",
  "1. Which constraints must this work respect that the task does not mention?",
  "2. Does it depend on particular versions of libraries, services or tools?",
  "3. Has an approach been tried before that failed, and why?",
].join("\n");
/** The largest share of an answer that the list of topics at its head may take. */
const TOPICS_SHARE = 0.12;
const MOST_PROBLEMS = 10;
const TOO_LARGE = "These are larger than an answer: read them in the file, or with sentinel-memory show ID.";
const COMPACTION_DUE = "compaction is due: call compact_memory";

type Policy = MemoryPolicy["values"];

interface Search {
  readonly query?: string | undefined;
  readonly topic?: string | undefined;
}

/**
 * All records, or those of one topic.
 *
 * @param ranked all records, best match first.
 */
export function searchAnswer(
  snapshot: Snapshot,
  ranked: readonly RankedLine[],
  { query, topic }: Search,
  policy: Policy,
  budget: Budget,
): Answer {
  if (snapshot.count === 0) {
    return { text: ["The memory of this project is empty.", ...questions(policy)].join("\n"), snapshot };
  }
  if (topic === undefined) return withDue(allRecords(snapshot, ranked, query, policy, budget), policy);
  const wanted = normalTopic(topic);
  const lines = ranked.filter(({ line }) => normalTopic(line.version.topic) === wanted);
  if (lines.length > 0) return withDue(recordsOfTopic(snapshot, lines, query, budget), policy);
  const text = noTopic(wanted, topicsOf(snapshot), shareOf(budget, 0.5));
  return withDue({ text, snapshot, shown: { records: 0 } }, policy);
}

/** The records of some ids, and why there is none for the others. */
export function recordsById(snapshot: Snapshot, ids: readonly string[], policy: Policy, budget: Budget): Answer {
  const references = new References(snapshot);
  const found = new Set<LessonLine>();
  const problems: string[] = [];
  for (const id of new Set(ids)) {
    const lines = findById(snapshot, id);
    if (typeof lines === "string") problems.push(`${id.slice(0, 40)}: ${REASONS[lines]}.`);
    else for (const line of lines) found.add(line);
  }
  const head = [
    ...problems.slice(0, MOST_PROBLEMS),
    ...(problems.length > MOST_PROBLEMS ? [`… and ${problems.length - MOST_PROBLEMS} more like these.`] : []),
  ];
  const room = without(budget, [...head, TOO_LARGE, fenced([])].join("\n"));
  const { blocks, rest } = fitRecords([...found], references, room);
  if (found.size > 0 && blocks.length === 0) head.push(TOO_LARGE);
  const text = [...head, ...(found.size > 0 ? [fenced([...blocks, ...rest])] : [])].join("\n");
  return withDue({ text, snapshot, shown: { records: blocks.length } }, policy);
}

const REASONS = {
  ambiguous: "several records begin like this, give more digits",
  unknown: "no record has this id",
  "too short": "give 6 digits or more",
} as const;

function allRecords(
  snapshot: Snapshot,
  ranked: readonly RankedLine[],
  query: string | undefined,
  policy: Policy,
  budget: Budget,
): Answer {
  const head = [
    heading(snapshot),
    ...(nothingMatches(ranked, query)
      ? ["Nothing matches this query; all records follow, newest first.", ...questions(policy)]
      : []),
  ];
  return records(snapshot, ranked, head, budget, false);
}

function recordsOfTopic(
  snapshot: Snapshot,
  ranked: readonly RankedLine[],
  query: string | undefined,
  budget: Budget,
): Answer {
  const head = [
    heading(snapshot),
    `Of this topic: ${plural(ranked.length, "record")}.`,
    ...(nothingMatches(ranked, query) ? ["None of them matches the query; all of them follow, newest first."] : []),
  ];
  return records(snapshot, ranked, head, budget, true);
}

function records(
  snapshot: Snapshot,
  ranked: readonly RankedLine[],
  head: readonly string[],
  budget: Budget,
  withinTopic: boolean,
): Answer {
  // The topics are stored text too, so they stand inside the fence.
  const topics = `topics: ${topicList(topicsOf(snapshot), shareOf(budget, TOPICS_SHARE))}`;
  const room = without(budget, [...head, fenced([topics])].join("\n"));
  const lines = ranked.map(({ line }) => line);
  const counted = withinTopic ? undefined : topicsOf(snapshot);
  const { blocks, rest } = fitRecords(lines, new References(snapshot), room, counted);
  const text = [...head, fenced([topics, ...blocks, ...rest])].join("\n");
  return { text, snapshot, shown: { records: blocks.length } };
}

function heading(snapshot: Snapshot): string {
  return `[memory_log - ${plural(snapshot.count, "record")}]`;
}

function nothingMatches(ranked: readonly RankedLine[], query: string | undefined): boolean {
  return query !== undefined && ranked.every(({ relevance }) => relevance === 0);
}

function questions({ ask_when_unknown }: Policy): string[] {
  return ask_when_unknown ? [GAP_QUESTIONS] : [];
}

function withDue(answer: Answer, { compact_threshold }: Policy): Answer {
  return compactionDue(answer.snapshot, compact_threshold) ? { ...answer, remark: COMPACTION_DUE } : answer;
}
