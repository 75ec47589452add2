import { expect, it } from "vitest";
import { logLine, snapshotOf } from "../../../test/support/lines.ts";
import type { Budget } from "../../ground/core/budget.ts";
import { References } from "../queries/references.ts";
import { countTopics } from "../queries/topics.ts";
import { fitRecords } from "./fit-lessons.ts";

const PLENTY: Budget = { characters: 1e6, bytes: 1e6, tokens: 1e6 };

const snapshot = snapshotOf(
  ...Array.from({ length: 60 }, (_, place) =>
    logLine(place % 2 ? "결제" : "auth", `빠진 맥락 ${place} ${"가".repeat(30)}`, 1),
  ),
);
const lines = snapshot.lessons();
const TOPICS = countTopics(lines);
const lay = (budget: Partial<Budget>, withinTopic = false) =>
  fitRecords(
    lines,
    new References(snapshot),
    { ...PLENTY, ...budget },
    withinTopic ? undefined : TOPICS,
  );

it("shows everything in full while everything fits", () => {
  const { blocks, rest } = lay({});
  expect([blocks.length, rest]).toEqual([60, []]);
});

it.each([
  ["characters", { characters: 4_000 }],
  ["bytes", { bytes: 5_000 }],
  ["tokens", { tokens: 1_500 }],
])("ends at the budget of %s", (_, budget) => {
  const { blocks, rest } = lay(budget);
  const text = [...blocks, ...rest].join("\n");
  expect(blocks.length).toBeGreaterThan(0);
  expect(rest.length).toBeGreaterThan(0);
  expect(text.length).toBeLessThanOrEqual((budget as Partial<Budget>).characters ?? Infinity);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(
    (budget as Partial<Budget>).bytes ?? Infinity,
  );
});

it("cuts no lesson in the middle", () => {
  for (const block of lay({ bytes: 5_000 }).blocks) expect(block).toMatch(/lesson: ask first$/);
});

it("counts by topic what has no line of its own", () => {
  const { blocks, rest } = lay({ bytes: 3_000 });
  const short = rest.filter((line) => /^[0-9a-f]{8} /.test(line)).length;
  const [, counted] = /^(\d+) more, by topic\. .*: /.exec(rest.at(-1) ?? "") ?? [];
  expect(blocks.length + short + Number(counted)).toBe(60);
  expect(rest.at(-1)).toMatch(/auth \(\d+\)/);
});

it("names by reference what has no line of its own within a topic", () => {
  const { rest } = lay({ bytes: 3_000 }, true);
  for (const line of lines)
    expect([...lay({ bytes: 3_000 }, true).blocks, ...rest].join("\n")).toContain(
      line.version.id.slice(0, 8),
    );
});

it("says to narrow the query when not even the references fit", () => {
  expect(lay({ bytes: 600 }, true).rest.at(-1)).toMatch(
    /^\d+ more do not fit\. Narrow the query\.$/,
  );
});

it("lets a lesson that is too large not stand in the way of smaller ones", () => {
  const huge = snapshotOf(logLine("a", "x".repeat(9_000), 1), logLine("b", "small", 2));
  const { blocks, rest } = fitRecords(
    huge.lessons(),
    new References(huge),
    { ...PLENTY, bytes: 2_000 },
    [],
  );
  expect(blocks).toHaveLength(1);
  expect(rest[0]).toMatch(/^1 more in short/);
});
