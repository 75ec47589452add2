import { describe, expect, it } from "vitest";
import type { RedactedText } from "../../ground/redaction/redact.ts";
import { excerpt, extentOf } from "./cut-content.ts";

const of = (text: string, parts: "head" | "head and tail", most: number) =>
  excerpt(text as RedactedText, parts, most);
const LINES = Array.from({ length: 100 }, (_, at) => `line ${String(at).padStart(2, "0")}`).join(
  "\n",
);

describe("an excerpt", () => {
  it("of a text that fits is the text", () => {
    expect(of("", "head", 10)).toEqual({ text: "", isCut: false, headLines: 0 });
    expect(of("한국어", "head", 9)).toEqual({ text: "한국어", isCut: false, headLines: 1 });
    expect(of("a\nb\n", "head and tail", 4)).toEqual({
      text: "a\nb\n",
      isCut: false,
      headLines: 2,
    });
  });

  it("is cut at the ends of lines, and says how much is left out", () => {
    expect(of(LINES, "head", 25)).toEqual({
      text: "line 00\nline 01\nline 02\n[… 97 lines, 775 bytes left out …]",
      isCut: true,
      headLines: 3,
    });
    expect(of(LINES, "head and tail", 41)).toEqual({
      text: "line 00\nline 01\nline 02\n[… 95 lines, 760 bytes left out …]\nline 98\nline 99",
      isCut: true,
      headLines: 3,
    });
  });

  it("of one long line is cut in it, never in a character or a mark", () => {
    expect(of("가".repeat(50), "head", 10).text).toBe("가가가\n[… 1 lines, 141 bytes left out …]");
    expect(of("😀".repeat(50), "head and tail", 21).text).toBe(
      "😀😀😀\n[… 1 lines, 180 bytes left out …]\n😀😀",
    );
    expect(of(`secret: [REDACTED]${"x".repeat(50)}`, "head", 12).text).toMatch(/^secret: \n\[…/);
  });

  it("holds at most so many bytes beside its note, of any text", () => {
    for (const text of [
      LINES,
      "가나\n".repeat(90),
      `${"x".repeat(400)}\ny`,
      `y\n${"😀".repeat(99)}`,
      "\ud800".repeat(200),
    ]) {
      for (const parts of ["head", "head and tail"] as const) {
        for (let most = 8; most < 100; most += 7) {
          const shown = of(text, parts, most).text.replace(/\n?\[….*…\]\n?/u, "");
          expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(most);
          expect(shown.isWellFormed() || !text.isWellFormed()).toBe(true);
        }
      }
    }
  });
});

it("the extent of a text is its bytes and lines", () => {
  expect(extentOf("")).toEqual({ bytes: 0, lines: 0 });
  expect(extentOf("가\nb")).toEqual({ bytes: 5, lines: 2 });
  expect(extentOf("a\n\n")).toEqual({ bytes: 3, lines: 2 });
});
