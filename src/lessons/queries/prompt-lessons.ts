import { tellingWords } from "../../ground/search/relevance.ts";
import { whenOf } from "../format/when.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { mostImportantFirst } from "./importance.ts";
import { LessonRanking } from "./lesson-ranking.ts";
import { comingUp, isKeptOut, type Moment, workOn } from "./matches-when.ts";

/** Above this `Ranked.relevance`, what a lesson shares with a prompt is hardly a coincidence. */
const RELEVANCE_FLOOR = 0.3;
/** One word alone may mean something else. */
const LEAST_WORDS = 2;
/** The task stands in the first lines of a prompt; any lesson has some words of what is pasted below. Measured: `npm run bench:bundle`. */
const PROMPT_CHARACTERS = 250;

/** Whether a lesson can match the prompt by its words. "Yes, go on" says nothing that one could be about. */
export const mayMatch = (prompt: string): boolean => tellingWords(taskOf(prompt)) >= LEAST_WORDS;

/** The lessons that say they come up in what the prompt asks for, then those that clearly match it, best match first. */
export function lessonsFor(snapshot: Snapshot, prompt: string, moment: Moment): LessonLine[] {
  const work = workOn({ ...moment, prompt });
  const meant = comingUp(snapshot.lessons(), work).sort(mostImportantFirst);
  const task = taskOf(prompt);
  const alike = new LessonRanking(task)
    .matches(snapshot.lessons(), task)
    .filter(
      ({ relevance, sharedWords }) => relevance > RELEVANCE_FLOOR && sharedWords >= LEAST_WORDS,
    )
    .map(({ item }) => item)
    .filter(({ version }) => !isKeptOut(whenOf(version), work));
  return [...new Set([...meant, ...alike])];
}

const taskOf = (prompt: string): string => prompt.slice(0, PROMPT_CHARACTERS);
