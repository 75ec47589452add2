/** The answer of log_memory: the saved lesson, the parts that were left out, hints, and the next step. */
import { firstWords, oneLine, plural } from "../../ground/core/text.ts";
import type { Draft } from "../changes/draft.ts";
import { contradicts, listLeftOut } from "../changes/losses.ts";
import type { Skipped } from "../changes/retire.ts";
import type { Saved } from "../changes/save.ts";
import { formOf, gapForm, lessonId, timesMet } from "../format/lesson.ts";
import { alsoSaid } from "../format/lesson-text.ts";
import { isLessonLine, type LessonLine, type Snapshot } from "../merge/versions.ts";
import { compactionDue } from "../queries/compaction.ts";
import { References, WHY_NONE } from "../queries/references.ts";
import { nearestLesson } from "../queries/similarity.ts";
import { lessonsOfTopic, looksLike, topicsOf } from "../queries/topics.ts";
import type { Answer } from "./answer.ts";

const MOST_SKIPPED_NAMED = 20;
export const UNUSED_GAP = "A principle has no missing_context. If it matters, put it into lesson.";

interface Surroundings {
  /** The memory after the save. */
  readonly after: Snapshot;
  /** Whether the call gave a question. */
  readonly asks: boolean;
  /** A `when` for a lesson without one, from the work since the last log. */
  readonly offeredWhen: string | undefined;
  /** Whether a principle was made from lessons, as in a compaction. */
  readonly hasSources: boolean;
  /** The redactions of the call, and hints. */
  readonly notes: readonly string[];
}

/** The answer to a save: its outcome, then notes for the agent. */
export function logAnswer(saved: Saved, around: Surroundings): Answer {
  const { after, asks, offeredWhen, hasSources, notes } = around;
  const { type, id, ask_next_time } = saved.line.version;
  const short = id.slice(0, 8);
  const lines = [outcome(saved)];
  // A correction without a question keeps the old one, which may belong to the mistake.
  if (saved.isCorrection && !asks && ask_next_time !== undefined) {
    const again = `call again with replaces ["${short}"] and another ask_next_time, or "none"`;
    lines.push(
      `Kept its ask_next_time: "${oneLine(ask_next_time)}". If that is wrong now, ${again}.`,
    );
  }
  lines.push(...retirement(saved));
  if (saved.leftOut.length > 0) {
    const again = `call again with replaces ["${short}"] and say it`;
    lines.push(`It leaves out: ${listLeftOut(saved.leftOut)}`);
    lines.push(`If any of this still holds, ${again}.`);
  }
  for (const text of alsoSaid(saved.line.version, saved.settled ?? [])) {
    lines.push(`This settles a conflict: ${text}.`);
  }
  // A correction keeps the count, so the second call doesn't look like a second time.
  if (offeredWhen !== undefined) {
    const again = `call again with replaces ["${short}"] and when ${JSON.stringify(offeredWhen)}`;
    lines.push(
      `It has no when. If it belongs to this work, ${again}, and add two to four word: values.`,
    );
  }
  lines.push(...notes);
  if (hasSources) {
    lines.push(compactionDue(after, 0) ? MORE_TO_MERGE : ALL_MERGED);
  }
  const answer = { text: lines.join("\n"), snapshot: after, written: saved.line };
  if (type === "log" || saved.retired.length === 0) {
    return answer;
  }
  return { ...answer, advice: `To undo: sentinel-memory restore ${short}` };
}

const MORE_TO_MERGE =
  'More is left to merge: compact_memory with {"compact_threshold":1} shows it.';
const ALL_MERGED = "Compaction done: nothing is left to merge.";

function outcome({ line, isNew, isRepeated, isCorrection, coveredBy }: Saved): string {
  const { id, type, topic } = line.version;
  const times = timesMet(line.version);
  const what = `${type === "log" ? "lesson" : type} ${id.slice(0, 8)} (${topic})`;
  const howOften = times === 1 ? "once" : `${times} times`;
  const seen = type === "log" ? ` Seen ${howOften}.` : "";
  if (isRepeated && isCorrection) {
    return `Unchanged ${what}. It already says this.`;
  }
  if (isRepeated) {
    return `Unchanged ${what}. The same call was saved a moment ago.`;
  }
  if (isCorrection) {
    return `Corrected ${what}.${seen}`;
  }
  if (!isNew) {
    return `Updated ${what}.${seen}`;
  }
  if (!coveredBy) {
    return `Saved new ${what}.`;
  }
  if (!isLessonLine(coveredBy)) {
    return `Saved new ${what}. It had been forgotten.`;
  }
  const principle = `${coveredBy.version.id.slice(0, 8)} ("${firstWords(coveredBy.version.lesson)}")`;
  return `Saved new ${what}. Principle ${principle} had replaced it and did not prevent it: sharpen that principle.`;
}

