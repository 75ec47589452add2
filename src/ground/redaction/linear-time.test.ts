import { expect, test } from "vitest";
import { NEAR_MISSES, PREFIXES, repeated } from "../../../test/support/near-misses.ts";
import { visitedCharacters } from "../../../test/support/visited-characters.ts";
import { redact } from "./redact.ts";

/** The most that eight times the text may cost: 2.1 for each doubling. Quadratic work would cost 64. */
const GROWTH = 2.1 ** 3;

/** Pieces that cost more than that, repeated up to eight times a length that cuts one in two. */
function costly(pieces: readonly string[], length: number): string[] {
  const visits = (piece: string, characters: number) =>
    visitedCharacters(() => redact(repeated(piece, characters)));
  return pieces.filter((piece) => visits(piece, 8 * length) > GROWTH * visits(piece, length));
}

test("what begins like a secret again and again costs in proportion to its length, 1 to 8 KB", () => {
  expect(costly([...PREFIXES.filter((_, i) => i % 6 === 0), ...NEAR_MISSES], 1021)).toEqual([]);
});

test("lines of a key that follow each other, or each end in a shorter one, cost in proportion to their length", () => {
  const line = "aB3".repeat(22);
  expect(costly([`${line}\\n`, `-----BEGIN X-----\n${line}\naB3\n`], 1021)).toEqual([]);
});

test("the count sees work that is not linear", () => {
  const search = (text: string) => {
    for (let i = 0; i < text.length; i += 100) {
      text.slice(i).match(/x$/);
    }
  };
  const [short = 0, long = 0] = [10_000, 80_000].map((length) =>
    visitedCharacters(() => search("a".repeat(length))),
  );
  expect(long / short).toBeGreaterThan(GROWTH);
});
