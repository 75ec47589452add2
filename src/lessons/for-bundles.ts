/** What a bundle needs to choose and show lessons, in one module: it is loaded only where there are some. */
export { block } from "./format/lesson-text.ts";
export type { Moment } from "./queries/matches-when.ts";
export { lessonsFor } from "./queries/prompt-lessons.ts";
export { References } from "./queries/references.ts";
