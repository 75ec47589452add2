import fc from "fast-check";
import { expect, it } from "vitest";
import { defaultsOf } from "../../ground/core/policy.ts";
import { fillSections } from "./build-bundle.ts";
import type { Candidate } from "./bundle.ts";
import { BUDGETS_POLICY, SECTIONS, type SectionName } from "./settings/settings.ts";

const BUDGETS = defaultsOf(BUDGETS_POLICY);

const saying = (section: SectionName, ref: string, words: number): Candidate => {
  return {
    section,
    refs: [ref],
    text: Array.from({ length: words }, () => "word").join(" "),
  };
};

const lines = (section: SectionName, count: number) =>
  Array.from({ length: count }, (_, at) => saying(section, `${section} ${at}`, 8));

function refsIn(candidates: readonly Candidate[], total: number): string[] {
  const { sections } = fillSections(candidates, BUDGETS, total);
  return sections.flatMap(({ items }) => items.flatMap(({ refs }) => refs));
}

function tokensIn(
  candidates: readonly Candidate[],
  total: number,
): Partial<Record<SectionName, number>> {
  const { sections } = fillSections(candidates, BUDGETS, total);
  return Object.fromEntries(sections.map(({ name, token_est }) => [name, token_est]));
}

it("shows what is larger than its section's share where all shares together have room", () => {
  const candidates = [saying("task_state", "pin", 150), saying("retrieved_evidence", "found", 290)];
  expect(refsIn(candidates, 290)).toEqual(["pin"]);
  expect(refsIn(candidates, 500)).toEqual(["pin", "found"]);
});

it("gives half to what people wrote for every bundle, where it needs that, and the others a share", () => {
  const many = tokensIn(
    [...lines("rules", 500), ...lines("lessons", 500), ...lines("retrieved_evidence", 500)],
    3_000,
  );
  for (const [name, share] of [
    ["rules", 1_500],
    ["lessons", 145],
    ["retrieved_evidence", 1_355],
  ] as const) {
    expect(Math.abs((many[name] ?? 0) - share)).toBeLessThan(20);
  }
  const few = tokensIn([...lines("rules", 5), ...lines("retrieved_evidence", 500)], 3_000);
  expect(few.rules).toBeLessThan(100);
  expect((few.rules ?? 0) + (few.retrieved_evidence ?? 0)).toBeGreaterThan(2_980);
});

it("keeps the cap of every section and the total, and leaves nothing out that has room", () => {
  const counts = fc.record(Object.fromEntries(SECTIONS.map((name) => [name, fc.nat(80)])));
  const caps = fc.record(Object.fromEntries(SECTIONS.map((name) => [name, fc.nat(1_000)])));
  fc.assert(
    fc.property(counts, caps, fc.nat(3_000), (counted, most, total) => {
      const sections = Object.fromEntries(
        SECTIONS.map((name) => [name, { max_tokens: most[name] }]),
      );
      const candidates = SECTIONS.flatMap((name) => lines(name, counted[name] as number));
      const filled = fillSections(candidates, { ...BUDGETS, sections } as typeof BUDGETS, total);
      const used = filled.sections.reduce((sum, { token_est }) => sum + token_est, 0);
      expect(used).toBeLessThanOrEqual(total);
      for (const { name, token_est } of filled.sections) {
        expect(token_est).toBeLessThanOrEqual(most[name] as number);
      }
      const hasRoom = (name: SectionName) => {
        const own = filled.sections.find((section) => section.name === name)?.token_est ?? 0;
        return Math.min(most[name] as number, own + total - used) >= own + 40;
      };
      expect(filled.left.filter(({ section }) => hasRoom(section))).toEqual([]);
    }),
  );
});
