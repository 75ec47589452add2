import { isEveryday } from "../../ground/search/everyday.ts";
import { tellingWords } from "../../ground/search/relevance.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { whenOf } from "../format/when.ts";
import type { LessonLine, Snapshot } from "../merge/versions.ts";
import { mostImportantFirst } from "./importance.ts";
import { alikeIn, matchesOf } from "./lesson-ranking.ts";
import { comingUp, isKeptOut, type Moment, workOn } from "./matches-when.ts";

/** Higher than the floor of a search, because the user didn't ask for lessons. */
const FLOOR = 0.3;
/** A prompt with fewer telling words gets no lesson by its words. */
const LEAST_WORDS = 2;
/** The task is in the first lines of a prompt. Every lesson shares some words with a long pasted text. Measured: `9b2ae1a7: bench:bundle`. */
const PROMPT_CHARACTERS = 250;

/** Whether a lesson can match the prompt by its words. "Yes, go on" has no subject to match. */
export const mayMatch = (prompt: string): boolean => tellingWords(taskOf(prompt)) >= LEAST_WORDS;

/** Returns the lessons whose `when` matches the prompt, then the lessons that clearly match it by words, best match first. */
export function lessonsFor(snapshot: Snapshot, prompt: string, moment: Moment): LessonLine[] {
  const work = workOn({ ...moment, prompt });
  const meant = comingUp(snapshot.lessons(), work).sort(mostImportantFirst);
  if (!mayMatch(prompt)) {
    return meant;
  }
  const task = taskOf(prompt);
  const alike = alikeIn(matchesOf(snapshot.lessons(), task), task, FLOOR)
    .map(({ item }) => item)
    .filter(({ version }) => !isKeptOut(whenOf(version), work));
  return [...new Set([...meant, ...alike])];
}

/** The words of a prompt by which a lesson matches it. */
export function wordsInCommon(snapshot: Snapshot, prompt: string, line: LessonLine): string[] {
  const words = taskOf(prompt).split(BETWEEN_WORDS);
  const telling = words.filter((word) => tokenize(word).some((term) => !isEveryday(term)));
  return [...new Set(telling)].filter((word) =>
    matchesOf(snapshot.lessons(), word).some(({ item }) => item === line),
  );
}

const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}_.-]+/u;

const taskOf = (prompt: string): string => prompt.slice(0, PROMPT_CHARACTERS);
