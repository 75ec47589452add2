import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { realisticMemory } from "../../test/support/realistic-memory.ts";
import type { Lesson } from "./record.ts";
import { estimateTokens } from "./tokens.ts";

const HANGUL = /\p{Script=Hangul}/u;
const HAN = /\p{Script=Han}/u;

/** As an answer shows it: a handful of records, text and labels. */
function answers(keep: (lesson: Lesson) => boolean): string[] {
  const blocks = realisticMemory(3000, 5)
    .lessons.filter(keep)
    .map(({ id, topic, missing_context, lesson, ask_next_time = "" }, n) =>
      [`#${n} ${id.slice(0, 8)}@9f2e ${topic}`, missing_context, lesson, ask_next_time].join("\n  "),
    );
  return Array.from({ length: 50 }, (_, n) => blocks.slice(n * 10, n * 10 + 10).join("\n"));
}

const CODE = `
export async function retryUpload(part: UploadPart, options: RetryOptions = {}): Promise<Receipt> {
  const { attempts = 3, delayMs = 250 } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.put(\`/uploads/\${part.id}\`, part.bytes, { timeout: 30_000 });
    } catch (error) {
      if (attempt >= attempts || !isTransient(error)) throw new UploadError("upload_failed", { cause: error });
      await sleep(delayMs * 2 ** attempt);
    }
  }
}

SELECT o.id, SUM(i.amount_cents) AS total FROM orders o JOIN order_items i ON i.order_id = o.id
WHERE o.created_at >= '2026-01-01' AND o.status IN ('paid', 'refunded') GROUP BY o.id ORDER BY total DESC LIMIT 50;
`;

describe("estimateTokens", () => {
  it.each([
    { language: "English", keep: (lesson: Lesson) => !HANGUL.test(lesson.lesson) && !HAN.test(lesson.lesson) },
    { language: "Korean", keep: (lesson: Lesson) => HANGUL.test(lesson.lesson) },
    { language: "Chinese", keep: (lesson: Lesson) => HAN.test(lesson.lesson) },
  ])("is within 10 % of the o200k tokenizer on every answer in $language", ({ keep }) => {
    for (const answer of answers(keep)) {
      expect(Math.abs(estimateTokens(answer) / countTokens(answer) - 1), answer).toBeLessThan(0.1);
    }
  });

  it("is within 10 % on code", () => {
    expect(Math.abs(estimateTokens(CODE) / countTokens(CODE) - 1)).toBeLessThan(0.1);
  });

  it("is zero for nothing, and grows with the text", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens(CODE + CODE)).toBeGreaterThan(estimateTokens(CODE));
  });
});
