import { describe, expect, it } from "vitest";
import { logLine, snapshotOf } from "../../../test/support/lines.ts";
import type { Budget } from "../../ground/core/budget.ts";
import { LessonRanking } from "../queries/lesson-ranking.ts";
import { showAll, showIndex } from "./whole-memory.ts";

const PLENTY: Budget = { characters: 36_000, bytes: 45_000, tokens: 9_700 };
const COUNT = 62;

const snapshot = snapshotOf(
  ...Array.from({ length: COUNT }, (_, place) =>
    logLine(
      place % 2 ? "billing" : "login",
      `Printer ${"abcdefghijklmnop"[place % 16]}${place} is slow`,
    ),
  ),
  logLine("mail", "Gmail clips large messages", 1, { lesson: "Inline the critical CSS" }),
);

const scopeOf = (query: string) => {
  const ranked = new LessonRanking().rank(snapshot.lessons(), query, { now: "2026-11-25" });
  return { snapshot, ranked, matching: [], query, topics: [] };
};

describe("all lessons", () => {
  it("are in full while they fit, the best match first", () => {
    const { lines, inFull, isPart } = showAll(scopeOf("gmail clips"), PLENTY);
    expect([inFull.length, lines.length, isPart]).toEqual([COUNT + 1, COUNT + 1, false]);
    expect(lines[0]).toContain("Gmail clips large messages");
  });

  it.each([2_000, 4_000])("of more than %i bytes: some in full, the others by title", (bytes) => {
    const { lines, inFull, isPart } = showAll(scopeOf("gmail clips"), { ...PLENTY, bytes });
    const text = lines.join("\n");
    expect(text).toContain(`${inFull.length} of ${COUNT + 1} lessons; the rest by title.`);
    expect(text.match(/^#\d+ /gm)).toHaveLength(inFull.length);
    const titles = [...text.matchAll(/^- (?:billing|login): (.*)$/gm)].flatMap(([, titles = ""]) =>
      titles.split("; "),
    );
    const notShown = Number(/^Other lessons, not shown: (\d+)$/m.exec(text)?.[1] ?? 0);
    expect(titles.length).toBeGreaterThan(5);
    expect(inFull.length + titles.length + notShown).toBe(COUNT + 1);
    expect([isPart, Buffer.byteLength(text) <= bytes]).toEqual([true, true]);
  });
});

describe("an index", () => {
  it("has a line with id, title and relevance for each match", () => {
    const [heading, first, ...others] = showIndex(scopeOf("gmail clips"), PLENTY).lines;
    expect(heading).toMatch(/^Id, title, relevance/);
    expect(first).toMatch(/^[0-9a-f]{8} mail: Inline the critical CSS \| (?:1\.00|0\.\d\d)$/);
    expect(others).toEqual([`Other lessons, not shown: ${COUNT}`]);
  });

  it("lists all lessons if none matches, as many as fit", () => {
    const { lines, inFull } = showIndex(scopeOf("kubernetes"), PLENTY);
    expect([lines.length, inFull]).toEqual([COUNT + 2, []]);
    const narrow = showIndex(scopeOf("kubernetes"), { ...PLENTY, bytes: 1_500 });
    const listed = narrow.lines.filter((line) => line.endsWith("| 0.00")).length;
    expect(narrow.lines.at(-1)).toBe(`Other lessons, not shown: ${COUNT + 1 - listed}`);
    expect(narrow.isPart).toBe(true);
  });
});
