import { describe, expect, it } from "vitest";
import { logLine, snapshotOf } from "../../../test/support/lines.ts";
import { codeHints, hintsFor } from "./log-hints.ts";

const hints = (lesson: string, missing_context = "m") =>
  codeHints({ type: "log", topic: "t", missing_context, lesson });
const block = (lines: number, fence = "```") => `Do this:\n${fence}ts\n${"a();\n".repeat(lines)}${fence}\nthen that`;

describe("a block of code in a lesson", () => {
  it.each([
    ["none", "Call `a()`, then `b()`.\nOver\nfive\nlines\nof text"],
    ["three lines", block(3)],
    ["two blocks of three lines", `${block(3)}\n${block(3)}`],
    ["an empty block", block(0)],
  ])("of %s is fine", (_, lesson) => {
    expect(hints(lesson)).toEqual([]);
  });

  it.each([
    ["four lines", block(4)],
    ["four lines between tildes", block(4, "~~~~")],
    ["four lines with the line ends of Windows", block(4).replaceAll("\n", "\r\n")],
    ["four lines that is not closed", "```\na\nb\nc\nd"],
    ["four lines after a short one", `${block(1)}\n${block(4)}`],
  ])("of %s is named", (_, lesson) => {
    expect(hints(lesson)).toEqual([expect.stringContaining("a block of 4 lines of code")]);
    expect(hints("l", lesson)).toHaveLength(1);
  });
});

it("a topic of which the save itself retired every lesson is not new", () => {
  const before = snapshotOf(logLine("payment", "Amounts are in cents."), logLine("payments", "Refunds are negative."));
  const [own] = before.lessons().filter(({ version }) => version.topic === "payment");
  const draft = { type: "principle", topic: "payment", missing_context: "", lesson: "Count in cents." } as const;
  expect(hintsFor(draft, before, { retired: own ? [own] : [] })).toEqual([]);
  expect(hintsFor({ ...draft, topic: "paymnt" }, before)).toEqual([expect.stringContaining("is new and looks like")]);
});
