/** The work of redacting grows with the text: all prefixes, and near-misses up to the largest piece of a long text. */

import { expect, test } from "vitest";
import { redact } from "../../src/ground/redaction/redact.ts";
import { NEAR_MISSES, PREFIXES, repeated } from "../support/near-misses.ts";
import { visitedCharacters } from "../support/visited-characters.ts";

const LENGTHS = [1021, 8168, 65_344];
const DOUBLINGS = [3, 6, 8];

function mustBeLinear(piece: string, lengths: readonly number[]): void {
  const [least = 0, ...more] = lengths.map(
    (length) => visitedCharacters(() => redact(repeated(piece, length))) / length,
  );
  // 2.1 for each doubling is 5 % more for each character
  expect(
    Math.max(...more.map((visits, i) => visits / least / 1.05 ** (DOUBLINGS[i] ?? 0))),
  ).toBeLessThanOrEqual(1);
}

test.each(PREFIXES)("%j again and again, 1 to 64 KB", (piece) => mustBeLinear(piece, LENGTHS));

test.each(NEAR_MISSES)("%j again and again, 1 to 256 KB", (piece) =>
  mustBeLinear(piece, [...LENGTHS, 261_376]),
);
