import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type When, whenWith } from "./when.ts";
import { readWhenText, whenText } from "./when-text.ts";

describe("when as a text", () => {
  it.each<[string, When]>([
    ["command: npm publish", { commands: ["npm publish"] }],
    ["when: word: 배포; word: deploy", { words: ["배포", "deploy"] }],
    [
      "Commands: npm publish; path: src/**; not branch: main;",
      { commands: ["npm publish"], paths: ["src/**"], not: { branches: ["main"] } },
    ],
    ["path: a\nword: b\n\nword:c", { paths: ["a"], words: ["b", "c"] }],
    [
      "error: npm ERR! code: E403; all; from: 2026-12-01; until: 2026-12-31",
      { errors: ["npm ERR! code: E403"], all: true, from: "2026-12-01", until: "2026-12-31" },
    ],
    [
      'command: "a; b\\nc" ; error: Script not found "lint"',
      { commands: ["a; b\nc"], errors: ['Script not found "lint"'] },
    ],
    [
      "not  path: a; NOT word: b; not command: c; branch: release/*",
      { not: { paths: ["a"], words: ["b"], commands: ["c"] }, branches: ["release/*"] },
    ],
    ["command: npm publish; hold", { commands: ["npm publish"] }],
    ["word: 환불; error: /ECONN.*:5432/", { words: ["환불"], errors: ["/ECONN.*:5432/"] }],
  ])("%j says %j", (text, when) => {
    const read = readWhenText(text);
    expect(read).toEqual(when);
    expect(readWhenText(whenText(read))).toEqual(whenWith(when));
  });

  it.each([
    ["npm publish", '"npm publish" has no name before a colon'],
    ["command: a; b && c", '"b && c" has no name'],
    ["npm", 'there is no "npm", only command:, error:, path:, '],
    ["command:", '"command:" has no value'],
    ["cmd: a", 'there is no "cmd:"'],
    ["not file: a", 'there is no "not file:"'],
    ["not error: a", 'there is no "not error:", only command:, '],
    ["not all", 'there is no "not all"'],
    ["all: false; command: a", 'there is no "all:", only command:, '],
    [
      "not until: 2026-01-01",
      "not command:, not path:, not word:, not branch:, from:, until:, all",
    ],
    ['command: "npm" publish', 'npm\\" publish" has quotes that cannot be read'],
    ['command: "npm', "Put a value that holds ; in quotes, as in JSON"],
    ['command: "\\q"', "Put a value that holds ; in quotes, as in JSON"],
  ])("%j cannot be read: %s", (text, why) => {
    expect(readWhenText(text)).toContain(why);
    expect(readWhenText(text), "only people set it").not.toContain("hold,");
    expect(readWhenText(text)).not.toMatch(/hold$/);
  });

  it("comes back from its text, whatever its texts hold", () => {
    const value = fc.oneof(
      fc.constantFrom("a; b", '"a"', " a", "a\n", "all", "not", "a: b", "\\"),
      fc.string({ minLength: 1 }),
    );
    const list = fc.array(value, { maxLength: 4 });
    const lists = fc.record({ paths: list, words: list, commands: list }, { requiredKeys: [] });
    const whens = fc.record(
      { errors: list, branches: list, not: lists, all: fc.constant(true as const) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(lists, whens, (some, others) => {
        const when = whenWith({ ...some, ...others });
        const read = readWhenText(whenText(when));
        expect(typeof read === "string" ? read : whenWith(read)).toEqual(when);
      }),
    );
  });

  it("of what is not understood is that as it stands", () => {
    expect(whenText({ moon: "full" })).toBe('{"moon":"full"}');
    expect(whenText(undefined)).toBe("");
    expect(readWhenText(" ; ")).toEqual({});
  });
});
