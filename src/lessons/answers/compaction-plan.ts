/** The answer of compact_memory: a batch of groups, each with its lessons and the call that saves its principle. */
import { type Budget, capped, fits, Meter, without } from "../../ground/core/budget.ts";
import { fenced, oneLine, plural, present } from "../../ground/core/text.ts";
import { topicForm } from "../format/lesson.ts";
import { block } from "../format/lesson-text.ts";
import { whenText } from "../format/when-text.ts";
import type { Snapshot } from "../merge/versions.ts";
import { alikeTopics, type Group, groupOf, type Plan, sameGaps } from "../queries/compaction.ts";
import { References } from "../queries/references.ts";
import type { Answer } from "./answer.ts";
import { existingTopics, unknownTopic } from "./titles.ts";

/** Reserves room for the head: two sentences, and topics that look alike. */
const HEAD_RESERVE = "a group ".repeat(112);
/** The most tokens of the groups of one answer. */
const BATCH_TOKENS = 2_550;
const MOST_ALIKE_CHARACTERS = 400;
const MAY_BE_ONE = "these topics look alike: merge them only if they are one topic";
const ONLY_PRINCIPLES =
  "Only principles are left to merge. This is optional: join those that belong together, or leave them.";
const NOTHING =
  "Nothing to merge: no lesson can be merged with another of its topic. You have nothing to do.";
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
  if (topic !== undefined && plan.count === 0) {
    const text = `${unknownTopic(topic)}\n${fenced([existingTopics(snapshot, topic)])}`;
    return { text, snapshot, shown: { lines: [], isPart: false } };
  }
  const references = new References(snapshot);
  const room = capped(without(budget, HEAD_RESERVE), BATCH_TOKENS);
  const { shown, isWhole } = firstBatch([...plan.due, ...plan.optional], references, room);
  const alike = topic === undefined ? alikeNote(snapshot) : "";
  if (shown.length === 0) {
    return { text: present(NOTHING, alike).join("\n\n"), snapshot, advice: FORGET_OLD };
  }
  const isPart = !isWhole && plan.due.length > 0;
  const text = present(
    `[compaction - ${plural(snapshot.count, "lesson")}] For each group, write the fewest principles that keep every rule, usually one as in the calls below. If it needs more, divide its source_ids among them.`,
    isPart && moreFollow(topic),
    alike,
    plan.optional.length > 0 && ONLY_PRINCIPLES,
    ...shown.map((group) => groupText(group, references)),
  ).join("\n\n");
  const lines = shown.flatMap((group) => group.lines);
  return { text, snapshot, shown: { lines, isPart } };
}

/** Works in any process, also in one that has printed no plan. */
function moreFollow(topic: string | undefined): string {
  const call = topic === undefined ? { compact_threshold: 1 } : { target_topic: topic };
  return `There are more groups than fit here: once these are saved, call compact_memory again with ${JSON.stringify(call)}.`;
}

/** Lists the topics that look alike, up to a limit. */
function alikeNote(snapshot: Snapshot): string {
  const sets = alikeTopics(snapshot).map((topics) => topics.map(oneLine).join(", "));
  if (sets.length === 0) {
    return "";
  }
  const text = sets.join("; ");
  const isLong = text.length > MOST_ALIKE_CHARACTERS;
  const cut = isLong ? `${text.slice(0, MOST_ALIKE_CHARACTERS)}…` : text;
  return `Topics that look alike. If some are one topic, call compact_memory with it as target_topic: ${cut}`;
}

/** Fills a batch with whole groups in order. Begins the first one even if it's too large. */
function firstBatch(groups: readonly Group[], references: References, budget: Budget) {
  const meter = new Meter(budget);
  const end = groups.findIndex((group) => !meter.take(groupText(group, references)));
  let shown = end === -1 ? groups : groups.slice(0, end);
  if (end === 0) {
    shown = groups.slice(0, 1).map((first) => beginningOf(first, references, budget));
  }
  const isWhole = groups.every((group, index) => group === shown[index]);
  return { shown, isWhole };
}

/** The lessons of a group that fit, and at least two, because one can't be merged. */
function beginningOf(group: Group, references: References, budget: Budget): Group {
  const { lines, topic } = group;
  const begun = (size: number): Group => {
    const notes = present(group.note, `the first ${size} of ${lines.length}`);
    return groupOf(lines.slice(0, size), topic, notes.join("; "));
  };
  let size = lines.length;
  while (size > 2 && !fits(groupText(begun(size), references), budget)) {
    size--;
  }
  return size === lines.length ? group : begun(size);
}

function groupText(group: Group, references: References): string {
  const { topic, lines } = group;
  const blocks = [
    `== ${oneLine(topic)}: ${plural(lines.length, "lesson")} ==`,
    ...notesOn(group, references).map((note) => `(${note})`),
    ...lines.map((line, index) => block(line.version, index + 1, references.full(line), line.also)),
  ];
  return `${fenced(blocks)}\n${callOf(group, references)}`;
}

/** The notes on a group. One lists lessons that are the same gap, written differently on two branches. */
function notesOn({ lines, note }: Group, references: References): string[] {
  const topics = new Set(lines.map(({ version }) => topicForm(version.topic)));
  const same = sameGaps(lines).map(
    (gaps) => `${gaps.map((line) => references.short(line)).join(" and ")} are the same gap`,
  );
  return present(
    note,
    note === undefined && topics.size > 1 && MAY_BE_ONE,
    same.length > 0 && `${same.join("; ")}, written differently`,
  );
}

function callOf({ topic, lines, question, when }: Group, references: References): string {
  const args = {
    type: "principle",
    topic,
    lesson: "<your principle>",
    ask_next_time: question,
    when: when && whenText(when),
    source_ids: lines.map((line) => references.full(line)),
  };
  return `log_memory(${JSON.stringify(args)})`;
}
