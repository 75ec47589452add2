import { describe, expect, it } from "vitest";
import { defaultsOf, readPolicy } from "../../../ground/core/policy.ts";
import { BUDGETS_POLICY } from "./settings.ts";

const DEFAULTS = defaultsOf(BUDGETS_POLICY);
const read = (...lines: string[]) =>
  readPolicy(["version: 1", ...lines].join("\n"), BUDGETS_POLICY, "budgets.yaml");

describe("the budgets", () => {
  it("give a section and a limit the value that was set, and all others their defaults", () => {
    const { values, problems } = read(
      "sections:",
      "  lessons: {max_tokens: 500}",
      "limits:",
      "  chunks: 3",
    );
    expect(problems).toEqual([]);
    expect(values.sections).toEqual({ ...DEFAULTS.sections, lessons: { max_tokens: 500 } });
    expect(values.limits).toEqual({ chunks: 3 });
    expect(values.max_tokens).toBe(65_000);
  });

  it.each([
    [
      "a bundle over the ceiling",
      ["max_tokens: 65001"],
      2,
      "max_tokens is not a whole number from 500 to 65,000",
    ],
    [
      "a number for a section",
      ["sections:", "  rules: 900"],
      3,
      "rules is not a list of keys with values, so the defaults",
    ],
    [
      "a word for a number",
      ["limits:", "  chunks: all"],
      3,
      "chunks is not a whole number from 1 to 1,000, so 1,000",
    ],
  ])("report %s with its line", (_, lines, line, message) => {
    const { values, problems } = read(...lines);
    expect(values).toEqual(DEFAULTS);
    expect(problems).toMatchObject([{ line, message: expect.stringContaining(message) }]);
  });

  it("report a section that does not exist", () => {
    expect(read("sections:", "  rule: {max_tokens: 9}").problems).toMatchObject([
      { line: 3, message: "rule is not a key of this file; it is ignored.", isIgnored: true },
    ]);
  });
});
