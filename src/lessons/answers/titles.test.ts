import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { toLine } from "../format/file-lines.ts";
import type { LessonLine } from "../merge/versions.ts";
import { titlesOf } from "./titles.ts";

const BUDGET = { characters: 9_000, bytes: 27_000, tokens: 400 };
/** In tokens: a title has no more where there are more lessons than room for them. */
const MOST = 5;

describe("a title", () => {
  it("of a text without spaces is the longest beginning that fits", () => {
    const characters = fc.constantFrom(
      ..."\ub370\uc774\ud130\ubca0\uc774\uc2a4\u8fde\u63a5\u6c60\u7684\u9f98\u30d7\u30fc\u30eb",
      "ab",
      "Q",
      "7",
      "\u00df",
      "\u0ba8",
      "\ud83d\ude00",
    );
    const text = fc.string({ unit: characters, minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(text, (missing_context) => {
        const version = {
          id: "a",
          type: "log",
          topic: "db",
          missing_context,
          lesson: "",
          meta: { created: "" },
        } as const;
        const { texts } = titlesOf(
          new Array<LessonLine>(400).fill(toLine(version) as LessonLine),
          BUDGET,
        );
        const beginnings = Array.from(missing_context, (_, last) =>
          [...missing_context].slice(0, last + 1).join(""),
        );
        const fitting = beginnings.filter((beginning) => estimateTokens(beginning) <= MOST);
        const [first] = texts.join("\n").split("; ");
        expect(first).toBe(`- db: ${fitting.at(-1) ?? beginnings[0]}`);
      }),
    );
  });
});
