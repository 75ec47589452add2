import { SentinelError } from "../../../../core/errors.ts";
import { firstWords, oneLine, plural } from "../../../../lessons/answers/presentation.ts";
import { type Draft, type Prepared, prepareDraft } from "../../../../lessons/changes/draft.ts";
import type { Skipped } from "../../../../lessons/changes/retire.ts";
import type { Saved } from "../../../../lessons/changes/save.ts";
import { topicForm } from "../../../../lessons/format/forms.ts";
import { lessonId } from "../../../../lessons/format/record-id.ts";
import { whenOf } from "../../../../lessons/format/when.ts";
import type { Snapshot } from "../../../../lessons/merge/snapshot.ts";
import { isLessonLine, type LessonLine } from "../../../../lessons/merge/versions.ts";
import { compactionDue, partsLeft, planCompaction } from "../../../../lessons/queries/compaction.ts";
import { References } from "../../../../lessons/queries/references.ts";
import { nearestLesson } from "../../../../lessons/queries/similarity.ts";
import { looksLike, topicsOf } from "../../../../lessons/queries/topics.ts";
import type { Conversation } from "../../../conversation.ts";
import type { Answer, ToolContext } from "../../../tool.ts";
import type { Input } from "./definition.ts";

export async function logMemory(args: Input, context: ToolContext): Promise<Answer> {
  const { store, policy, conversation, signal } = context;
  const { type = "log", source_ids, replaces, when, compact_threshold: threshold, ...texts } = args;
  if (source_ids?.length && type === "log") throw sourcesOnLog();
  const prepared = prepareDraft({ type, when: when === "none" ? when : when && whenOf({ when }), ...texts });
  const hints = hintsFor(prepared.draft, await store.read());
  const options = {
    sources: type === "principle" ? source_ids : undefined,
    replaces: replaces?.map((reference) => conversation.asShown(reference)),
    cleared: prepared.cleared,
  };
  const saved = await store.save(prepared.draft, options, signal);
  const after = await store.read();
  return {
    text: [
      outcome(saved),
      ...redactionNotes(prepared),
      ...(type === "principle" && texts.missing_context
        ? ["A principle keeps no missing_context; put it into lesson if it matters."]
        : []),
      ...retirement(saved),
      ...(saved.isNew ? hints : []),
      ...(type === "log"
        ? dueNotice(after, threshold ?? policy.values.compact_threshold)
        : source_ids?.length
          ? progress(after, conversation)
          : []),
    ].join("\n"),
    receipt: plural(saved.count, "record"),
  };
}

/** What is worth knowing of the neighbours that a draft met. */
function hintsFor(draft: Draft, before: Snapshot): string[] {
  const form = topicForm(draft.topic);
  const sameTopic = before.lessons().filter(({ version }) => topicForm(version.topic) === form);
  return sameTopic.length === 0 ? topicHints(draft, before) : twinHints(draft, before, sameTopic);
}

function topicHints({ topic }: Draft, before: Snapshot): string[] {
  const alike = topicsOf(before).filter((other) => looksLike(other.topic, topic));
  if (alike.length === 0) return [];
  const named = alike.slice(0, 3).map((other) => `"${oneLine(other.topic)}" (${plural(other.count, "record")})`);
  return [
    `The topic "${topic}" is new and looks like ${named.join(" and ")}: reuse that one next time unless it is something else.`,
  ];
}

function twinHints(draft: Draft, before: Snapshot, sameTopic: readonly LessonLine[]): string[] {
  const id = lessonId(draft);
  const neighbours = sameTopic.filter(({ version }) => version.id !== id && version.type === draft.type);
  const twin = nearestLesson(
    draft,
    neighbours.map(({ version }) => version),
  );
  const line = neighbours.find(({ version }) => version === twin);
  if (!line) return [];
  const reference = new References(before).short(line);
  return [
    `Record ${reference} of this topic says nearly the same: "${firstWords(line.version.lesson)}". Merge the two when you compact.`,
  ];
}

function outcome({ line, isNew, isRepeated, times, coveredBy }: Saved): string {
  const { id, type, topic } = line.version;
  const what = `${type} ${id.slice(0, 8)}, topic ${topic}`;
  if (isRepeated) return `Unchanged: ${what} says this already, since a moment ago.`;
  if (!isNew) return `Saved: ${what}, updated${type === "log" ? `; met ${times} times now` : ""}.`;
  if (!coveredBy) return `Saved: ${what}, new.`;
  if (!isLessonLine(coveredBy)) return `Saved: ${what}, new; it had been forgotten.`;
  return `Saved: ${what}, new; it had been compacted into principle ${coveredBy.version.id.slice(0, 8)} ("${firstWords(coveredBy.version.lesson)}"), which did not prevent it: sharpen that principle.`;
}

function redactionNotes({ redactions }: Prepared): string[] {
  if (redactions.length === 0) return [];
  return [`Taken out: ${redactions.map(({ field, kind, count }) => `${count} × ${kind} in ${field}`).join(", ")}.`];
}

function retirement({ line, retired, skipped }: Saved): string[] {
  const verb = line.version.type === "log" ? "Replaced by it" : "Retired into it";
  return [
    ...(retired.length > 0 ? [`${verb}: ${plural(retired.length, "record")}.`] : []),
    ...skipped.slice(0, 20).map((source) => `Not retired: ${source.reference.slice(0, 40)} (${whySkipped(source)}).`),
  ];
}

function whySkipped({ because, now }: Skipped): string {
  if (because === "changed" && now) return `it changed since; now ${now}, read it before you retire it`;
  return {
    changed: "it changed since",
    unknown: "no record has this reference",
    retired: "it was retired or forgotten already",
    ambiguous: "several records share it",
    itself: "it is this principle itself",
  }[because];
}

/** Not said after a principle: that is a compaction on its way. */
function dueNotice(snapshot: Snapshot, threshold: number): string[] {
  if (!compactionDue(snapshot, threshold)) return [];
  return [
    `Compaction is due: ${plural(snapshot.count, "record")}, over the threshold of ${threshold}. Call compact_memory now.`,
  ];
}

/** How far a compaction is that was planned here. */
function progress(snapshot: Snapshot, conversation: Conversation): string[] {
  if (conversation.compaction === "none") return [];
  conversation.compaction = "begun";
  const left = partsLeft(planCompaction(snapshot));
  if (left > 0) return [`Groups left to merge: ${left}.`];
  conversation.compaction = "none";
  return ["The compaction is done: nothing is left to merge."];
}

function sourcesOnLog(): SentinelError {
  return new SentinelError(
    "bad_argument",
    "source_ids were given, but only a principle retires other records.",
    'Call again with type "principle", or without source_ids.',
  );
}
