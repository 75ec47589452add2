import { expect, it } from "vitest";
import { parseBody } from "./bodies.ts";

const parse = (text: string) => () => parseBody(Buffer.from(text));

it("a body with too many levels or values is refused before it's parsed", () => {
  // Only the check before the parse can tell this, because neither text is JSON.
  expect(parse("[".repeat(601))).toThrow(
    expect.objectContaining({
      code: "bad_argument",
      message: "The body is nested in more than 600 levels.",
      fix: "Send it as a text.",
    }),
  );
  expect(parse(`[${"1,".repeat(100_000)}`)).toThrow("The body has more than 100,000 values.");
});

it("what looks like levels or values within a text isn't counted", () => {
  const text = `\\"${"[{".repeat(700)}${",".repeat(100_001)}`;
  expect(parse(JSON.stringify({ text }))()).toEqual({ text });
});
