/** The answer of log_memory: the saved lesson, the parts that were left out, and the next step. */
import { firstWords, LINE_BREAK, oneLine, plural, present } from "../../ground/core/text.ts";
import type { Draft, Prepared } from "../changes/draft.ts";
import { contradicts, listLeftOut } from "../changes/losses.ts";
import type { Skipped } from "../changes/retire.ts";
import type { Saved } from "../changes/save.ts";
import { formOf, gapForm, lessonId, topicForm } from "../format/lesson.ts";
import { alsoSaid } from "../format/lesson-text.ts";
import type { Snapshot } from "../merge/fold.ts";
import { isLessonLine, type LessonLine } from "../merge/versions.ts";
import { partsLeft, planCompaction } from "../queries/compaction.ts";
import { References } from "../queries/references.ts";
import { nearestLesson } from "../queries/similarity.ts";
import { looksLike, topicsOf } from "../queries/topics.ts";
import type { Answer } from "./answer.ts";
import { redactionNotes } from "./file-report.ts";

const MOST_SKIPPED_NAMED = 20;
const UNUSED_GAP = "A principle has no missing_context. If it matters, put it into lesson.";

interface Surroundings extends Pick<Prepared, "redactions"> {
  readonly asks: boolean;
  readonly hints: readonly string[];
  /** A `when` for a lesson without one, from the work since the last log. */
  readonly offeredWhen: string | undefined;
  /** Whether a principle came with a missing_context, which it does not keep. */
  readonly unusedGap: boolean;
  readonly after: Snapshot;
  /** Whether to say that a compaction is due. */
  readonly isCompactionDue: boolean;
  /** With more lessons than this a compaction is due. */
  readonly threshold: number;
  /** Whether the call named it: then the next one has to name it as well. */
  readonly ownThreshold: boolean;
  /** Whether a principle replaces lessons, as in a compaction. */
  readonly hasSources: boolean;
}

/** The answer to a save: its outcome, then notes for the agent. */
export function logAnswer(saved: Saved, around: Surroundings): Answer {
  const { after, hints, offeredWhen, redactions } = around;
  const { type, id } = saved.line.version;
  const settled = alsoSaid(saved.line.version, saved.settled ?? []);
  const lines = [
    outcome(saved),
    ...keptQuestion(saved, around.asks),
    ...redactionNotes(redactions),
    ...present(around.unusedGap && UNUSED_GAP),
    ...retirement(saved),
    ...leftOutNote(saved),
    ...settled.map((text) => `This settles a conflict: ${text}.`),
    ...hints,
    ...whenOffer(saved, offeredWhen),
    ...present(around.isCompactionDue && dueNotice(around), around.hasSources && progress(after)),
  ];
  const answer = { text: lines.join("\n"), snapshot: after, written: saved.line };
  if (type === "log" || saved.retired.length === 0) return answer;
  return { ...answer, advice: `To undo: sentinel-memory restore ${id.slice(0, 8)}` };
}

function outcome({ line, isNew, isRepeated, isCorrection, times, coveredBy }: Saved): string {
  const { id, type, topic } = line.version;
  const what = `${type === "log" ? "lesson" : type} ${id.slice(0, 8)} (${topic})`;
  const seen = type === "log" ? ` Seen ${times === 1 ? "once" : `${times} times`}.` : "";
  if (isRepeated)
    return `Unchanged ${what}. ${isCorrection ? "It already says this." : "The same call was saved a moment ago."}`;
  if (isCorrection) return `Corrected ${what}.${seen}`;
  if (!isNew) return `Updated ${what}.${seen}`;
  if (!coveredBy) return `Saved new ${what}.`;
  if (!isLessonLine(coveredBy)) return `Saved new ${what}. It had been forgotten.`;
  return `Saved new ${what}. Principle ${coveredBy.version.id.slice(0, 8)} ("${firstWords(coveredBy.version.lesson)}") had replaced it and did not prevent it: sharpen that principle.`;
}

/** A correction without a question keeps the old one, which may belong to the mistake. */
function keptQuestion({ line, isCorrection }: Saved, asks: boolean): string[] {
  const { id, ask_next_time } = line.version;
  if (!isCorrection || asks || ask_next_time === undefined) return [];
  const again = `call again with replaces ["${id.slice(0, 8)}"] and another ask_next_time, or "none"`;
  return [`Kept its ask_next_time: "${oneLine(ask_next_time)}". If that is wrong now, ${again}.`];
}

/** A correction keeps the count, so the second call does not look like a second time. */
function whenOffer({ line }: Saved, offered: string | undefined): string[] {
  if (offered === undefined) return [];
  const id = line.version.id.slice(0, 8);
  return [
    `It has no when. If it belongs to this work, call again with replaces ["${id}"] and when ${JSON.stringify(offered)}, and add two to four word: values.`,
  ];
}

function retirement({ line, retired, skipped }: Saved): string[] {
  const verb = line.version.type === "log" ? "Replaced" : "Retired";
  return [
    ...present(retired.length > 0 && `${verb} ${plural(retired.length, "lesson")}.`),
    ...skipped
      .slice(0, MOST_SKIPPED_NAMED)
      .map((source) => `Not retired: ${source.reference.slice(0, 40)} (${whySkipped(source)}).`),
  ];
}

