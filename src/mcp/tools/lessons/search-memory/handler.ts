import { type Budget, shareOf, without } from "../../../../core/budget.ts";
import { fitRecords } from "../../../../lessons/answers/fit-records.ts";
import { fenced, GAP_QUESTIONS, noTopic, plural, topicList } from "../../../../lessons/answers/presentation.ts";
import { normalTopic } from "../../../../lessons/changes/draft.ts";
import type { Snapshot } from "../../../../lessons/merge/snapshot.ts";
import type { LessonLine } from "../../../../lessons/merge/versions.ts";
import { compactionDue } from "../../../../lessons/queries/compaction.ts";
import { findById, References } from "../../../../lessons/queries/references.ts";
import { topicsOf } from "../../../../lessons/queries/topics.ts";
import type { Answer, ToolContext } from "../../../tool.ts";
import type { Input } from "./definition.ts";

export async function searchMemory(input: Input, context: ToolContext): Promise<Answer> {
  const snapshot = await context.store.read();
  const { text, receipt } = await answer(snapshot, input, context);
  return {
    text,
    receipt: compactionDue(snapshot, context.policy.values.compact_threshold)
      ? `${receipt} | ${COMPACTION_DUE}`
      : receipt,
  };
}

const COMPACTION_DUE = "compaction is due: call compact_memory";

async function answer(snapshot: Snapshot, { query, topic, ids }: Input, context: ToolContext): Promise<Answer> {
  if (ids && ids.length > 0) return byIds(snapshot, ids, context);
  if (snapshot.count === 0) return nothingYet(context);
  const ranked = await context.rank(snapshot, query ?? "");
  if (topic === undefined) return all(snapshot, ranked, query, context);
  const wanted = normalTopic(topic);
  const lines = ranked.filter(({ line }) => normalTopic(line.version.topic) === wanted);
  return lines.length > 0 ? ofTopic(snapshot, lines, query, context) : noSuchTopic(snapshot, wanted, context);
}

type RankedLines = Awaited<ReturnType<ToolContext["rank"]>>;

/** Of an answer, at most, for the topics in its head. */
const HEAD_SHARE = 0.12;

function all(snapshot: Snapshot, ranked: RankedLines, query: string | undefined, context: ToolContext): Answer {
  const nothingMatches = query !== undefined && ranked.every(({ relevance }) => relevance === 0);
  const head = [
    heading(snapshot),
    ...(nothingMatches ? ["Nothing matches this query; all records follow, newest first.", ...questions(context)] : []),
  ];
  return records(snapshot, ranked, head, context.budget, false);
}

function ofTopic(snapshot: Snapshot, ranked: RankedLines, query: string | undefined, context: ToolContext): Answer {
  const nothingMatches = query !== undefined && ranked.every(({ relevance }) => relevance === 0);
  const head = [
    heading(snapshot),
    `Of this topic: ${plural(ranked.length, "record")}.`,
    ...(nothingMatches ? ["None of them matches the query; all of them follow, newest first."] : []),
  ];
  return records(snapshot, ranked, head, context.budget, true);
}

function records(
  snapshot: Snapshot,
  ranked: RankedLines,
  head: string[],
  budget: Budget,
  withinTopic: boolean,
): Answer {
  // The topics are stored text too, so they stand inside the fence.
  const topics = `topics: ${topicList(topicsOf(snapshot), shareOf(budget, HEAD_SHARE))}`;
  const room = without(budget, [...head, fenced([topics])].join("\n"));
  const lines = ranked.map(({ line }) => line);
  const { blocks, rest } = fitRecords(
    lines,
    new References(snapshot),
    room,
    withinTopic ? undefined : topicsOf(snapshot),
  );
  return {
    text: [...head, fenced([topics, ...blocks, ...rest])].join("\n"),
    receipt: `${blocks.length} of ${plural(snapshot.count, "record")} in full`,
  };
}

function byIds(snapshot: Snapshot, ids: readonly string[], { budget }: ToolContext): Answer {
  const references = new References(snapshot);
  const found = new Set<LessonLine>();
  const problems: string[] = [];
  for (const id of new Set(ids)) {
    const lines = findById(snapshot, id);
    if (typeof lines === "string") problems.push(`${id.slice(0, 40)}: ${REASONS[lines]}.`);
    else for (const line of lines) found.add(line);
  }
  const told = [
    ...problems.slice(0, MOST_PROBLEMS),
    ...(problems.length > MOST_PROBLEMS ? [`… and ${problems.length - MOST_PROBLEMS} more like these.`] : []),
  ];
  const room = without(budget, [...told, TOO_LARGE, fenced([])].join("\n"));
  const { blocks, rest } = fitRecords([...found], references, room);
  if (found.size > 0 && blocks.length === 0) told.push(TOO_LARGE);
  return {
    text: [...told, ...(found.size > 0 ? [fenced([...blocks, ...rest])] : [])].join("\n"),
    receipt: `${blocks.length} of ${plural(snapshot.count, "record")} in full`,
  };
}

const MOST_PROBLEMS = 10;
const TOO_LARGE = "These are larger than an answer: read them in the file, or with sentinel-memory show ID.";

const REASONS = {
  ambiguous: "several records begin like this, give more digits",
  unknown: "no record has this id",
  "too short": "give 6 digits or more",
} as const;

function nothingYet(context: ToolContext): Answer {
  return { text: ["The memory of this project is empty.", ...questions(context)].join("\n"), receipt: "0 records" };
}

function noSuchTopic(snapshot: Snapshot, topic: string, { budget }: ToolContext): Answer {
  return {
    text: noTopic(topic, topicsOf(snapshot), shareOf(budget, 0.5)),
    receipt: `0 of ${plural(snapshot.count, "record")}`,
  };
}

function heading(snapshot: Snapshot): string {
  return `[memory_log - ${plural(snapshot.count, "record")}]`;
}

function questions({ policy }: ToolContext): string[] {
  return policy.values.ask_when_unknown ? [GAP_QUESTIONS] : [];
}
