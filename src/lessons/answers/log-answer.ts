/** What log_memory answers: what was saved, what was left out of it, and what to do next. */
import { firstWords, oneLine, plural } from "../../ground/core/text.ts";
import type { Prepared } from "../changes/draft.ts";
import type { Skipped } from "../changes/retire.ts";
import type { Saved } from "../changes/save.ts";
import { alsoSaid } from "../format/lesson-text.ts";
import type { Snapshot } from "../merge/fold.ts";
import { isLessonLine } from "../merge/versions.ts";
import type { Answer } from "./answer.ts";
import { redactionNotes } from "./redaction-notes.ts";

const MOST_SKIPPED_NAMED = 20;

interface Surroundings extends Pick<Prepared, "redactions"> {
  readonly asks: boolean;
  readonly hints: readonly string[];
  /** Whether a principle came with a missing_context, which it does not keep. */
  readonly unusedGap: boolean;
  readonly after: Snapshot;
  /** Whether to say that a compaction is due. */
  readonly isCompactionDue: boolean;
  /** With more lessons than this a compaction is due. */
  readonly threshold: number;
  /** Whether the call named it: then the next one has to name it as well. */
  readonly ownThreshold: boolean;
  /** How many groups a compaction has left that this save is part of. */
  readonly groupsLeft: number | undefined;
}

/** The answer to a save: its outcome, then what the agent should know of it. */
export function logAnswer(
  saved: Saved,
  {
    redactions,
    asks,
    hints,
    unusedGap,
    after,
    isCompactionDue,
    threshold,
    ownThreshold,
    groupsLeft,
  }: Surroundings,
): Answer {
  const lines = [
    outcome(saved),
    ...keptQuestion(saved, asks),
    ...redactionNotes(redactions),
    ...(unusedGap
      ? ["A principle keeps no missing_context; put it into lesson if it matters."]
      : []),
    ...retirement(saved),
    ...alsoSaid(saved.line.version, saved.settled ?? []).map((text) => `Settled by it: ${text}.`),
    ...hints,
    ...(isCompactionDue ? [dueNotice(after, threshold, ownThreshold)] : []),
    ...progress(groupsLeft),
  ];
  return { text: lines.join("\n"), snapshot: after, written: saved.line };
}

function outcome({ line, isNew, isRepeated, isCorrection, times, coveredBy }: Saved): string {
  const { id, type, topic } = line.version;
  const what = `${type} ${id.slice(0, 8)}, topic ${topic}`;
  if (isCorrection && isRepeated) return `Unchanged: ${what}; it says this already.`;
  if (isCorrection)
    return `Saved: ${what}, corrected${type === "log" ? `; met ${timesInWords(times)}` : ""}.`;
  if (isRepeated) return `Unchanged: ${what}; the same call was saved a moment ago.`;
  if (!isNew) return `Saved: ${what}, updated${type === "log" ? `; met ${times} times now` : ""}.`;
  if (!coveredBy) return `Saved: ${what}, new.`;
  if (!isLessonLine(coveredBy)) return `Saved: ${what}, new; it had been forgotten.`;
  return `Saved: ${what}, new; it had been compacted into principle ${coveredBy.version.id.slice(0, 8)} ("${firstWords(coveredBy.version.lesson)}"), which did not prevent it: sharpen that principle.`;
}

const timesInWords = (times: number): string => (times === 1 ? "once" : `${times} times`);

/** The question of a lesson that was corrected without one stays, though it may belong to what was wrong. */
function keptQuestion({ line, isCorrection }: Saved, asks: boolean): string[] {
  const { id, ask_next_time } = line.version;
  if (!isCorrection || asks || ask_next_time === undefined) return [];
  const again = `call again with replaces ["${id.slice(0, 8)}"] and another ask_next_time, or "none"`;
  return [
    `Its ask_next_time was kept: "${oneLine(ask_next_time)}". Where that is wrong now, ${again}.`,
  ];
}

function retirement({ line, retired, skipped }: Saved): string[] {
  const { type, id } = line.version;
  const verb = type === "log" ? "Replaced by it" : "Retired into it";
  const undo =
    type === "log" ? "" : ` A person undoes it with sentinel-memory restore ${id.slice(0, 8)}.`;
  return [
    ...(retired.length > 0 ? [`${verb}: ${plural(retired.length, "lesson")}.${undo}`] : []),
    ...skipped
      .slice(0, MOST_SKIPPED_NAMED)
      .map((source) => `Not retired: ${source.reference.slice(0, 40)} (${whySkipped(source)}).`),
  ];
}

function whySkipped({ because, now }: Skipped): string {
  if (because === "changed" && now)
    return `it changed since; now ${now}, read it before you retire it`;
  return {
    changed: "it changed since",
    unknown: "no lesson has this reference",
    retired: "it was retired or forgotten already",
    ambiguous: "several lessons share it",
    itself: "it is this principle itself",
  }[because];
}

function dueNotice(snapshot: Snapshot, threshold: number, ownThreshold: boolean): string {
  const call = `compact_memory${ownThreshold ? ` with compact_threshold ${threshold}` : ""}`;
  return `Compaction is due: ${plural(snapshot.count, "lesson")}, over the threshold of ${threshold}. Call ${call} now.`;
}

function progress(groupsLeft: number | undefined): string[] {
  if (groupsLeft === undefined) return [];
  return [
    groupsLeft > 0
      ? `Groups left to merge: ${groupsLeft}.`
      : "The compaction is done: nothing is left to merge.",
  ];
}
