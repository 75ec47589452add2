/** What compact_memory answers: a batch of groups, each with the calls that save its principles. */
import { type Budget, shareOf, without } from "../../core/budget.ts";
import { oneLine, plural } from "../../core/text.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import type { LessonLine } from "../merge/versions.ts";
import { type Group, type Plan, partOf, partsLeft } from "../queries/compaction.ts";
import { References } from "../queries/references.ts";
import { sameGaps } from "../queries/same-gaps.ts";
import { topicsOf } from "../queries/topics.ts";
import type { Answer } from "./answer.ts";
import { BATCH_TOKENS, firstBatch, type Section } from "./compaction-batch.ts";
import { noTopic } from "./topic-text.ts";

/** Stands for what is above the groups: two sentences, and topics that look alike. */
const HEAD_RESERVE = "x".repeat(900);
const HEAD_TOKENS = 450;
const MOST_ALIKE_CHARACTERS = 400;
const TWO_BRANCHES = "made from the same records on two branches; keep one";
const ONLY_PRINCIPLES =
  "Only principles are left. Merging them is possible, not required: join those that belong together, or leave them.";

/** The answer where nothing is due, with the way to compact a topic all the same. */
export function compactionNotDue(snapshot: Snapshot, threshold: number): Answer {
  const text = `No compaction is due: ${plural(snapshot.count, "record")}, the threshold is ${threshold}. Give target_topic to compact one topic all the same.`;
  return { text, snapshot };
}

/** @param topic the only topic that the plan is for, with those that look like it. */
export function compactionPlan(snapshot: Snapshot, plan: Plan, topic: string | undefined, budget: Budget): Answer {
  if (topic !== undefined && plan.groups.length + plan.singles.length === 0) {
    return { text: noTopic(topic, topicsOf(snapshot), shareOf(budget, 0.5)), snapshot, shown: { lines: [] } };
  }
  if (partsLeft(plan) + plan.optional.length + plan.alike.length === 0) {
    return { text: nothingToMerge(snapshot), snapshot };
  }
  const references = new References(snapshot);
  const sections = [
    ...plan.siblings.map((group) => ({ ...group, note: TWO_BRANCHES })),
    ...plan.groups.map((group) => ({ ...group, ...sameGapNote(group, references) })),
    ...plan.optional,
  ];
  const room = without(budget, HEAD_RESERVE);
  const batchBudget = { ...room, tokens: Math.min(room.tokens, BATCH_TOKENS - HEAD_TOKENS) };
  const batch = firstBatch(sections, singlesAlike(plan), references, batchBudget);
  const again = topic === undefined ? "" : ` with target_topic "${oneLine(topic)}"`;
  const head = [
    `[compaction - ${plural(snapshot.count, "record")}] For each group write as few principles as keep every rule, and divide the source_ids among them, as the calls below do.`,
    ...(batch.batches > 1
      ? [`batch 1 of ${batch.batches}; call again${again} for the next once these are saved.`]
      : []),
    ...alikeNote(plan, batch.topics),
    ...(onlyPrinciples(snapshot) ? [ONLY_PRINCIPLES] : []),
  ];
  return {
    text: [...head, ...batch.sections].join("\n\n"),
    snapshot,
    shown: { lines: batch.lines, groups: batch.sections.length },
  };
}

/** Which records of a group are one gap, written differently on two branches. */
function sameGapNote({ parts }: Group, references: References): { note?: string } {
  const sets = sameGaps(parts.flatMap(({ lines }) => lines));
  if (sets.length === 0) return {};
  const named = sets.map((lines) => `${lines.map((line) => references.short(line)).join(" and ")} are one gap`);
  return { note: `${named.join("; ")}, written differently` };
}

/** What could only be merged with a topic that looks alike. */
function singlesAlike({ singles, alike }: Plan): Section[] {
  const topics = new Set(alike.flat());
  return singles.filter(({ version }) => topics.has(version.topic)).map(alone);
}

function alone(line: LessonLine): Section {
  return {
    topic: line.version.topic,
    parts: [partOf([line])],
    note: "alone in its topic; give its reference in a call above if the topics are one",
  };
}

/** The topics that look like one of a batch, as many as fit. */
function alikeNote({ alike }: Plan, shown: ReadonlySet<string>): string[] {
  const sets = alike.filter((topics) => topics.some((topic) => shown.has(topic)));
  if (sets.length === 0) return [];
  const named = sets.map((topics) => topics.map(oneLine).join(", ")).join("; ");
  const cut = named.length > MOST_ALIKE_CHARACTERS ? `${named.slice(0, MOST_ALIKE_CHARACTERS)}…` : named;
  return [`Topics that look alike; where they are one, give the source_ids of both in one call: ${cut}`];
}

function onlyPrinciples(snapshot: Snapshot): boolean {
  return snapshot.lessons().every(({ version }) => version.type === "principle");
}

function nothingToMerge(snapshot: Snapshot): string {
  const why = onlyPrinciples(snapshot)
    ? "Only principles are left, and no two topics look alike."
    : "No log can be merged with another record of its topic, and no two topics look alike.";
  return `Nothing to merge. ${why} Nothing needs to be done; a person can take out what no longer holds with sentinel-memory forget.`;
}
