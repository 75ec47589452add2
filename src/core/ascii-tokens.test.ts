import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asciiTokens } from "./ascii-tokens.ts";
import { libraryTokens } from "./tokens.ts";

const CODE = `export async function retry(part: Part, { attempts = 3, delayMs = 250 } = {}): Promise<Receipt> {
  for (let attempt = 1; ; attempt++) await client.put(\`/uploads/\${part.id}\`, part.bytes, { timeout: 30_000 });
}`;

const word = fc.stringMatching(
  /^(?:[a-z]{1,30}|\d{1,30}|[A-Za-z0-9]{1,60}|[A-Za-z0-9'_]{1,60}|[.,/_+-]{1,9}|[ \n\r\t]{1,9})$/,
);
const text = fc.oneof(
  fc.string({ unit: "binary-ascii" }),
  fc.array(word).map((words) => words.join("")),
);

describe("the estimate for ASCII", () => {
  it("is what the library says", () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(asciiTokens(text)).toBe(libraryTokens(text));
      }),
      { numRuns: 5_000, examples: [[CODE], [""], ["\n"], [".\n"], ["a.\n\nb"], ["0b8a1f8e8d0c4b7e9a353f0e5b0c7d11"]] },
    );
  });

  it("is none for anything else", () => {
    for (const text of ["naïve", "a\u0080", "토큰", "🙂"]) expect(asciiTokens(text)).toBeUndefined();
  });
});
