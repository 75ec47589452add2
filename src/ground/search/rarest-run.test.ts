import { expect, it } from "vitest";
import { rarestRun } from "./rarest-run.ts";

/** Lines, each with the terms of its letter. A dot has none. */
const linesOf = (text: string) => [...text].map((letter) => (letter === "." ? [] : [letter]));

it.each([
  ["the rarest term, and not the most", "aaaa....b", 3, [6, 9]],
  ["as many terms as fit, each once", "a..aab...", 3, [4, 7]],
  ["as much before as after", "....a....", 5, [2, 7]],
  ["all of it where there is room", ".a.", 9, [0, 3]],
  ["the beginning where nothing is found", ".....", 2, [0, 2]],
  ["of equal ones the first", ".a...a.", 1, [1, 2]],
])("a run holds %s", (_, text, room, run) => {
  expect(rarestRun(linesOf(text), room)).toEqual(run);
});
