import { createHash } from "node:crypto";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { realisticMemory } from "../../test/support/realistic-memory.ts";
import type { Lesson } from "../lessons/format/record.ts";
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

const PASSAGES = {
  Russian:
    "Платёжный провайдер отвечает не позже десяти секунд, поэтому задайте тайм-аут в клиенте и повторите запрос один раз с тем же ключом.",
  Greek:
    "Ο πάροχος πληρωμών λήγει μετά από δέκα δευτερόλεπτα, οπότε ορίστε το χρονικό όριο στον πελάτη και δοκιμάστε ξανά.",
  Arabic:
    "ينتهي وقت مزود الدفع بعد عشر ثوان، لذلك اضبط المهلة في العميل وأعد المحاولة مرة واحدة بنفس المفتاح قبل الإبلاغ عن الفشل.",
  Hindi:
    "भुगतान प्रदाता दस सेकंड के बाद समय समाप्त कर देता है, इसलिए क्लाइंट में समय सीमा निर्धारित करें और उसी कुंजी के साथ पुनः प्रयास करें।",
  Thai: "ผู้ให้บริการชำระเงินหมดเวลาหลังจากสิบวินาที ดังนั้นให้ตั้งค่าการหมดเวลาในไคลเอนต์และลองใหม่หนึ่งครั้งด้วยคีย์เดิม",
  "Korean without spaces":
    "결제공급자는십초후에시간이초과되므로클라이언트에서시간제한을설정하고같은멱등키로한번만다시시도한뒤알려야합니다",
  digests: ["a", "b", "c", "d"].map((text) => createHash("sha256").update(text).digest("hex")).join(" "),
};

describe("estimateTokens", () => {
  it.each(Object.entries(PASSAGES))("does not underrate %s", (_, passage) => {
    const share = estimateTokens(passage) / countTokens(passage);
    expect(share).toBeGreaterThan(0.9);
    expect(share).toBeLessThan(1.2);
  });

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
