/** The answer of compact_memory: a batch of groups, each with the calls that save its principles. */
import { type Budget, shareOf, without } from "../../ground/core/budget.ts";
import { groupBy } from "../../ground/core/group-by.ts";
import { oneLine, plural, present } from "../../ground/core/text.ts";
import { topicForm } from "../format/forms.ts";
import type { Snapshot } from "../merge/fold.ts";
import { isEmptyPlan, linesOf, type Plan, partOf } from "../queries/compaction.ts";
import { References } from "../queries/references.ts";
import { topicsOf } from "../queries/topics.ts";
import type { Answer } from "./answer.ts";
import { BATCH_TOKENS, firstBatch, type Section } from "./compaction-batch.ts";
import { noTopic } from "./topic-text.ts";

/** Reserves room for the head: two sentences, and topics that look alike. */
const HEAD_RESERVE = "a group ".repeat(112);
const HEAD_TOKENS = 450;
const MOST_ALIKE_CHARACTERS = 400;
const TWO_BRANCHES = "made from the same lessons on two branches: keep one";
const MAY_BE_ONE = "their topics look alike: merge them only if they are one topic";
const ONLY_PRINCIPLES =
  "Only principles are left to merge. This is optional: join those that belong together, or leave them.";

const FORGET_OLD = "To remove a lesson that no longer holds: sentinel-memory forget ID";

/** The answer if no compaction is due, with the way to compact one topic anyway. */
export function compactionNotDue(snapshot: Snapshot, threshold: number): Answer {
  const text = `No compaction is due: ${plural(snapshot.count, "lesson")}, threshold ${threshold}. To compact one topic anyway, pass target_topic.`;
  return { text, snapshot };
}

/** @param topic the only topic that the plan is for, with those that look like it. */
export function compactionPlan(
  snapshot: Snapshot,
  plan: Plan,
  topic: string | undefined,
  budget: Budget,
): Answer {
  if (topic !== undefined && isEmptyPlan(plan)) {
    return {
      text: noTopic(topic, topicsOf(snapshot), shareOf(budget, 0.5)),
      snapshot,
      shown: { lines: [], isPart: false },
    };
  }
  const references = new References(snapshot);
  const due = [...plan.siblings.map((group) => ({ ...group, note: TWO_BRANCHES })), ...plan.groups];
  const room = without(budget, HEAD_RESERVE);
  const batchBudget = { ...room, tokens: Math.min(room.tokens, BATCH_TOKENS - HEAD_TOKENS) };
  const extras = (shown: readonly Section[]) => acrossTopics(plan, shown);
  const { texts, topics, sections, isWhole } = firstBatch(
    [...due, ...plan.optional],
    extras,
    references,
    batchBudget,
  );
  if (sections.length === 0) return { text: nothingToMerge(plan), snapshot, advice: FORGET_OLD };
  const isPart = !isWhole && due.length > 0;
  const head = present(
    `[compaction - ${plural(snapshot.count, "lesson")}] For each group, write the fewest principles that keep every rule. Divide its source_ids among them as the calls below do.`,
    isPart && moreFollow(topic),
    ...alikeNote(plan, topics),
    plan.optional.length > 0 && ONLY_PRINCIPLES,
  );
  return {
    text: [...head, ...texts].join("\n\n"),
    snapshot,
    shown: {
      lines: sections.flatMap(linesOf),
      groups: sections.length,
      isPart,
    },
  };
}

/** Works in any process, also in one that does not know that a compaction was begun. */
function moreFollow(topic: string | undefined): string {
  const call = topic === undefined ? { compact_threshold: 1 } : { target_topic: topic };
  return `There are more groups than fit here: once these are saved, call compact_memory again with ${JSON.stringify(call)}.`;
}

/** Groups that can only be merged with a topic that looks alike. If that topic has a call, they join it. Otherwise they get their own call. */
function acrossTopics({ alike, across, singles }: Plan, shown: readonly Section[]): Section[] {
  const forms = new Set(shown.map(({ topic }) => topicForm(topic)));
  return alike.flatMap((topics) => {
    const members = new Set(topics.map(topicForm));
    const isMember = ({ topic }: { readonly topic: string }) => members.has(topicForm(topic));
    const called = shown.find(isMember);
    if (!called) return across.filter(isMember).map((group) => ({ ...group, note: MAY_BE_ONE }));
    const note = `if this is the same topic as ${oneLine(called.topic)}, pass the reference in a call above`;
    const others = singles.filter(
      ({ version }) => isMember(version) && !forms.has(topicForm(version.topic)),
    );
    return [...groupBy(others, ({ version }) => topicForm(version.topic)).values()].map((lines) => {
      return {
        topic: lines[0]?.version.topic ?? "",
        parts: lines.map((line) => partOf([line])),
        note,
      };
    });
  });
}

/** Lists the topics of a batch that look alike, up to a limit. */
function alikeNote({ alike }: Plan, shown: readonly string[]): string[] {
  const sets = alike.map((topics) => {
    const forms = new Set(topics.map(topicForm));
    return shown.filter((topic) => forms.has(topicForm(topic)));
  });
  const named = sets
    .filter((topics) => topics.length > 1)
    .map((topics) => topics.map(oneLine).join(", "));
  if (named.length === 0) return [];
  const text = named.join("; ");
  const cut =
    text.length > MOST_ALIKE_CHARACTERS ? `${text.slice(0, MOST_ALIKE_CHARACTERS)}…` : text;
  return [
    `Topics that look alike. If they are one topic, pass the source_ids of both in one call: ${cut}`,
  ];
}

function nothingToMerge({ singles }: Plan): string {
  const none = singles.every(({ version }) => version.type === "principle")
    ? "Only principles are left, and none"
    : "No lesson";
  return `Nothing to merge. ${none} can be merged with another of its topic or a similar one. You have nothing to do.`;
}
