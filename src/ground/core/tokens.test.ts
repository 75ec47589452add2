import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/support/form.ts";
import { ODD_TEXTS, RANDOM_CHARACTERS } from "../../../test/support/odd-texts.ts";
import { realisticMemory } from "../../../test/support/realistic-memory.ts";
import { USUAL_TEXTS } from "../../../test/support/usual-texts.ts";
import type { Lesson } from "../../lessons/format/lesson.ts";
import { estimateTokens } from "./tokens.ts";

const LEAST_TOKENS = 200;

/** As an answer shows it: a handful of records, text and labels. */
function answers(keep: (text: string) => boolean): string[] {
  const blocks = realisticMemory(3000, 5)
    .lessons.filter(({ lesson }) => keep(lesson))
    .map(({ id, topic, missing_context, lesson, ask_next_time = "" }: Lesson, n) =>
      [`#${n} ${id.slice(0, 8)}@9f2e ${topic}`, missing_context, lesson, ask_next_time].join(
        "\n  ",
      ),
    );
  return Array.from({ length: 50 }, (_, n) => blocks.slice(n * 10, n * 10 + 10).join("\n"));
}

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
        runs(15),
      );
    },
  );

  it.each([
    {
      language: "English",
      keep: (text: string) => !/\p{Script=Hangul}|\p{Script=Han}/u.test(text),
    },
    { language: "Korean", keep: (text: string) => /\p{Script=Hangul}/u.test(text) },
    { language: "Chinese", keep: (text: string) => /\p{Script=Han}/u.test(text) },
  ])("is within 15 % of it for every answer in $language", ({ keep }) => {
    for (const answer of answers(keep)) expectNear(answer);
  });

  it.each(Object.entries(ODD_TEXTS).filter(([name]) => !RANDOM_CHARACTERS.includes(name)))(
    "is at most 15 % below it for %s",
    (_, texts) => {
      fc.assert(
        fc.property(fc.noBias(texts), (text) => {
          expect(countTokens(text)).toBeLessThanOrEqual(estimateTokens(text) / 0.85);
        }),
        runs(3),
      );
    },
  );

  it("is zero for nothing, and grows with the text", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("The server retries. The server retries.")).toBeGreaterThan(
      estimateTokens("The server retries."),
    );
  });
});
