import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesGlob } from "./glob.ts";
import { matchesWhen } from "./matches-when.ts";

describe("a glob", () => {
  it.each([
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/sub/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/b/c/a.ts", true],
    ["src/**/b/*", "src/xb/a", false],
    ["src/**/b/*", "src/x/b/a", true],
    ["src/**", "src/b/c/a.ts", true],
    ["src/", "src/b/a.ts", true],
    ["src/**", "src", false],
    ["*.sql", "db/migrations/001.sql", true],
    ["*.sql", "db/001.sqlx", false],
    ["/package.json", "package.json", true],
    ["a?c.ts", "abc.ts", true],
    ["src/a?c", "src/a/c", false],
    ["src/*_test_*.go", "src/x_test_y.go", true],
    ["src\\*.ts", "src/a.ts", true],
    ["결제/*", "결제/환불.ts", true],
    ["a.ts", "axts", false],
  ])("%s on %s: %s", (glob, path, expected) => {
    expect(matchesGlob(glob, path)).toBe(expected);
  });

  it("takes at most a step for each of its parts and each character of the path", () => {
    const glob = fc.array(fc.constantFrom("*", "**", "?", "a", "b", "/", "a*", "**/"), { maxLength: 40 });
    const path = fc.array(fc.constantFrom("a", "b", "/", "aaaa"), { maxLength: 200 });
    fc.assert(
      fc.property(glob, path, (parts, characters) => {
        const [pattern, text] = [parts.join(""), characters.join("")];
        let steps = 0;
        matchesGlob(pattern, text, () => steps++);
        expect(steps).toBeLessThanOrEqual((pattern.length + 4) * text.length);
      }),
    );
  });
});

describe("when", () => {
  it("holds for a file that is touched, and one that the prompt names", () => {
    const when = { paths: ["src/billing/**"] };
    expect(matchesWhen(when, { files: ["src/billing/vat.ts"] })).toBe(true);
    expect(matchesWhen(when, { prompt: "Look at `src/billing/vat.ts`, please." })).toBe(true);
    expect(matchesWhen(when, { files: ["src/auth.ts"], prompt: "billing" })).toBe(false);
  });

  it("holds for a whole word, whatever its case, and for a part of a word in Korean and Chinese", () => {
    const holds = (word: string, prompt: string) => matchesWhen({ words: [word] }, { prompt });
    expect(holds("vat", "Which VAT applies?")).toBe(true);
    expect(holds("vat", "a private key")).toBe(false);
    expect(holds("release notes", "Write the Release  notes".replace("  ", " "))).toBe(true);
    expect(holds("환불", "환불은 언제?")).toBe(true);
    expect(holds("退款", "怎么退款呢")).toBe(true);
    expect(holds("ｖａｔ", "vat")).toBe(true);
  });

  it("of nothing holds for nothing", () => {
    expect(matchesWhen({}, { files: ["a"], prompt: "a" })).toBe(false);
    expect(matchesWhen({ words: [""] }, { prompt: "a" })).toBe(false);
  });
});
