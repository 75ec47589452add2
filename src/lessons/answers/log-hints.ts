/** Hints of log_memory: similar lessons, similar topics, and code in the text. */
import { firstWords, LINE_BREAK, oneLine, plural } from "../../ground/core/text.ts";
import type { Draft } from "../changes/draft.ts";
import { contradicts } from "../changes/losses.ts";
import { formOf, gapForm, topicForm } from "../format/forms.ts";
import { lessonId } from "../format/lesson-id.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { References } from "../queries/references.ts";
import { nearestLesson } from "../queries/similarity.ts";
import { looksLike, topicsOf } from "../queries/topics.ts";

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
