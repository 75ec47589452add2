import fc from "fast-check";
import { expect, test } from "vitest";
import { redact } from "../redact.ts";
import { buildAutomaton, scan } from "./automaton.ts";
import { landmarksOf } from "./literals.ts";

test("a scanner finds what a search for each literal finds", () => {
  const piece = fc.stringMatching(/^[abAB키-]{1,4}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(piece, { minLength: 1, maxLength: 8, selector: (word) => word.toLowerCase() }),
      fc.stringMatching(/^[abAB키c-]{0,60}$/),
      (words, text) => {
        const [, occurrences = []] = scan(buildAutomaton([["x"], words]), text);
        const found = occurrences.map(({ start, literal }) => `${start} ${words[literal]}`);
        const expected = words.flatMap((word) =>
          Array.from({ length: text.length }, (_, i) => i)
            .filter((i) => text.slice(i).toLowerCase().startsWith(word.toLowerCase()))
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
  const noted = landmarksOf("//").literals.filter((each) => each.length > 0);
  expect(noted).toEqual([[{ start: 0, literal: 0 }]]);
});
