import { describe, expect, it } from "vitest";
import { logLine, snapshotOf } from "../../../test/support/lines.ts";
import { codeHints, hintsFor } from "./log-answer.ts";

const hints = (lesson: string, missing_context = "m") =>
  codeHints({ type: "log", topic: "t", missing_context, lesson });
const block = (lines: number, fence = "```") =>
  `Do this:\n${fence}ts\n${"a();\n".repeat(lines)}${fence}\nthen that`;

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
  const before = snapshotOf(
    logLine("payment", "Amounts are in cents."),
    logLine("payments", "Refunds are negative."),
  );
  const [own] = before.lessons().filter(({ version }) => version.topic === "payment");
  const draft = {
    type: "principle",
    topic: "payment",
    missing_context: "",
    lesson: "Count in cents.",
  } as const;
  expect(hintsFor(draft, before, { retired: own ? [own] : [] })).toEqual([]);
  expect(hintsFor({ ...draft, topic: "paymnt" }, before)).toEqual([
    expect.stringContaining("is new and looks like"),
  ]);
});

describe("a lesson that is close to one that is there", () => {
  const before = snapshotOf(
    logLine("database", "The timeout of a payment", 9, {
      lesson: "Wait 5 minutes for the provider, then retry",
    }),
  );
  const draft = {
    type: "log",
    topic: "database",
    missing_context: "How long a payment may take",
  } as const;
  const hint = (more: object) => hintsFor({ ...draft, lesson: "", ...more }, before).join("\n");

  it.each([
    ["another figure", "Wait 15 minutes for the provider of a payment, then retry; the timeout"],
    [
      "a prohibition",
      "Never wait 5 minutes for the provider of a payment, then retry; the timeout",
    ],
  ])("and says %s contradicts it", (_, lesson) => {
    expect(hint({ lesson })).toContain("says nearly the same, but this contradicts it");
  });

  it("and says the same does not contradict it", () => {
    const lesson = "Wait 5 minutes for the provider of a payment, then retry; the timeout";
    expect(hint({ lesson })).toMatch(/says nearly the same: "Wait 5/);
  });

  it("in another topic, by its gap, is named with that topic", () => {
    const gap = { topic: "payments", missing_context: "the timeout of a payment." };
    expect(hint({ ...gap, lesson: "Ask Kim" })).toMatch(
      /of topic "database" has the same gap: .*If they are one lesson/,
    );
    expect(hint({ ...gap, lesson: "Wait 15 minutes" })).toContain(
      "has the same gap, but this contradicts it",
    );
  });
});
