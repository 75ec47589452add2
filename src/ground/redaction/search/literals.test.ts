import fc from "fast-check";
import { expect, test } from "vitest";
import { redact } from "../redact.ts";
import { finderOf, landmarksOf } from "./literals.ts";

test("one search finds what a search for each literal finds", () => {
  const piece = fc.stringMatching(/^[ab키.(-]{1,4}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(piece, { minLength: 1, maxLength: 8 }),
      fc.stringMatching(/^[abAB키c.(-]{0,60}$/),
      (words, text) => {
        const occurrences = finderOf([["x"], words])(text).get(1) ?? [];
        const found = occurrences.map(({ start, literal }) => `${start} ${words[literal]}`);
        const expected = words.flatMap((word) =>
          Array.from({ length: text.length }, (_, i) => i)
            .filter((i) => text.slice(i).toLowerCase().startsWith(word))
            .map((i) => `${i} ${word}`),
        );
        expect(found.sort()).toEqual(expected.sort());
      },
    ),
    { numRuns: 500 },
  );
});

test("literals that several detectors look for are noted once", () => {
  redact("");
  const noted = [...landmarksOf("//").literals.values()];
  expect(noted).toEqual([[{ start: 0, literal: 0 }]]);
});
