import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens, libraryTokens } from "./tokens.ts";

const CODE = `export async function retry(part: Part, { attempts = 3, delayMs = 250 } = {}): Promise<Receipt> {
  for (let attempt = 1; ; attempt++) await client.put(\`/uploads/\${part.id}\`, part.bytes, { timeout: 30_000 });
}`;

const word = fc.stringMatching(
  /^(?:[a-z]{1,30}|\d{1,30}|[A-Za-z0-9]{1,60}|[A-Za-z0-9'_]{1,60}|[.,/_+-]{1,9}|[ \n\r\t]{1,9})$/,
);
const other = fc.constantFrom(
  "→",
  "268→",
  "—",
  "…",
  "é",
  "naïve",
  "─",
  "🙂",
  "\u00a0",
  "\u2028",
  "\u3000",
  "。",
  "토큰",
  "ﬁ",
  "\ud800",
  "Ω",
);
const text = fc.oneof(
  fc.string({ unit: "binary-ascii" }),
  fc.string({ unit: "binary" }),
  fc.array(fc.oneof(word, word, word, other)).map((words) => words.join("")),
);

describe("the estimate by runs", () => {
  it("is what the library says", () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(estimateTokens(text)).toBe(libraryTokens(text));
      }),
      { numRuns: 5_000, examples: [[CODE], [""], ["\n"], [".\n"], ["a.\n\nb"], ["0b8a1f8e8d0c4b7e9a353f0e5b0c7d11"]] },
    );
  });
});
