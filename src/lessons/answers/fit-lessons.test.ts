import { expect, it } from "vitest";
import { logLine, snapshotOf } from "../../../test/support/lines.ts";
import type { Budget } from "../../ground/core/budget.ts";
import { References } from "../queries/references.ts";
import { fitRecords } from "./fit-lessons.ts";

const PLENTY: Budget = { characters: 1e6, bytes: 1e6, tokens: 1e6 };

const snapshot = snapshotOf(
  ...Array.from({ length: 60 }, (_, place) =>
    logLine(place % 2 ? "결제" : "auth", `빠진 맥락 ${place} ${"가".repeat(30)}`, 1),
  ),
);
const lines = snapshot.lessons();
const lay = (budget: Partial<Budget>) => {
  const { texts, inFull } = fitRecords(lines, new References(snapshot), { ...PLENTY, ...budget });
  return { texts, inFull: inFull.length };
};

it("shows everything in full while everything fits", () => {
  const { texts, inFull } = lay({});
  expect([texts.length, inFull]).toEqual([60, 60]);
});

it.each([
  ["characters", { characters: 4_000 }],
  ["bytes", { bytes: 5_000 }],
  ["tokens", { tokens: 1_500 }],
])("ends at the budget of %s", (_, budget: Partial<Budget>) => {
  const { texts, inFull } = lay(budget);
  const text = texts.join("\n");
  expect(inFull).toBeGreaterThan(0);
  expect(texts.length).toBeGreaterThan(inFull);
  expect(text.length).toBeLessThanOrEqual(budget.characters ?? Infinity);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget.bytes ?? Infinity);
});

it("cuts no lesson in the middle", () => {
  const { texts, inFull } = lay({ bytes: 5_000 });
  for (const block of texts.slice(0, inFull)) expect(block).toMatch(/lesson: ask first$/);
});

it("names by reference what has no line of its own", () => {
  const text = lay({ bytes: 3_000 }).texts.join("\n");
  for (const line of lines) expect(text).toContain(line.version.id.slice(0, 8));
});

it("says to narrow the query when not even the references fit", () => {
  expect(lay({ bytes: 600 }).texts.at(-1)).toMatch(/^\d+ more do not fit\. Narrow the query\.$/);
});

it("lets a lesson that is too large not stand in the way of smaller ones", () => {
  const huge = snapshotOf(logLine("a", "x".repeat(9_000), 1), logLine("b", "small", 2));
  const budget = { ...PLENTY, bytes: 2_000 };
  const { texts, inFull } = fitRecords(huge.lessons(), new References(huge), budget);
  expect(inFull).toHaveLength(1);
  expect(texts[1]).toMatch(/^1 more in short/);
});
