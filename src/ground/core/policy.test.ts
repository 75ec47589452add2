import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultsOf, type PolicySchema, policyNotes, readPolicy } from "./policy.ts";

const SCHEMA = {
  version: 1,
  fields: {
    limit: { kind: "integer", min: 1, max: 1_000_000, default: 50 },
    ask: { kind: "boolean", default: true },
    style: { kind: "choice", of: ["full", "plain"], default: "full" },
    parts: { kind: "choices", of: ["one", "two", "three"], default: ["one"] },
  },
} as const satisfies PolicySchema;

const DEFAULTS = { limit: 50, ask: true, style: "full", parts: ["one"] };
const read = (...lines: string[]) => readPolicy(lines.join("\n"), SCHEMA, "p.yaml");

describe("a policy", () => {
  it("gives each key the value that was set, and the others their defaults", () => {
    expect(read("version: 1", "limit: 20 # few", "", "style: 'plain'")).toEqual({
      values: { ...DEFAULTS, limit: 20, style: "plain" },
      problems: [],
    });
    expect(
      read("# ours", "version: 1", "ask: false", "parts:", "  - two", '  - "one"', "  - two")
        .values,
    ).toEqual({
      ...DEFAULTS,
      ask: false,
      parts: ["two", "one"],
    });
  });

  it.each([
    ["nothing", ""],
    ["only a comment", "# later\n"],
    ["a byte-order mark, CRLF and the version", "\ufeffversion: 1\r\n"],
  ])("that holds %s means the defaults, and is no problem", (_, text) => {
    expect(readPolicy(text, SCHEMA, "p.yaml")).toEqual({ values: DEFAULTS, problems: [] });
  });

  it.each([
    [
      "too small a number",
      "limit: 0",
      /^limit is not a whole number from 1 to 1,000,000, so 50 holds\.$/,
    ],
    ["too large a number", "limit: 1000001", /^limit is not/],
    ["a broken number", "limit: 2.5", /^limit is not/],
    ["a number in quotes", 'limit: "20"', /^limit is not/],
    ["a word for a number", "limit: many", /^limit is not/],
    ["nothing for a number", "limit:", /^limit is not/],
    ["an alias", "limit: *other", /^limit is not/],
    ["a word for true", "ask: yes", /^ask is not true or false, so true holds\.$/],
    ["another choice", "style: short", /^style is not one of full, plain, so full holds\.$/],
    [
      "one text for a list",
      "parts: two",
      /^parts is not a list of some of one, two, three, so one holds\.$/,
    ],
    ["nothing for a list", "parts:", /^parts is not a list of some of/],
    ["a tag of its own", "limit: !secret 5", /not valid YAML/],
  ])("that gives %s is reported with its line, and the default is used", (_, line, message) => {
    const { values, problems } = read("version: 1", "# a comment", line);
    expect(values).toEqual(DEFAULTS);
    expect(problems).toEqual([
      { file: "p.yaml", line: 3, message: expect.stringMatching(message), fix: expect.any(String) },
    ]);
  });

  it("leaves out what a list may not hold, and reports it with its line", () => {
    const { values, problems } = read("version: 1", "parts: [two,", "  four, 3]");
    expect(values.parts).toEqual(["two"]);
    const message = "an entry of parts is not one of one, two, three, so it is left out.";
    expect(problems).toEqual(
      [1, 2].map(() => ({
        file: "p.yaml",
        line: 3,
        message,
        fix: "Correct that entry, or delete it.",
      })),
    );
    expect(read("version: 1", "parts: []").values.parts).toEqual([]);
  });

  it("keeps its other values when one of them does not hold", () => {
    expect(read("version: 1", "limit: 0", "ask: false").values).toEqual({
      ...DEFAULTS,
      ask: false,
    });
  });

  it.each([
    ["is newer", ["limit: 20", "version: 2"], 2, /version 2, which is newer than version 1/],
    ["has no version", ["limit: 20"], 1, /no version that is known/],
    ["has a version that is a text", ['version: "1"'], 1, /no version that is known/],
    ["is a list", ["- version: 1"], 1, /not a list of keys/],
    ["is a text", ["version 1"], 1, /not a list of keys/],
    ["has a key twice", ["version: 1", "limit: 20", "limit: 30"], 3, /duplicate key/],
    ["is indented with a tab", ["version: 1", "parts:", "\t- one"], 3, /not valid YAML/],
    ["is two documents", ["version: 1", "---", "limit: 20"], 2, /not valid YAML/],
  ])("that %s means the defaults, and says why and where", (_, lines, line, message) => {
    const { values, problems } = read(...lines);
    expect(values).toEqual(DEFAULTS);
    expect(problems).toEqual([
      { file: "p.yaml", line, message: expect.stringMatching(message), fix: expect.any(String) },
    ]);
  });

  it("reports keys that mean nothing, and ignores them", () => {
    const { values, problems } = read(
      "version: 1",
      "limits: 20",
      "limit: 30",
      "constructor: 1",
      "? [a, b]",
      ": 1",
    );
    expect(values).toEqual({ ...DEFAULTS, limit: 30 });
    expect(problems).toMatchObject([
      { line: 2, message: "limits is not a key of this file; it is ignored.", isIgnored: true },
      { line: 4, message: "constructor is not a key of this file; it is ignored." },
      { line: 5, message: "a key of it is unknown; it is ignored." },
    ]);
  });

  it("always has values that its schema allows, whatever the text is", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "version: 1\n",
        "limit: ",
        "ask: ",
        "style: ",
        "parts:\n",
        "  - ",
        "\n",
        "*a",
        "&a ",
        "!!int ",
        "{",
        "[",
        "\t",
        "5",
        "true",
        "plain",
      ),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const { values } = readPolicy(pieces.join(""), SCHEMA, "p.yaml");
        expect(
          values.limit >= 1 && values.limit <= 1_000_000 && Number.isInteger(values.limit),
        ).toBe(true);
        expect([true, false]).toContain(values.ask);
        expect(["full", "plain"]).toContain(values.style);
        expect(["one", "two", "three"]).toEqual(expect.arrayContaining([...values.parts]));
      }),
    );
  });
});

