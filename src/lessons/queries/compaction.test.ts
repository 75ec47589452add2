import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, logId, logLine, principleLine, snapshotOf } from "../../../test/support/lines.ts";
import { compactionDue, isEmpty, planCompaction } from "./compaction.ts";

const topicsOf = (groups: readonly { topic: string }[]) => groups.map(({ topic }) => topic);

describe("a plan of compaction", () => {
  it("groups two records or more of a topic, and leaves single ones alone", () => {
    const plan = planCompaction(
      snapshotOf(logLine("deploy", "a", 1), logLine("deploy", "b", 2), logLine("search", "c", 3)),
    );
    expect(topicsOf(plan.groups)).toEqual(["deploy"]);
    expect(plan.singles.map(({ version }) => version.topic)).toEqual(["search"]);
    expect(plan.alike).toEqual([]);
  });

  it("names topics that look alike and puts them side by side", () => {
    const lines = ["auth", "zoo", "auth-login", "payments", "payment"].flatMap((topic, hour) => [
      logLine(topic, "a", hour),
      logLine(topic, "b", hour),
    ]);
    const plan = planCompaction(snapshotOf(...lines));
    expect(plan.alike.map((topics) => [...topics].sort())).toEqual([
      ["auth", "auth-login"],
      ["payment", "payments"],
    ]);
    expect(topicsOf(plan.groups).at(-1)).toBe("zoo");
  });

  it("of one topic takes those that look like it along", () => {
    const snapshot = snapshotOf(logLine("payment", "a", 1), logLine("payments", "b", 2), logLine("deploy", "c", 3));
    const plan = planCompaction(snapshot, "payment");
    expect([...plan.groups, ...plan.singles].length).toBe(2);
    expect(plan.alike[0]).toHaveLength(2);
  });

  it("puts principles before logs, each oldest first", () => {
    const [group] = planCompaction(
      snapshotOf(logLine("db", "b", 3), logLine("db", "a", 1), principleLine("db", "p", {})),
    ).groups;
    expect(group?.lines.map(({ version }) => version.missing_context)).toEqual(["", "a", "b"]);
  });

  it("puts principles over the same records first", () => {
    const sources = { [logId("db", "x")]: at(1) };
    const plan = planCompaction(snapshotOf(principleLine("db", "one", sources), principleLine("db", "two", sources)));
    expect(plan.siblings).toHaveLength(1);
    expect(plan.siblings[0]?.lines).toHaveLength(2);
  });
});

describe("a compaction is due", () => {
  const due = (threshold: number, ...lines: string[]) => compactionDue(snapshotOf(...lines), threshold);
  const shared = { [logId("db", "x")]: at(1) };

  it("above the threshold, when two records of a topic are not both principles", () => {
    expect(due(1, logLine("db", "a", 1), logLine("db", "b", 2))).toBe(true);
    expect(due(1, logLine("db", "a", 1), principleLine("db", "p", {}))).toBe(true);
    expect(due(2, logLine("db", "a", 1), logLine("db", "b", 2))).toBe(false);
  });

  it("when two principles have a source in common", () => {
    expect(due(1, principleLine("db", "one", shared), principleLine("sql", "two", shared))).toBe(true);
  });

  it("for nothing that a compaction leaves as it is", () => {
    expect(due(1, logLine("db", "a", 1), logLine("auth", "b", 2))).toBe(false);
    expect(due(1, principleLine("db", "one", {}), principleLine("db", "two", {}))).toBe(false);
    expect(due(1, logLine("auth-login", "a", 1), logLine("auth-token", "b", 2))).toBe(false);
  });

  it("never when a plan would be empty, and never after each topic has become a principle", () => {
    const topic = fc.constantFrom("db", "auth", "auth-login", "payment", "payments", "결제");
    const record = fc.record({ topic, isLog: fc.boolean(), hasShared: fc.boolean() });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 8 }), (records) => {
        const lines = records.map(({ topic, isLog, hasShared }, index) =>
          isLog
            ? logLine(topic, `gap ${index}`, index)
            : principleLine(topic, `rule ${index}`, hasShared ? shared : {}),
        );
        const snapshot = snapshotOf(...lines);
        if (isEmpty(planCompaction(snapshot))) expect(compactionDue(snapshot, 0)).toBe(false);
        const topics = [...new Set(records.map(({ topic }) => topic))];
        expect(due(0, ...topics.map((topic) => principleLine(topic, "rule", {})))).toBe(false);
      }),
    );
  });
});

describe("the merged question", () => {
  const questionOf = (...questions: string[]) => {
    const lines = questions.map((ask_next_time, hour) => logLine("db", `gap ${hour}`, hour, { ask_next_time }));
    return planCompaction(snapshotOf(...lines)).groups[0]?.question;
  };

  it("joins different questions once each, and is absent without any", () => {
    expect(questionOf("Which?", "When?", "Which?")).toEqual({ text: "Which? / When?", cut: false });
    expect(questionOf("", " ")).toBeUndefined();
  });

  it("is cut to 512 bytes on a character boundary, and says so", () => {
    const question = questionOf("가".repeat(120), "나".repeat(120));
    expect(question?.cut).toBe(true);
    expect(Buffer.byteLength(question?.text ?? "")).toBeLessThanOrEqual(512);
    expect(question?.text).not.toContain("\ufffd");
  });
});
