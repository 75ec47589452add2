import { describe, expect, it } from "vitest";
import * as z from "zod";
import { SentinelError } from "../core/errors.ts";
import { ID, readArguments, readAs } from "./arguments.ts";

const SCHEMA = z.object({
  topic: z.string(),
  lesson: z.string().optional(),
  query: z.string().optional(),
  compact_threshold: z.int().optional(),
  limit: z.int().min(1).optional(),
  source_ids: z.array(ID).optional(),
  drop: z.array(z.string()).optional(),
  type: z.enum(["log", "principle"]).optional(),
  when: z
    .union([
      z.object({
        paths: z.array(z.string()).optional(),
        words: z.array(z.string()).optional(),
        all: z.boolean().optional(),
      }),
      z.literal("none"),
    ])
    .optional(),
});

const read = (given: Record<string, unknown>) => readArguments(SCHEMA, given);
const codeOf = (given: Record<string, unknown>) => {
  try {
    read(given);
    return undefined;
  } catch (error) {
    return error instanceof SentinelError ? error.code : error;
  }
};

describe("arguments as clients send them", () => {
  it.each([
    ["null for absent", { topic: "a", lesson: null }, { topic: "a" }],
    ["an empty text for absent", { topic: "a", lesson: "" }, { topic: "a" }],
    ["a blank text for absent", { topic: "a", lesson: " \n" }, { topic: "a" }],
    ["digits for a number", { topic: "a", limit: " 12 " }, { topic: "a", limit: 12 }],
    [
      "JSON text for an array",
      { topic: "a", source_ids: '["x","y"]' },
      { topic: "a", source_ids: ["x", "y"] },
    ],
    [
      "one text for an array of texts",
      { topic: "a", source_ids: "22c48356" },
      { topic: "a", source_ids: ["22c48356"] },
    ],
    [
      "one text of digits for an array",
      { topic: "a", source_ids: " 22348356 " },
      { topic: "a", source_ids: ["22348356"] },
    ],
    ["a number for a text", { topic: 2026, lesson: -1.5 }, { topic: "2026", lesson: "-1.5" }],
    ["a boolean for a text", { topic: true, lesson: false }, { topic: "true", lesson: "false" }],
    [
      "numbers in a list of texts",
      { topic: "a", source_ids: [22348356, "x", null] },
      { topic: "a", source_ids: ["22348356", "x"] },
    ],
    ["a number for a list of texts", { topic: "a", drop: 404 }, { topic: "a", drop: ["404"] }],
    [
      "a list of ids with commas",
      { topic: "a", source_ids: " x@1, y,,z " },
      { topic: "a", source_ids: ["x@1", "y", "z"] },
    ],
    [
      "such a list within a list",
      { topic: "a", source_ids: ["x, y", "z"] },
      { topic: "a", source_ids: ["x", "y", "z"] },
    ],
    [
      "such a list in JSON text",
      { topic: "a", source_ids: '["x, y", 5]' },
      { topic: "a", source_ids: ["x", "y", "5"] },
    ],
    [
      "commas in other texts stay",
      { topic: "a, b", drop: "1,024, or less" },
      { topic: "a, b", drop: ["1,024, or less"] },
    ],
    [
      "numbers and booleans in an object",
      { topic: "a", when: { words: [404, "a, b"], paths: 5, all: "True" } },
      { topic: "a", when: { words: ["404", "a, b"], paths: ["5"], all: true } },
    ],
    [
      "a word of a choice in capitals",
      { topic: "Log", type: " Log" },
      { topic: "Log", type: "log" },
    ],
    ["a list of one for a text", { topic: ["a"], type: ["Log"] }, { topic: "a", type: "log" }],
    [
      "several texts for a query",
      { topic: "a", query: ["b", "c d"] },
      { topic: "a", query: "b c d" },
    ],
    [
      "names of lists in the singular, in any case",
      { topic: "a", when: { path: "x", Paths: ["y"], Word: ["b"] } },
      { topic: "a", when: { paths: ["x", "y"], words: ["b"] } },
    ],
    [
      "a text that looks like a number stays a text",
      { topic: "42", lesson: "[1]" },
      { topic: "42", lesson: "[1]" },
    ],
    ["an empty required text stays, for the rule that refuses it", { topic: "" }, { topic: "" }],
  ])("%s", (_, given, values) => {
    expect(read(given).values).toEqual(values);
  });

  it("mentions names that mean nothing, unless they carry nothing", () => {
    expect(read({ topic: "a", colour: "red", weight: null }).ignored).toEqual(["colour"]);
  });

  it.each(["Topic", "topics", "sourceIds", "source", "threshold", "lessson", "lesosn"])(
    "takes %s for a slip",
    (name) => {
      expect(codeOf({ topic: "a", [name]: "x" })).toBe("unknown_argument");
    },
  );

  it.each(["hold", "old", "tool", "limbo_of_all", "tips"])(
    "does not take %s for a slip of another name",
    (name) => {
      expect(read({ topic: "a", [name]: "x" }).ignored).toEqual([name]);
    },
  );

  it("refuses a call of which nothing is understood, and says what there is", () => {
    expect(() => read({ q: "retry" })).toThrow('no argument "q"; there are topic, lesson,');
  });

  it("reads what is in an object like arguments, and loses nothing of it", () => {
    const when = (value: unknown) => read({ topic: "a", when: value }).values.when;
    expect(when({ paths: "src/**", words: null })).toEqual({ paths: ["src/**"], words: undefined });
    expect(when('{"words": ["redis"]}')).toEqual({ words: ["redis"] });
    expect(when("None")).toBe("none");
    expect(() => when({ files: ["src/**"], words: ["redis"] })).toThrow(
      '"when.files"; there are when.paths, when.words, when.all',
    );
    expect(() => when("docker/**")).toThrow(
      "expected an object of when.paths and when.words and when.all",
    );
  });

  it("takes a plain text for that of an object which may have other fields", () => {
    const schema = z.object({ content: z.looseObject({ text: z.string().optional() }) });
    const given = (content: unknown) => readArguments(schema, { content }).values.content;
    expect(given("plain words")).toEqual({ text: "plain words" });
    expect(given('{"note": "a"}')).toEqual({ note: "a" });
    for (const wrong of ['{"note"', "[1]", 5, " "]) {
      expect(() => given(wrong)).toThrow("expected object");
    }
  });

  it("names all that is missing at once", () => {
    const schema = z.object({ topic: z.string(), lesson: z.string(), limit: z.int().optional() });
    expect(() => readArguments(schema, { limit: 3 })).toThrow(
      "The arguments topic, lesson are missing.",
    );
    expect(() => readArguments(schema, { topic: "a" })).toThrow("The argument lesson is missing.");
  });

  it.each([
    ["nothing at all", {}],
    ["a boolean for a number", { topic: "a", limit: true }],
    ["another word for a boolean", { topic: "a", when: { all: "maybe" } }],
    ["zero", { topic: "a", limit: 0 }],
    ["a negative number in digits", { topic: "a", limit: "-3" }],
    ["half a number", { topic: "a", limit: 1.5 }],
    ["a word that is not in a choice", { topic: "a", type: "Principal" }],
    ["broken JSON for an array", { topic: "a", source_ids: "[x" }],
    ["null for what is required", { topic: null }],
    ["several texts for a text", { topic: ["a", "b"] }],
  ])("refuses %s", (_, given) => {
    expect(codeOf(given)).toBe("bad_argument");
  });
});

