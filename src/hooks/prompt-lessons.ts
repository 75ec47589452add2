/** Which lessons speak to a prompt so clearly that they should be put before the agent unasked? */
import type { Snapshot } from "../lessons/merge/snapshot.ts";
import type { LessonLine } from "../lessons/merge/versions.ts";
import { LessonRanking } from "../lessons/queries/lesson-ranking.ts";

/** Above this `Ranked.relevance`, what a lesson shares with a prompt is hardly chance. */
const RELEVANCE_FLOOR = 0.25;
/** "run the tests" is all of two terms, so any lesson about tests would seem to speak to the whole of it. */
const LEAST_TERMS = 3;
/** A prompt is a task in its first lines; what is pasted below is not. */
const PROMPT_CHARACTERS = 1_000;

/** The lessons that clearly speak to a prompt, best match first. */
export function lessonsFor(snapshot: Snapshot, prompt: string): LessonLine[] {
  return new LessonRanking()
    .rank(snapshot.lessons(), prompt.slice(0, PROMPT_CHARACTERS))
    .filter(({ relevance, sharedTerms }) => relevance > RELEVANCE_FLOOR && sharedTerms >= LEAST_TERMS)
    .map(({ line }) => line);
}
