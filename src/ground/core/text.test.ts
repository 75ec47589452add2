import { describe, expect, it } from "vitest";
import { firstWords, oneLine, plural } from "./text.ts";

describe("a text on one line", () => {
  it("shows no control characters", () => {
    expect(oneLine("a\u001b[31mb\u0000c")).toBe("a\ufffd[31mb\ufffdc");
  });

  it.each(["\n", "\r\n", "\r", "\u2028", "\u2029", "\u0085", "\v", "\f"])(
    "has no line break (%j)",
    (end) => {
      expect(oneLine(` a${end}b `)).toBe("a b");
    },
  );
});

describe("the first words of a text", () => {
  it("are all of a short one", () => {
    expect(firstWords("alpha\nbeta")).toBe("alpha beta");
  });

  it("end between words, or after 60 characters where there are no words", () => {
    expect(firstWords("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda")).toBe(
      "alpha beta gamma delta epsilon zeta eta theta iota kappa…",
    );
    expect(firstWords("가".repeat(61))).toBe(`${"가".repeat(60)}…`);
  });
});

it.each([
  [0, "0 records"],
  [1, "1 record"],
  [1_000, "1,000 records"],
  [123_456, "123,456 records"],
  [7_654_321, "7,654,321 records"],
])("%i with a noun is %s", (count, text) => {
  expect(plural(count, "record")).toBe(text);
});
