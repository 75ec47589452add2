import { describe, expect, it } from "vitest";
import { logLine, snapshotOf } from "../../../test/support/lines.ts";
import { existingFor, lessonsAbout } from "./existing.ts";

const snapshot = snapshotOf(
  logLine("billing", "Which checkout the shop uses", 1, {
    lesson: "Use custom forms for billing",
  }),
  logLine("staging", "Which database staging uses", 1, { lesson: "Staging reads replica two." }),
  logLine("mail", "Gmail clips large messages", 1, { lesson: "Inline the critical CSS" }),
);

const found = (topic: string, missing_context: string, lesson: string) => {
  const existing = existingFor({ topic, missing_context, lesson }, snapshot);
  return existing && [existing.how, existing.line.version.topic];
};

describe("the lesson that a candidate is about", () => {
  it.each([
    ["billing", "payment", "Use Stripe Checkout instead of custom forms", "may contradict"],
    ["billing", "payment", "Use custom forms for all billing", "nearly repeats"],
    ["shop", "which checkout the shop uses.", "Never use custom forms", "may contradict"],
  ])("in topic %s with the gap %j and the rule %j: %s", (topic, gap, lesson, how) => {
    expect(found(topic, gap, lesson)).toEqual([how, "billing"]);
  });

  it("has another number", () => {
    expect(found("staging", "Which database staging uses", "Staging reads replica 3")).toEqual([
      "nearly repeats",
      "staging",
    ]);
    const numbered = snapshotOf(
      logLine("api", "The timeout of calls", 1, { lesson: "Calls take 10 seconds at most" }),
    );
    const said = { topic: "api", missing_context: "A timeout", lesson: "Calls take 30 seconds" };
    expect(existingFor(said, numbered)?.how).toBe("may contradict");
  });

  it("is none if no lesson is like it", () => {
    expect(found("ci", "The runner has no Docker", "Use the remote builder")).toBeUndefined();
    expect(found("mail", "Names need an encoding", "Use the address object")).toBeUndefined();
  });
});

describe("the lessons for an extractor", () => {
  it("are those about the session, each with its full reference, within a limit", () => {
    const text = "human: why does the staging database lag?";
    const lines = lessonsAbout(text, snapshot, 500, "2026-11-25");
    expect(lines).toEqual([
      expect.stringMatching(
        /^[0-9a-f]{8}@[0-9a-f]{4} staging: Which database staging uses -> Staging reads/,
      ),
    ]);
    expect(lessonsAbout(text, snapshot, 5, "2026-11-25")).toEqual([]);
  });
});