function retirement({ line, retired, skipped }: Saved): string[] {
  const lines: string[] = [];
  const verb = line.version.type === "log" ? "Replaced" : "Retired";
  if (retired.length > 0) {
    lines.push(`${verb} ${plural(retired.length, "lesson")}.`);
  }
  for (const source of skipped.slice(0, MOST_SKIPPED_NAMED)) {
    lines.push(`Not retired: ${source.reference.slice(0, 40)} (${whySkipped(source)}).`);
  }
  return lines;
}

function whySkipped({ because, now }: Skipped): string {
  if (now !== undefined) {
    return `it changed and is now ${now}: read it before you retire it`;
  }
  return WHY_NONE[because];
}

/** @param given the threshold that the call gave. If so, the next call must give it too. */
export function dueNotice(count: number, threshold: number, given: number | undefined): string {
  const more = given === undefined ? "" : ` with compact_threshold ${given}`;
  return `Compaction is due: ${plural(count, "lesson")}, threshold ${threshold}. Call compact_memory${more} now.`;
}

interface Hinted {
  /** Lessons that this save replaced. */
  readonly retired?: readonly LessonLine[];
  /** The next step if the draft corrects a lesson. An agent calls again, and a person runs a command. */
  readonly correct?: (reference: string) => string;
}

const callAgain = (reference: string): string => `call again with replaces: ["${reference}"].`;

/** Names a lesson that the draft may repeat, else topics that look like its new one. @param before the memory without the draft. */
export function hintsFor(
  draft: Draft,
  before: Snapshot,
  { retired = [], correct = callAgain }: Hinted = {},
): string[] {
  const passedOver = new Set([lessonId(draft), ...retired.map(({ version }) => version.id)]);
  const others = before.lessons().filter(({ version }) => !passedOver.has(version.id));
  const gap = gapForm(draft.missing_context);
  const sameGap = others.find(({ version }) => formOf(version)?.endsWith(`\n${gap}`));
  if (draft.type === "log" && sameGap) {
    const place = `topic "${oneLine(sameGap.version.topic)}"`;
    return [
      hint(draft, sameGap, before, `of ${place} has the same gap`, "they are one lesson", correct),
    ];
  }
  if (lessonsOfTopic(before.lessons(), draft.topic).length === 0) {
    return topicHints(draft, before);
  }
  const ofType = others.filter(({ version }) => version.type === draft.type);
  const twin = nearestLesson(draft, lessonsOfTopic(ofType, draft.topic));
  if (!twin) {
    return [];
  }
  return [
    hint(draft, twin, before, "of this topic says nearly the same", "this corrects it", correct),
  ];
}

function hint(
  draft: Draft,
  other: LessonLine,
  before: Snapshot,
  likeness: string,
  condition: string,
  correct: (reference: string) => string,
): string {
  const { lesson } = other.version;
  const reference = new References(before).full(other);
  // The draft may have another number, or forbid something that the lesson allows.
  const contrast = contradicts(draft.lesson, lesson) ? ", but this contradicts it" : "";
  return `Lesson ${reference} ${likeness}${contrast}: "${firstWords(lesson)}". If ${condition}, ${correct(reference)}`;
}

function topicHints({ topic }: Draft, before: Snapshot): string[] {
  const alike = topicsOf(before).filter((other) => looksLike(other.topic, topic));
  if (alike.length === 0) {
    return [];
  }
  const named = alike
    .slice(0, 3)
    .map((other) => `"${oneLine(other.topic)}" (${plural(other.count, "lesson")})`);
  return [
    `The topic "${topic}" is new and looks like ${named.join(" and ")}. Reuse that one next time unless it is something else.`,
  ];
}

/** A few lines of code can be clearer than words. More lines are a copy, which becomes outdated. */
const MOST_CODE_LINES = 3;
const FENCED = /^\s*(```+|~~~+)[^\n]*\n([\s\S]*?)(?:^\s*\1|(?![\s\S]))/gm;

/** Advice on a draft that quotes a long block of code. It's saved anyway. */
export function codeHints({ missing_context, lesson }: Draft): string[] {
  const longest = Math.max(codeLines(missing_context), codeLines(lesson));
  if (longest <= MOST_CODE_LINES) {
    return [];
  }
  return [
    `The text has a block of ${longest} lines of code, which doesn't belong in the memory. State the rule in words, name the file, and log it again.`,
  ];
}

/** The number of lines in the longest fenced block of a text. An unclosed block ends with the text. */
function codeLines(text: string): number {
  const blocks = [...text.matchAll(FENCED)];
  const lengths = blocks.map(([, , code = ""]) => code.trimEnd().split("\n").length);
  return Math.max(0, ...lengths);
}