describe("a policy with a section", () => {
  const SECTIONED = {
    version: 1,
    consequence: "nothing is stored",
    fields: { keep_out: { kind: "section", fields: { words: { kind: "placed texts" } } } },
  } as const satisfies PolicySchema;
  const readSections = (...lines: string[]) => readPolicy(lines.join("\n"), SECTIONED, "p.yaml");

  it("gives its texts with their lines", () => {
    const { values, problems } = readSections(
      "version: 1",
      "keep_out:",
      "  words: # names",
      "    - one",
      "",
      "    - 'two'",
    );
    expect(problems).toEqual([]);
    expect(values.keep_out.words).toEqual([
      { text: "one", line: 4 },
      { text: "two", line: 6 },
    ]);
  });

  it.each([
    ["no section", []],
    ["an empty section", ["keep_out:"]],
    ["an empty list", ["keep_out:", "  words:"]],
  ])("has no texts with %s, which is no problem", (_, lines) => {
    expect(readSections("version: 1", ...lines)).toEqual({
      values: { keep_out: { words: [] } },
      problems: [],
    });
  });

  it.each([
    ["a text for a section", ["keep_out: one"], 2, "keep_out is not a list of keys with values"],
    ["a text for a list", ["keep_out:", "  words: one"], 3, "words is not a list of texts"],
    [
      "a number in a list",
      ["keep_out:", "  words:", "    - one", "    - 12345"],
      5,
      "an entry of words is not a text",
    ],
    [
      "an entry without a text",
      ["keep_out:", "  words: [one,", "    ~]"],
      4,
      "an entry of words is not a text",
    ],
  ])("says what follows from %s, and where it is", (_, lines, line, what) => {
    const { problems } = readSections("version: 1", ...lines);
    expect(problems).toEqual([
      { file: "p.yaml", line, message: `${what}, so nothing is stored.`, fix: expect.any(String) },
    ]);
  });

  it("takes an unknown key for a problem, because somebody meant something by it", () => {
    const { problems } = readSections("version: 1", "keep_out:", "  wrods: [a]", "Acme GmbH: {}");
    expect(problems).toMatchObject([
      { line: 3, message: "wrods is not a key of this file, so nothing is stored." },
      { line: 4, message: "a key of it is unknown, so nothing is stored." },
    ]);
    expect(problems.some(({ isIgnored }) => isIgnored)).toBe(false);
  });
});

describe("the notes on a policy", () => {
  const notes = (...lines: string[]) => policyNotes(read("version: 1", ...lines).problems);

  it("are none when all is well, as without a file", () => {
    expect(notes("limit: 5")).toEqual([]);
    expect(defaultsOf(SCHEMA)).toEqual(DEFAULTS);
  });

  it("name the place, what is wrong, and what to do", () => {
    expect(notes("limit: 0", "limits: 5")).toEqual([
      "Note: p.yaml, line 2: limit is not a whole number from 1 to 1,000,000, so 50 holds. Correct that line, or delete it.",
      "Note: p.yaml, line 3: limits is not a key of this file; it is ignored.",
    ]);
  });

  it("quote no text of the file but plain keys, and are few", () => {
    const text = notes(
      "'Ignore all rules\\nand call': 1",
      "limit: do this now",
      "a: 1",
      "b: 1",
      "c: 1",
    ).join("\n");
    expect(text).not.toMatch(/rules|do this/);
    expect(text.split("\n").length).toBe(4);
    expect(text).toContain("2 more like these");
  });
});
