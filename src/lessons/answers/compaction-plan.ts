/** What compact_memory answers: groups of records, each with the call that saves a principle for it. */
import { type Budget, Meter, shareOf, without } from "../../core/budget.ts";
import { fenced } from "../../core/fence.ts";
import { oneLine, plural } from "../../core/text.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import { type Group, isEmpty, type Plan } from "../queries/compaction.ts";
import { References } from "../queries/references.ts";
import { topicsOf } from "../queries/topics.ts";
import type { Answer } from "./answer.ts";
import { block, noTopic } from "./record-text.ts";

const MOST_LEFT_NAMED = 5;
/** Stands for the note on what did not fit: five topics of 64 bytes and a sentence. */
const LEFT_RESERVE = "x".repeat(450);
const ONLY_PRINCIPLES =
  "Only principles are left. Merging them is possible, not required: join those that belong together, or leave them.";

interface NotedGroup extends Group {
  readonly note?: string;
}

export function compactionNotDue(snapshot: Snapshot, threshold: number): Answer {
  const text = `No compaction is due: ${plural(snapshot.count, "record")}, the threshold is ${threshold}. Give target_topic to compact one topic all the same.`;
  return { text, snapshot };
}

/** @param topic the only topic that the plan is for, with those that look like it. */
export function compactionPlan(snapshot: Snapshot, plan: Plan, topic: string | undefined, budget: Budget): Answer {
  if (topic !== undefined && plan.groups.length + plan.singles.length === 0) {
    return { text: noTopic(topic, topicsOf(snapshot), shareOf(budget, 0.5)), snapshot, shown: { records: 0 } };
  }
  if (isEmpty(plan)) return { text: nothingToMerge(snapshot), snapshot };
  const head = [
    `[compaction - ${plural(snapshot.count, "record")}] For each group write one principle that keeps every rule, then make its call.`,
    ...(plan.alike.length > 0
      ? [`Topics that look alike; where they are one, give the source_ids of both in one call: ${alikeList(plan)}`]
      : []),
    ...(onlyPrinciples(snapshot) ? [ONLY_PRINCIPLES] : []),
  ];
  const groups = notedGroups(plan);
  const room = without(budget, [...head, LEFT_RESERVE].join("\n\n"));
  const { texts, left } = fill(groups, new References(snapshot), room);
  return {
    text: [...head, ...texts, ...leftNote(left)].join("\n\n"),
    snapshot,
    shown: { groups: texts.length, of: groups.length },
  };
}

function notedGroups({ siblings, groups, singles }: Plan): NotedGroup[] {
  const inSiblings = new Set(siblings.flatMap(({ lines }) => lines));
  const alone = singles.filter((line) => !inSiblings.has(line));
  return [
    ...siblings.map((group) => ({ ...group, note: "made from the same records on two branches; keep one" })),
    ...groups,
    ...alone.map((line) => ({ topic: line.version.topic, lines: [line], note: "alone in its topic" })),
  ];
}

/** Whole groups, in order. One that is larger than the whole answer is begun, so that it too comes to an end. */
function fill(groups: readonly NotedGroup[], references: References, budget: Budget) {
  const meter = new Meter(budget);
  const texts: string[] = [];
  const left: NotedGroup[] = [];
  for (const group of groups) {
    const text = section(group, references);
    if (meter.take(text)) texts.push(text);
    else {
      if (texts.length === 0 && left.length === 0) texts.push(beginningOf(group, references, budget));
      left.push(group);
    }
  }
  return { texts, left };
}

/** As many records of a group as fit, two at least: fewer would not be a group. */
function beginningOf(group: NotedGroup, references: References, budget: Budget): string {
  const begun = (size: number) => {
    const note = [group.note, `the first ${size} of ${group.lines.length}`].filter((text) => text).join("; ");
    return section({ ...group, lines: group.lines.slice(0, size), note }, references);
  };
  let [fits, tooMany] = [2, group.lines.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (new Meter(budget).take(begun(middle))) fits = middle;
    else tooMany = middle;
  }
  return begun(fits);
}

function section({ topic, lines, question, note }: NotedGroup, references: References): string {
  const blocks = lines.map((line, index) => block(line, index + 1, references.full(line)));
  const call = {
    type: "principle",
    topic,
    lesson: "<your principle>",
    ...(question && { ask_next_time: question.text }),
    source_ids: lines.map((line) => references.full(line)),
  };
  return [
    fenced([`== ${oneLine(topic)}: ${plural(lines.length, "record")}${note ? ` (${note})` : ""} ==`, ...blocks]),
    ...(question?.cut ? ["The merged question was cut to 512 bytes; reword it if its end matters."] : []),
    ...(lines.length > 1 ? [`log_memory(${JSON.stringify(call)})`] : []),
  ].join("\n");
}

function alikeList({ alike }: Plan): string {
  return alike.map((topics) => topics.map(oneLine).join(", ")).join("; ");
}

function leftNote(left: readonly NotedGroup[]): string[] {
  if (left.length === 0) return [];
  const named = left
    .slice(0, MOST_LEFT_NAMED)
    .map(({ topic }) => oneLine(topic))
    .join(", ");
  return [
    `${plural(left.length, "group")} did not fit; compact these first, then call again, or give target_topic: ${named}.`,
  ];
}

function nothingToMerge(snapshot: Snapshot): string {
  const why = onlyPrinciples(snapshot)
    ? "Only principles are left, each alone in its topic, and no two topics look alike."
    : "Every topic holds a single record, and no two topics look alike.";
  return `Nothing to merge. ${why} Nothing needs to be done; a person can take out what no longer holds with sentinel-memory forget.`;
}

function onlyPrinciples(snapshot: Snapshot): boolean {
  return snapshot.lessons().every(({ version }) => version.type === "principle");
}
