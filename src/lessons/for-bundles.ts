/** The parts that the session log needs to find and show lessons, in one module. */
export { block, markOver } from "./format/lesson-text.ts";
export { clearMatches, rankLessons } from "./queries/lesson-ranking.ts";
export type { Moment } from "./queries/matches-when.ts";
export { findLesson, References } from "./queries/references.ts";
