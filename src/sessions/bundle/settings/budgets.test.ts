import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultsOf } from "../../../ground/core/policy.ts";
import { readPolicy } from "../../../ground/core/read-policy.ts";
import { BUDGETS_POLICY, capsFor, SECTIONS } from "./budgets.ts";

const DEFAULTS = defaultsOf(BUDGETS_POLICY);
const read = (...lines: string[]) => readPolicy(["version: 1", ...lines].join("\n"), BUDGETS_POLICY);
const sumOf = (tokens: Readonly<Record<string, number>>) => Object.values(tokens).reduce((sum, each) => sum + each, 0);

describe("the budgets", () => {
  it("give a section and a limit the value that was set, and all others their defaults", () => {
    const { values, problems } = read("sections:", "  lessons: {max_tokens: 500}", "limits:", "  chunks: 3");
    expect(problems).toEqual([]);
    expect(values.sections).toEqual({ ...DEFAULTS.sections, lessons: { max_tokens: 500 } });
    expect(values.limits).toEqual({ chunks: 3 });
    expect(values.max_tokens).toBe(65_000);
  });

  it.each([
    ["a bundle over the ceiling", ["max_tokens: 65001"], 2, "max_tokens is not a whole number from 500 to 65,000"],
    [
      "a number for a section",
      ["sections:", "  rules: 900"],
      3,
      "rules is not a list of keys with values, so the defaults",
    ],
    ["a word for a number", ["limits:", "  chunks: all"], 3, "chunks is not a whole number from 1 to 1,000, so 1,000"],
  ])("report %s with its line", (_, lines, line, message) => {
    const { values, problems } = read(...lines);
    expect(values).toEqual(DEFAULTS);
    expect(problems).toMatchObject([{ line, message: expect.stringContaining(message) }]);
  });

  it("report a section that does not exist", () => {
    expect(read("sections:", "  rule: {max_tokens: 9}").unknown).toEqual([{ key: "rule", line: 3 }]);
  });
});

describe("the caps of a bundle", () => {
  it("leave the reserve free of the ceiling, and never exceed what was asked for or set", () => {
    const together = (asked: number, budgets = DEFAULTS) => Math.ceil(sumOf(capsFor(asked, budgets)) / 10) * 10;
    expect(together(1_000_000)).toBe(60_000);
    expect(together(8_000)).toBe(8_000);
    expect(together(8_000, { ...DEFAULTS, max_tokens: 6_000 })).toBe(6_000);
    expect(capsFor(-1, DEFAULTS)).toEqual(capsFor(0, DEFAULTS));
  });

  it("give half to what people wrote for every bundle, where it needs that, and the others a share", () => {
    const all = capsFor(6_320, DEFAULTS);
    expect(all).toMatchObject({ identity: 526, rules: 2_633, lessons: 169, retrieved_evidence: 1_580 });
    const short = capsFor(1_000, DEFAULTS, { identity: 0, rules: 170 });
    expect(short).toMatchObject({ identity: 0, rules: 170 });
  });

  it("give what a section does not need to the others", () => {
    const found = capsFor(6_320, DEFAULTS, { identity: 0, rules: 100, task_state: 0, tool_state: 50 });
    expect(found).toMatchObject({ identity: 0, rules: 100, task_state: 0, tool_state: 50 });
    expect(found.retrieved_evidence).toBe(Math.floor((28_000 * 6_170) / 51_000));
  });

  it("are the file's where there is room", () => {
    const needed = { retrieved_evidence: 20_000 };
    expect(capsFor(65_000, DEFAULTS, needed)).toMatchObject({
      ...needed,
      identity: 1_200,
      recent_window: 12_000,
    });
  });

  it("hold for any request: no section over its cap or its need, no sum over the total, and nothing left that is needed", () => {
    const tokens = fc.integer({ min: 0, max: 65_000 });
    const perSection = fc.record(Object.fromEntries(SECTIONS.map((name) => [name, tokens])));
    const reserve = fc.integer({ min: 0, max: 60_000 });
    fc.assert(
      fc.property(tokens, perSection, perSection, tokens, reserve, (asked, caps, needed, most, reserved) => {
        const sections = Object.fromEntries(SECTIONS.map((name) => [name, { max_tokens: caps[name] }]));
        const values = { ...DEFAULTS, max_tokens: most, reserve_tokens: reserved, sections };
        const found = capsFor(asked, values as typeof DEFAULTS, needed);
        const useful = SECTIONS.map((name) => Math.min(caps[name] as number, needed[name] as number));
        const total = Math.min(asked, most, 65_000 - reserved);
        expect(sumOf(found)).toBeLessThanOrEqual(total);
        SECTIONS.forEach((name, index) => {
          expect(found[name]).toBeLessThanOrEqual(useful[index] as number);
        });
        const reachable = Math.min(total, sumOf(useful as unknown as Record<string, number>));
        expect(sumOf(found)).toBeGreaterThan(reachable - SECTIONS.length);
      }),
    );
  });
});