/** Lists the parts of its sources that a principle leaves out. The advice of the answer has the command that undoes it. */
function leftOutNote({ line, leftOut }: Saved): string[] {
  if (leftOut.length === 0) return [];
  const again = `call again with replaces ["${line.version.id.slice(0, 8)}"] and say it`;
  return [`It leaves out: ${listLeftOut(leftOut)}`, `If any of this still holds, ${again}.`];
}

function whySkipped({ because, now }: Skipped): string {
  if (because === "changed" && now)
    return `it changed and is now ${now}: read it before you retire it`;
  return {
    changed: "it changed since",
    unknown: "no lesson has this reference",
    retired: "it is already retired or forgotten",
    ambiguous: "several lessons have this reference",
    itself: "it is this principle",
  }[because];
}

function dueNotice({ after, threshold, ownThreshold }: Surroundings): string {
  const call = `compact_memory${ownThreshold ? ` with compact_threshold ${threshold}` : ""}`;
  return `Compaction is due: ${plural(after.count, "lesson")}, threshold ${threshold}. Call ${call} now.`;
}

/** What a compaction of the whole memory has left. */
function progress(after: Snapshot): string {
  const left = partsLeft(planCompaction(after));
  if (left === 0) return "Compaction done: nothing is left to merge.";
  return `${plural(left, "group")} left to merge in all topics: compact_memory with {"compact_threshold":1} shows them.`;
}

interface Hinted {
  /** Lessons that went with the save of the draft. */
  readonly retired?: readonly LessonLine[];
  /** The next step if the draft corrects a lesson. An agent calls again, and a person runs a command. */
  readonly correct?: (reference: string) => string;
}

/** @param before the memory without the draft. */
export function hintsFor(
  draft: Draft,
  before: Snapshot,
  { retired = [], correct = callAgain }: Hinted = {},
): string[] {
  const hint = (
    other: LessonLine,
    where: string,
    likeness: string,
    condition: string,
  ): string[] => {
    const { lesson } = other.version;
    const reference = new References(before).full(other);
    // The draft may have another number, or forbid something that the lesson allows.
    const how = contradicts(draft.lesson, lesson)
      ? `${likeness}, but this contradicts it`
      : likeness;
    return [
      `Lesson ${reference} of ${where} ${how}: "${firstWords(lesson)}". If ${condition}, ${correct(reference)}`,
    ];
  };
  const passedOver = new Set([lessonId(draft), ...retired.map(({ version }) => version.id)]);
  const gap = gapForm(draft.missing_context);
  const elsewhere = before.lessons().find(({ version }) => {
    const hasSameGap = draft.type === "log" && formOf(version)?.endsWith(`\n${gap}`);
    return hasSameGap && !passedOver.has(version.id);
  });
  if (elsewhere)
    return hint(
      elsewhere,
      `topic "${oneLine(elsewhere.version.topic)}"`,
      "has the same gap",
      "they are one lesson",
    );
  const topic = topicForm(draft.topic);
  const sameTopic = before.lessons().filter(({ version }) => topicForm(version.topic) === topic);
  if (sameTopic.length === 0) return topicHints(draft, before);
  const twin = nearestLesson(draft, sameTopic, ({ version }) => {
    return version.type === draft.type && !passedOver.has(version.id);
  });
  return twin ? hint(twin, "this topic", "says nearly the same", "this corrects it") : [];
}

/** A few lines of code can be clearer than words. More lines are a copy, which becomes outdated. */
const MOST_CODE_LINES = 3;
const FENCE = /^\s*(```+|~~~+)/;

/** Advice on a draft that quotes a long block of code. It's saved anyway. */
export function codeHints({ missing_context, lesson }: Draft): string[] {
  const longest = Math.max(codeLines(missing_context), codeLines(lesson));
  if (longest <= MOST_CODE_LINES) return [];
  return [
    `The text has a block of ${longest} lines of code, which doesn't belong in the memory. State the rule in words, name the file, and log it again.`,
  ];
}

/** The number of lines in the longest fenced block of a text. An unclosed block ends with the text. */
function codeLines(text: string): number {
  let fence: string | undefined;
  let count = 0;
  let longest = 0;
  for (const line of text.split(LINE_BREAK)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined) [fence, count] = [mark, 0];
    else if (mark?.startsWith(fence)) fence = undefined;
    else longest = Math.max(longest, ++count);
  }
  return longest;
}

function topicHints({ topic }: Draft, before: Snapshot): string[] {
  const alike = topicsOf(before).filter((other) => looksLike(other.topic, topic));
  if (alike.length === 0) return [];
  const named = alike
    .slice(0, 3)
    .map((other) => `"${oneLine(other.topic)}" (${plural(other.count, "lesson")})`);
  return [
    `The topic "${topic}" is new and looks like ${named.join(" and ")}. Reuse that one next time unless it is something else.`,
  ];
}

const callAgain = (reference: string): string => `call again with replaces: ["${reference}"].`;
