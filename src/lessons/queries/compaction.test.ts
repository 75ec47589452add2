import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, logId, logLine, principleLine, snapshotOf } from "../../../test/support/lines.ts";
import { alikeTopics, compactionDue, type Group, planCompaction, related } from "./compaction.ts";

const linesOf = (group: Group | undefined) => group?.lines ?? [];

describe("a plan of compaction", () => {
  it("of one topic merges each of those that look like it by itself, and lone lessons with the topic", () => {
    const lines = ["auth", "auth", "auth-login", "auth-login", "auth-token", "auth-key"].map(
      (topic, hour) => logLine(topic, `gap ${hour}`, hour),
    );
    const { due } = planCompaction(snapshotOf(...lines), "auth");
    const topics = due.map((group) => linesOf(group).map(({ version }) => version.topic));
    expect(topics.map((some) => some.sort())).toEqual([
      ["auth", "auth", "auth-key", "auth-token"],
      ["auth-login", "auth-login"],
    ]);
  });

  it("puts principles before logs, each oldest first", () => {
    const [group] = planCompaction(
      snapshotOf(logLine("db", "b", 3), logLine("db", "a", 1), principleLine("db", "p", {})),
    ).due;
    expect(linesOf(group).map(({ version }) => version.missing_context)).toEqual(["", "a", "b"]);
  });
});

describe("a compaction is due", () => {
  const due = (threshold: number, ...lines: string[]) =>
    compactionDue(snapshotOf(...lines), threshold);
  const shared = { [logId("db", "x")]: at(1) };

  it("whenever a plan would not be empty, and never after each topic has become a principle", () => {
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
        expect(compactionDue(snapshot, 0)).toBe(planCompaction(snapshot).due.length > 0);
        const topics = [...new Set(records.map(({ topic }) => topic))];
        expect(due(0, ...topics.map((topic) => principleLine(topic, "rule", {})))).toBe(false);
      }),
    );
  });
});

describe("a group", () => {
  const THEMES = {
    refunds: "refund ledger credit wallet",
    webhooks: "signature payload replay webhook",
    currency: "exponent rounding currency minor",
  };
  /** Lessons of one topic in three themes, one after the other. */
  const themed = (count: number, bytes: number) => {
    return Array.from({ length: count }, (_, index) => {
      const theme = Object.values(THEMES)[index % 3] as string;
      const lesson = `${theme} rule ${index} `.padEnd(bytes, "x");
      return logLine("payment", `${theme} gap ${index}`, 1, { lesson });
    });
  };

  it("has the lessons that one principle holds as they are, each lesson in one group", () => {
    const { due } = planCompaction(snapshotOf(...themed(60, 220)));
    const all = due.flatMap(linesOf);
    expect([all.length, new Set(all).size]).toEqual([60, 60]);
    for (const lines of due.map(linesOf)) {
      const bytes = lines.reduce((sum, { version }) => sum + version.lesson.length, 0);
      expect([lines.length > 1, bytes <= 1_024]).toEqual([true, true]);
    }
  });

  it("has what is alike", () => {
    const { due } = planCompaction(snapshotOf(...themed(12, 250)));
    for (const { lines } of due) {
      const themes = new Set(lines.map(({ version }) => version.lesson.split(" ")[0]));
      expect(themes.size).toBe(1);
    }
  });

  it("takes topics that differ in case and separators for one, and pairs what has to be said in fewer words", () => {
    const long = { lesson: "y".repeat(900) };
    const plan = planCompaction(
      snapshotOf(logLine("db-pool", "a", 1, long), logLine("DB_pool", "b", 2, long)),
    );
    expect(plan.due.map(({ lines }) => lines.length)).toEqual([2]);
    const huge = { lesson: "y".repeat(2_000) };
    const none = planCompaction(
      snapshotOf(logLine("db", "a", 1, huge), logLine("db", "b", 2, huge)),
    );
    expect(none.due).toEqual([]);
  });

  it("is divided where its lessons say too much of when they come up", () => {
    const lines = Array.from({ length: 4 }, (_, index) => {
      const words = Array.from({ length: 4 }, (_, word) => `w${index}${word}`);
      return logLine("db", `gap ${index}`, index, { when: { words } });
    });
    const { due } = planCompaction(snapshotOf(...lines));
    expect(due.map(({ when }) => when?.words?.length)).toEqual([8, 8]);
  });

  it("of thousands is divided, each lesson once", () => {
    const snapshot = snapshotOf(...themed(2_000, 100));
    expect(planCompaction(snapshot).due.flatMap(linesOf)).toHaveLength(2_000);
  });
});

describe("topics that look alike", () => {
  it("are in one set if related, also through others", () => {
    const word = fc.constantFrom(
      "auth",
      "login",
      "payment",
      "payments",
      "invoice",
      "invoise",
      "db",
      "phase",
      "1",
      "2",
      "결제",
      "결제취소",
    );
    const topic = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join("-"));
    fc.assert(
      fc.property(fc.uniqueArray(topic, { maxLength: 14 }), (topics) => {
        const lines = topics.map((name, hour) => logLine(name, `gap ${hour}`, hour));
        const sets = alikeTopics(snapshotOf(...lines));
        const setOf = (name: string) => sets.find((set) => set.includes(name)) ?? [name];
        for (const a of topics) {
          for (const b of topics) {
            if (related(a, b)) {
              expect(setOf(a)).toEqual(setOf(b));
            }
          }
        }
        for (const set of sets) {
          // Each is related to one before it, in some order: nothing is put together that is not connected.
          const reached = new Set([set[0] as string]);
          for (const name of reached) {
            for (const other of set) {
              if (related(name, other)) {
                reached.add(other);
              }
            }
          }
          expect(reached.size).toBe(set.length);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("the merged question", () => {
  const groupOf = (...questions: string[]) => {
    const lines = questions.map((ask_next_time, hour) =>
      logLine("db", `gap ${hour}`, hour, { ask_next_time }),
    );
    return planCompaction(snapshotOf(...lines)).due[0];
  };

  it("joins different questions once each, and is absent without any", () => {
    expect(groupOf("Which?", "When?", "Which?")?.question).toBe("Which? / When?");
    expect(groupOf("", " ")?.question).toBeUndefined();
  });

  it("takes questions whole or not at all", () => {
    const [long, other] = ["가".repeat(120), "나".repeat(120)];
    const group = groupOf(long, other, "When?");
    expect(group?.question).toBe(`${long} / When?`);
  });
});
