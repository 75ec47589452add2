import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readAs } from "./schema.ts";

const SCHEMA = z.strictObject({
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
    expect(() => readAs(SCHEMA, value)).toThrow(refused);
  });

  it("lists all missing fields, with the noun of the caller", () => {
    const schema = z.object({ topic: z.string(), lesson: z.string() });
    expect(() => readAs(schema, {}, "argument")).toThrow(
      "The arguments topic, lesson are missing.",
    );
  });
});
