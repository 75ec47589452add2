import { expect, it } from "vitest";
import { rarestRun } from "./rarest-run.ts";

/** Pieces of size 1, each with the terms of its letters; a dot holds none. */
const pieces = (text: string) =>
  [...text].map((letter) => ({ size: 1, terms: letter === "." ? [] : [letter] }));

it.each([
  ["the rarest term, and not the most", "aaaa....b", 3, [6, 9]],
  ["as many terms as fit, each once", "a..aab...", 3, [4, 7]],
  ["as much before as after", "....a....", 5, [2, 7]],
  ["all of it where there is room", ".a.", 9, [0, 3]],
  ["the beginning where nothing is found", ".....", 2, [0, 2]],
  ["of equal ones the first", ".a...a.", 1, [1, 2]],
])("a run holds %s", (_, text, room, run) => {
  expect(rarestRun(pieces(text), room)).toEqual(run);
});

it("one piece is shown though it is larger than the room", () => {
  expect(rarestRun([{ size: 9, terms: ["a"] }], 3)).toEqual([0, 1]);
});
