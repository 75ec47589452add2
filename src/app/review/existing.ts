/** Finds existing lessons that a candidate repeats or contradicts, and those that an extractor should read. Pure functions. */
import { type Budget, capped, pack } from "../../ground/core/budget.ts";
import { oneLine } from "../../ground/core/text.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import type { Draft } from "../../lessons/changes/draft.ts";
import { contradicts } from "../../lessons/changes/losses.ts";
import { gapForm } from "../../lessons/format/lesson.ts";
import type { LessonLine, Snapshot } from "../../lessons/merge/versions.ts";
import { rankLessons } from "../../lessons/queries/lesson-ranking.ts";
import { References } from "../../lessons/queries/references.ts";
import { likeness } from "../../lessons/queries/similarity.ts";
import { looksLike } from "../../lessons/queries/topics.ts";

/** An existing lesson on the same subject as a candidate. */
export interface Existing {
  readonly line: LessonLine;
  /** The full reference of this version of the lesson. */
  readonly reference: string;
  readonly how: "nearly repeats" | "may contradict";
}

type Candidate = Pick<Draft, "topic" | "missing_context" | "lesson">;

/** The least share of common terms between two whole lessons. The next value is for two rules of one topic. */
const ALIKE = 0.5;
const ALIKE_RULES = 0.4;
/** One common word is too often a coincidence. */
const LEAST_WORDS = 2;
const MOST_LESSONS = 20;
const UNLIMITED: Budget = { characters: Infinity, bytes: Infinity, tokens: Infinity };

/** Returns the lesson that a candidate repeats or contradicts: one with the same gap, or else the most similar one. */
export function existingFor(candidate: Candidate, snapshot: Snapshot): Existing | undefined {
  let best: LessonLine | undefined;
  let most = 0;
  for (const line of snapshot.lessons()) {
    const share = similarity(candidate, line.version);
    if (share > most) {
      best = line;
      most = share;
    }
  }
  if (best === undefined) {
    return undefined;
  }
  const isContrary = contradicts(candidate.lesson, best.version.lesson);
  const reference = new References(snapshot).full(best);
  return { line: best, reference, how: isContrary ? "may contradict" : "nearly repeats" };
}

/** Returns a value from 0 to 1. It's 0 if two lessons are too different to be about the same subject. */
function similarity(a: Candidate, b: Candidate): number {
  if (a.missing_context !== "" && gapForm(a.missing_context) === gapForm(b.missing_context)) {
    return 1;
  }
  const whole = likeness(a, b);
  if (whole >= ALIKE) {
    return whole;
  }
  if (a.topic !== b.topic && !looksLike(a.topic, b.topic)) {
    return 0;
  }
  const rules = likeness({ ...a, missing_context: "" }, { ...b, missing_context: "" });
  return rules >= ALIKE_RULES ? rules : 0;
}

/** Returns the lessons about a text, best match first, one line each with its full reference. @param now YYYY-MM-DD HH:MM. */
export function lessonsAbout(
  text: string,
  snapshot: Snapshot,
  mostTokens: number,
  now: string,
): string[] {
  const references = new References(snapshot);
  const ranked = rankLessons(snapshot.lessons(), text, { now });
  const terms = new Set(tokenize(text));
  const about = ranked.filter(({ line, comesUp, sharedWords }) => {
    const isOfTopic = tokenize(line.version.topic).some((term) => terms.has(term));
    return comesUp || isOfTopic || sharedWords >= LEAST_WORDS;
  });
  const lines = about.slice(0, MOST_LESSONS).map(({ line }) => {
    const { topic, missing_context, lesson } = line.version;
    return `${references.full(line)} ${oneLine(`${topic}: ${missing_context} -> ${lesson}`)}`;
  });
  return [...pack(lines, capped(UNLIMITED, mostTokens), (line) => line).taken];
}
