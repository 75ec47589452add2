/** What search_memory answers: what matches in full, and where the rest is; or all that fits. */
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
import { findRecords, References, whyNone } from "../queries/references.ts";
import { countTopics, topicsOf } from "../queries/topics.ts";
import type { Answer } from "./answer.ts";
import { fitRecords } from "./fit-lessons.ts";
import { type Scope, showMatches } from "./matches.ts";
import { unknownTopic } from "./topic-text.ts";

/** What to make sure of where the memory knows nothing, for an agent that may be alone. */
const GAP_QUESTIONS = [
  "See which of these the task leaves open; ask about those if somebody is there, else state what you assume:",
  "1. constraints that the task does not mention",
  "2. versions of libraries, services or tools that it depends on",
  "3. approaches that were tried before and failed",
].join("\n");
const MOST_PROBLEMS = 10;
const COMPACTION_DUE = "compaction is due: call compact_memory";
const TOO_LARGE = "These are larger than an answer: read them in the file, or with sentinel-memory show ID.";

type Policy = MemoryPolicy["values"];

interface Search {
  readonly query?: string | undefined;
  readonly topic?: string | undefined;
  /** All that fits the client, rather than what matches. */
  readonly detail?: "all" | undefined;
  /** Which lessons it is about; all where it is absent. */
  readonly isMeant?: ((line: LessonLine) => boolean) | undefined;
}

/** Looks through all lessons, or a topic's. @param ranked all, best match first. @param isFirst nothing was given before. */
export function searchAnswer(
  snapshot: Snapshot,
  ranked: readonly RankedLine[],
  { query, topic, detail, isMeant }: Search,
  policy: Policy,
  budget: Budget,
  isFirst = false,
): Answer {
  if (snapshot.count === 0) {
    const text = present("The memory of this project is empty.", policy.ask_when_unknown && GAP_QUESTIONS).join("\n");
    return { text, snapshot };
  }
  const wanted = topic === undefined ? undefined : normalTopic(topic);
  const inTopic = wanted === undefined ? [] : ofTopic(ranked, wanted);
  const isUnknown = wanted !== undefined && inTopic.length === 0;
  const inScope = inTopic.length > 0 ? inTopic : ranked;
  const lines = isMeant ? inScope.filter(({ line }) => isMeant(line)) : inScope;
  const matching = query === undefined ? [] : clearMatches(lines, query);
  const scope = { snapshot, ranked: lines, matching, query, topic: isUnknown ? undefined : wanted };
  const head = present(
    isUnknown && `${unknownTopic(wanted)} Searched all.`,
    isMeant && countOfMeant(lines),
    ...headOf(scope, policy),
  );
  const room = without(budget, [...head, fenced([])].join("\n"));
  const { lines: texts, inFull } = detail === "all" ? showAll(scope, room) : showMatches(scope, room, isFirst);
  const text = [...head, fenced(texts)].join("\n");
  return withDue({ text, snapshot, shown: { lines: inFull } }, policy);
}

/** The lessons of some ids, as far as they are meant, and why there is none for the others. */
export function recordsById(
  snapshot: Snapshot,
  ids: readonly string[],
  isMeant: Search["isMeant"],
  policy: Policy,
  budget: Budget,
): Answer {
  const references = new References(snapshot);
  const found = new Set<LessonLine>();
  const problems: string[] = [];
  for (const id of new Set(ids)) {
    const named = findRecords(snapshot, id);
    if ("none" in named)
      problems.push(`${oneLine(id).trim().slice(0, 40) || '""'}: ${whyNone(named.none, "the memory")}.`);
    else for (const line of named.lines) found.add(line);
  }
  const lines = [...found].filter((line) => isMeant?.(line) ?? true);
  const head = present(
    isMeant && countOfMeant(lines),
    ...problems.slice(0, MOST_PROBLEMS),
    problems.length > MOST_PROBLEMS && `… and ${problems.length - MOST_PROBLEMS} more like these.`,
  );
  const room = without(budget, [...head, TOO_LARGE, fenced([])].join("\n"));
  const { blocks, inFull, rest } = fitRecords(lines, references, room);
  if (lines.length > 0 && blocks.length === 0) head.push(TOO_LARGE);
  const text = present(...head, lines.length > 0 && fenced([...blocks, ...rest])).join("\n");
  return withDue({ text, snapshot, shown: { lines: inFull } }, policy);
}

const countOfMeant = ({ length }: readonly unknown[]): string => `Of this type and time: ${plural(length, "lesson")}.`;

/** The lessons of a topic, however it is spelled. */
function ofTopic(ranked: readonly RankedLine[], topic: string): RankedLine[] {
  return ranked.filter(({ line }) => topicForm(line.version.topic) === topicForm(topic));
}

function headOf({ snapshot, ranked, matching, query, topic }: Scope, policy: Policy): string[] {
  const isUnknown = query !== undefined && matching.length === 0;
  return present(
    `[memory_log - ${plural(snapshot.count, "lesson")}]`,
    topic !== undefined && `Of this topic: ${plural(ranked.length, "lesson")}.`,
    isUnknown && `Nothing ${topic === undefined ? "here" : "in this topic"} clearly matches the query.`,
    isUnknown && topic === undefined && policy.ask_when_unknown && GAP_QUESTIONS,
  );
}

function showAll({ snapshot, ranked, topic }: Scope, budget: Budget) {
  const lines = ranked.map(({ line }) => line);
  const all = lines.length === snapshot.count ? topicsOf(snapshot) : countTopics(lines);
  const counted = topic === undefined ? all : undefined;
  const { blocks, inFull, rest } = fitRecords(lines, new References(snapshot), budget, counted);
  return { lines: [...blocks, ...rest], inFull };
}

function withDue(answer: Answer, { compact_threshold }: Policy): Answer {
  return compactionDue(answer.snapshot, compact_threshold) ? { ...answer, remark: COMPACTION_DUE } : answer;
}
