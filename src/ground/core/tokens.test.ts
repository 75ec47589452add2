import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { ODD_TEXTS } from "../../../test/support/odd-texts.ts";
import { USUAL_TEXTS } from "../../../test/support/usual-texts.ts";
import { estimateTokens } from "./tokens.ts";

const LEAST_TOKENS = 200;

function expectNear(text: string): void {
  expect(
    Math.abs(estimateTokens(text) / countTokens(text) - 1),
    text.slice(0, 200),
  ).toBeLessThanOrEqual(0.15);
}

describe("estimateTokens", () => {
  it.each(Object.entries(USUAL_TEXTS))(
    "is within 15 % of the o200k tokenizer for %s",
    (_, texts) => {
      fc.assert(
        // Without bias: the error of one word fifty times over says nothing of a text.
        fc.property(fc.noBias(texts), (text) => {
          fc.pre(countTokens(text) >= LEAST_TOKENS);
          expectNear(text);
        }),
        { numRuns: 15 },
      );
    },
  );

  it.each(Object.entries(ODD_TEXTS))("is at most 15 % below it for %s", (_, texts) => {
    fc.assert(
      fc.property(fc.noBias(texts), (text) => {
        expect(countTokens(text)).toBeLessThanOrEqual(estimateTokens(text) / 0.85);
      }),
      { numRuns: 3 },
    );
  });

  it("is zero for nothing, and grows with the text", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("The server retries. The server retries.")).toBeGreaterThan(
      estimateTokens("The server retries."),
    );
  });
});
