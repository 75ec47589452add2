import { expect, test } from "vitest";
import { aroundMatch } from "./around-match.ts";

const log = Array.from({ length: 40 }, (_, at) => `line ${at} of the output`);
const shape = { mostLines: 5, width: 60 };

test("a short text is shown whole, without its blank lines", () => {
  expect(aroundMatch("one\n\n  two\n", "two", shape)).toEqual(["one", "two"]);
});

test("a long text is shown around what matched, and says that there is more", () => {
  const text = log.with(30, "ECONNREFUSED on port 5432").join("\n");
  const shown = aroundMatch(text, "which port was refused with ECONNREFUSED", shape);
  expect(shown).toHaveLength(5);
  expect(shown[2]).toBe("ECONNREFUSED on port 5432");
  expect(shown[0]).toMatch(/^…line 28/);
  expect(shown.at(-1)).toMatch(/output…$/);
});

test("the rarest words of the question choose, not the one that stands everywhere", () => {
  const text = log.with(35, "the output is flushed by fsync").join("\n");
  expect(aroundMatch(text, "output line fsync", shape).join("\n")).toContain("fsync");
});

test("where nothing matches the beginning is shown", () => {
  expect(aroundMatch(log.join("\n"), "elephants", shape)[0]).toBe("line 0 of the output");
});

test("one line that is very long is cut into lines, each as wide as there is room", () => {
  const text = `${"word ".repeat(2_000)}needle ${"word ".repeat(2_000)}`;
  const shown = aroundMatch(text, "needle", shape);
  expect(shown.join("\n")).toContain("needle");
  expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(60);
});

test("a text without blanks, and one in another script, are cut too", () => {
  const text = `${"가".repeat(500)}배포 순서${"나".repeat(500)}`;
  const shown = aroundMatch(text, "배포 순서", shape);
  expect(shown.join("")).toContain("배포");
  expect(shown.map((line) => line.length)).toEqual(shown.map((line) => Math.min(line.length, 30)));
});
