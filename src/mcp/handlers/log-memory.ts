import { COMPACT_THRESHOLD } from "../../config.ts";
import { MemoryError } from "../../errors.ts";
import type { Saved, Skipped } from "../../memory/changes.ts";
import { type Draft, type Prepared, prepareDraft } from "../../memory/draft.ts";
import { lessonId } from "../../memory/identity.ts";
import type { Ledger } from "../../memory/ledger.ts";
import { overviewOf } from "../../memory/overview.ts";
import { firstWords, oneLine, plural } from "../../memory/presentation.ts";
import { nearestLesson } from "../../memory/similarity.ts";
import { looksLike } from "../../memory/topics.ts";
import { isLessonLine } from "../../memory/versions.ts";
import type { Answer, ToolContext } from "../tool.ts";
import type { Input } from "../tools/log-memory.ts";

export async function logMemory(args: Input, { store, signal }: ToolContext): Promise<Answer> {
  const { type = "log", source_ids, compact_threshold = COMPACT_THRESHOLD, ...texts } = args;
  if (source_ids?.length && type === "log") throw sourcesOnLog();
  const prepared = prepareDraft({ type, ...texts });
  const hints = hintsFor(prepared.draft, await store.read());
  const saved = await store.upsert(prepared.draft, type === "principle" ? source_ids : undefined, signal);
  return {
    text: [
      outcome(saved),
      ...redactionNotes(prepared),
      ...(type === "principle" && texts.missing_context
        ? ["A principle keeps no missing_context; put it into lesson if it matters."]
        : []),
      ...retirement(saved),
      ...hints,
      ...dueNotice(saved.count, compact_threshold),
    ].join("\n"),
    receipt: plural(saved.count, "record"),
  };
}

/** What is worth knowing of the neighbours of a draft, looked for before the lock is taken. */
function hintsFor(draft: Draft, before: Ledger): string[] {
  const id = lessonId(draft);
  const lines = before.lessons();
  const { topics, references } = overviewOf(before);
  const hints: string[] = [];
  if (!topics.some(({ topic }) => topic === draft.topic)) {
    const alike = topics.filter(({ topic }) => looksLike(topic, draft.topic));
    if (alike.length > 0) {
      const named = alike.slice(0, 3).map(({ topic, count }) => `"${oneLine(topic)}" (${plural(count, "record")})`);
      hints.push(
        `The topic "${draft.topic}" is new and looks like ${named.join(" and ")}: reuse that one next time unless it is something else.`,
      );
    }
  }
  const neighbours = lines.filter(
    ({ version }) => version.topic === draft.topic && version.id !== id && version.type === draft.type,
  );
  const twin = nearestLesson(
    draft,
    neighbours.map(({ version }) => version),
  );
  const line = neighbours.find(({ version }) => version === twin);
  if (line) {
    const reference = references.short(line);
    hints.push(
      `Record ${reference} of this topic says nearly the same: "${firstWords(line.version.lesson)}". Merge the two when you compact.`,
    );
  }
  return hints;
}

function outcome({ line, isNew, times, heldBy }: Saved): string {
  const { id, type, topic } = line.version;
  const what = `${type} ${id.slice(0, 8)}, topic ${topic}`;
  if (!isNew) return `Saved: ${what}, updated${type === "log" ? `; met ${times} times now` : ""}.`;
  if (!heldBy) return `Saved: ${what}, new.`;
  if (!isLessonLine(heldBy)) return `Saved: ${what}, new; it had been forgotten.`;
  return `Saved: ${what}, new; it had been compacted into principle ${heldBy.version.id.slice(0, 8)} ("${firstWords(heldBy.version.lesson)}"), which did not prevent it: sharpen that principle.`;
}

function redactionNotes({ redactions }: Prepared): string[] {
  if (redactions.length === 0) return [];
  return [`Taken out: ${redactions.map(({ field, kind, count }) => `${count} × ${kind} in ${field}`).join(", ")}.`];
}

function retirement({ retired, skipped }: Saved): string[] {
  return [
    ...(retired.length > 0 ? [`Retired into it: ${plural(retired.length, "record")}.`] : []),
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

function dueNotice(count: number, threshold: number): string[] {
  if (count <= threshold) return [];
  return [
    `Compaction is due: ${plural(count, "record")}, over the threshold of ${threshold}. Call compact_memory now.`,
  ];
}

function sourcesOnLog(): MemoryError {
  return new MemoryError(
    "bad_argument",
    "source_ids were given, but only a principle retires other records.",
    'Call again with type "principle", or without source_ids.',
  );
}