const FIELDS = z.strictObject({
  text: z.string(),
  limit: z.int().min(1).optional(),
  target: z.strictObject({ ids: z.array(z.string()) }).optional(),
});
const SECRET = "hunter2";

describe("a value that doesn't fit its schema", () => {
  it.each([
    ["a field is missing", {}, "The field text is missing.", "Call again with text."],
    [
      "a field is of another type",
      { text: 5 },
      "The field text cannot be used: expected string, received number.",
      "Correct it, then call again.",
    ],
    [
      "a part of a field is of another type",
      { text: "a", target: { ids: ["b", 5] } },
      "The field target.ids.1 cannot be used: expected string, received number.",
      "Correct it, then call again.",
    ],
    [
      "a number is too small",
      { text: "a", limit: 0 },
      "The field limit cannot be used: Too small: expected number to be >=1.",
      "Correct it, then call again.",
    ],
    [
      "a name is unknown",
      { text: "a", [SECRET]: 1 },
      "The body has a field that is not known here.",
      "It takes text, limit, target. Correct it, then call again.",
    ],
    [
      "a name within is unknown",
      { text: "a", target: { ids: [], [SECRET]: 1 } },
      "The field target has a field that is not known here.",
      "Correct it, then call again.",
    ],
    [
      "it is of another type",
      [SECRET],
      "The body cannot be used: expected object, received array.",
      "Correct it, then call again.",
    ],
  ])("is refused if %s, without a word of it", (_, value, message, fix) => {
    const refused = expect.objectContaining({ code: "bad_argument", message, fix });
    expect(() => readAs(FIELDS, value)).toThrow(refused);
  });

  it("lists all missing fields, with the noun of the caller", () => {
    const schema = z.object({ topic: z.string(), lesson: z.string() });
    expect(() => readAs(schema, {}, "argument")).toThrow(
      "The arguments topic, lesson are missing.",
    );
  });
});
