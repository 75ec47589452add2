import fc from "fast-check";
import { expect, test } from "vitest";
import { beginningsOf, landmarksOf } from "./search.ts";

test("one search finds what a search for each word finds", () => {
  const piece = fc.stringMatching(/^[ab키.(-]{1,4}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(piece, { minLength: 1, maxLength: 8 }),
      fc.stringMatching(/^[abAB키c.(-]{0,60}$/),
      (words, text) => {
        const beginnings = words.map((word) => beginningsOf([word]));
        const landmarks = landmarksOf(text);
        const expected = words.map((word) =>
          Array.from({ length: text.length }, (_, i) => i).filter((i) =>
            text.slice(i).toLowerCase().startsWith(word),
          ),
        );
        expect(beginnings.map((read) => read(landmarks))).toEqual(expected);
        expect(beginningsOf(words)(landmarks)).toEqual(expected.flat().sort((a, b) => a - b));
      },
    ),
    { numRuns: 500 },
  );
});
