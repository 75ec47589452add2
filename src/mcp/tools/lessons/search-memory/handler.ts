import { COMPACT_THRESHOLD } from "../../../../core/config.ts";
import { type Budget, shareOf, without } from "../../../../core/budget.ts";
import { compactionDue } from "../../../../lessons/queries/compaction.ts";
import { normalTopic } from "../../../../lessons/changes/draft.ts";
import { layOut } from "../../../../lessons/answers/fit-records.ts";
import type { Ledger } from "../../../../lessons/merge/snapshot.ts";
import {
  fenced,
  fileReport,
  GAP_QUESTIONS,
  noTopic,
  plural,
  topicList,
  unrecognised,
} from "../../../../lessons/answers/presentation.ts";
import { findById, References } from "../../../../lessons/queries/references.ts";
import { topicsOf } from "../../../../lessons/queries/topics.ts";
import type { LessonLine } from "../../../../lessons/merge/versions.ts";
import type { Answer, ToolContext } from "../../../tool.ts";
import type { Input } from "./definition.ts";

export async function searchMemory(input: Input, context: ToolContext): Promise<Answer> {
  const ledger = await context.store.read();
  const { text, receipt } = await answer(ledger, input, context);
  return { text, receipt: compactionDue(ledger, COMPACT_THRESHOLD) ? `${receipt} | ${COMPACTION_DUE}` : receipt };
}

const COMPACTION_DUE = "compaction is due: call compact_memory";

async function answer(ledger: Ledger, { query, topic, ids }: Input, context: ToolContext): Promise<Answer> {
  if (ids && ids.length > 0) return byIds(ledger, ids, context);
  if (ledger.count === 0) return nothingYet(ledger);
  const ranked = await context.rank(ledger, query ?? "");
  if (topic === undefined) return all(ledger, ranked, query, context.budget);
  const wanted = normalTopic(topic);
  const lines = ranked.filter(({ line }) => normalTopic(line.version.topic) === wanted);
  return lines.length > 0 ? ofTopic(ledger, lines, query, context.budget) : noSuchTopic(ledger, wanted, context.budget);
}

type RankedLines = Awaited<ReturnType<ToolContext["rank"]>>;

/** Of an answer, at most, for the topics in its head. */
const HEAD_SHARE = 0.12;

function all(ledger: Ledger, ranked: RankedLines, query: string | undefined, budget: Budget): Answer {
  const nothingMatches = query !== undefined && ranked.every(({ relevance }) => relevance === 0);
  const head = [
    ...heading(ledger),
    ...(nothingMatches ? [`Nothing matches this query; all records follow, newest first.\n${GAP_QUESTIONS}`] : []),
  ];
  return records(ledger, ranked, head, budget, false);
}

function ofTopic(ledger: Ledger, ranked: RankedLines, query: string | undefined, budget: Budget): Answer {
  const nothingMatches = query !== undefined && ranked.every(({ relevance }) => relevance === 0);
  const head = [
    ...heading(ledger),
    `Of this topic: ${plural(ranked.length, "record")}.`,
    ...(nothingMatches ? ["None of them matches the query; all of them follow, newest first."] : []),
  ];
  return records(ledger, ranked, head, budget, true);
}

function records(ledger: Ledger, ranked: RankedLines, head: string[], budget: Budget, withinTopic: boolean): Answer {
  // The topics are stored text too, so they stand inside the fence.
  const topics = `topics: ${topicList(topicsOf(ledger), shareOf(budget, HEAD_SHARE))}`;
  const room = without(budget, [...head, fenced([topics])].join("\n"));
  const lines = ranked.map(({ line }) => line);
  const { blocks, rest } = layOut(lines, new References(ledger), room, withinTopic ? undefined : topicsOf(ledger));
  return {
    text: [...head, fenced([topics, ...blocks, ...rest])].join("\n"),
    receipt: `${blocks.length} of ${plural(ledger.count, "record")} in full`,
  };
}

function byIds(ledger: Ledger, ids: readonly string[], { budget }: ToolContext): Answer {
  const references = new References(ledger);
  const found = new Set<LessonLine>();
  const problems: string[] = [];
  for (const id of new Set(ids)) {
    const lines = findById(ledger, id);
    if (typeof lines === "string") problems.push(`${id.slice(0, 40)}: ${REASONS[lines]}.`);
    else for (const line of lines) found.add(line);
  }
  const told = [
    ...unrecognised(ledger),
    ...problems.slice(0, MOST_PROBLEMS),
    ...(problems.length > MOST_PROBLEMS ? [`… and ${problems.length - MOST_PROBLEMS} more like these.`] : []),
  ];
  const room = without(budget, [...told, TOO_LARGE, fenced([])].join("\n"));
  const { blocks, rest } = layOut([...found], references, room);
  if (found.size > 0 && blocks.length === 0) told.push(TOO_LARGE);
  return {
    text: [...told, ...(found.size > 0 ? [fenced([...blocks, ...rest])] : [])].join("\n"),
    receipt: `${blocks.length} of ${plural(ledger.count, "record")} in full`,
  };
}

const MOST_PROBLEMS = 10;
const TOO_LARGE = "These are larger than an answer: read them in the file, or with sentinel-memory show ID.";

const REASONS = {
  ambiguous: "several records begin like this, give more digits",
  unknown: "no record has this id",
  "too short": "give 6 digits or more",
} as const;

function nothingYet(ledger: Ledger): Answer {
  const text = [...fileReport(ledger), "The memory of this project is empty.", GAP_QUESTIONS].join("\n");
  return { text, receipt: "0 records" };
}

function noSuchTopic(ledger: Ledger, topic: string, budget: Budget): Answer {
  return {
    text: [...fileReport(ledger), noTopic(topic, topicsOf(ledger), shareOf(budget, 0.5))].join("\n"),
    receipt: `0 of ${plural(ledger.count, "record")}`,
  };
}

function heading(ledger: Ledger): string[] {
  return [`[memory_log - ${plural(ledger.count, "record")}]`, ...fileReport(ledger)];
}
