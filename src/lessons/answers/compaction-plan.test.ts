import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, logId, logLine, principleLine, snapshotOf } from "../../../test/support/lines.ts";
import type { Budget } from "../../ground/core/budget.ts";
import { revisionOf, topicForm } from "../format/lesson.ts";
import type { Snapshot } from "../merge/versions.ts";
import { planCompaction } from "../queries/compaction.ts";
import { resolve } from "../queries/references.ts";
import { compactionPlan } from "./compaction-plan.ts";

const ROOMY: Budget = { characters: 36_000, bytes: 45_000, tokens: 9_000 };

const planOf = (snapshot: Snapshot, topic?: string, budget = ROOMY) =>
  compactionPlan(snapshot, planCompaction(snapshot, topic), topic, budget).text;

/** What a reader of a plan has before the eyes. */
function read(text: string) {
  const lines = text.split("\n");
  const printed = lines.flatMap((line) => /^#\d+ (\S+@\S+) /.exec(line)?.[1] ?? []);
  return {
    lines,
    printed,
    named: [...text.matchAll(/\b[0-9a-f]{8,16}(?:@[0-9a-f]{4,16})?\b/g)].map(
      ([reference]) => reference,
    ),
    topics: lines.flatMap((line) => /^== (.*): \d+ lessons? ==$/.exec(line)?.[1] ?? []),
    calls: lines.flatMap((line) => {
      const [, json] = /^log_memory\((.*)\)$/.exec(line) ?? [];
      return json ? [JSON.parse(json) as { topic: string; source_ids: string[] }] : [];
    }),
    again: /call compact_memory again with (\{.*\})\.$/m.exec(text)?.[1],
  };
}

/** The memory once every call of a plan was made. */
function carriedOut(snapshot: Snapshot, text: string, round: number): Snapshot {
  const principles = read(text).calls.map(({ topic, source_ids }, index) => {
    const sources = source_ids.flatMap((reference) => {
      const found = resolve(snapshot, reference);
      if (!("found" in found)) {
        throw new Error(`${reference} is not printed as it stands`);
      }
      const { version } = found.found;
      return [
        [version.id, revisionOf(version.meta)] as const,
        ...Object.entries(version.meta.sources ?? {}),
      ];
    });
    return principleLine(
      topic,
      `principle ${round}.${index}`,
      Object.fromEntries(sources),
      100 + round,
    );
  });
  return snapshotOf(
    ...snapshot.lines().map(({ raw }) => Buffer.from(raw, "latin1").toString()),
    ...principles,
  );
}

const TOPICS = [
  "payment",
  "payments",
  "Payment",
  "pay-ments",
  "payment-refund",
  "db_pool",
  "DB pool",
  "ui",
  "결제",
  "결제 환불",
  "🙂",
  "🙂-🙂",
  "🙂 🙂",
];
const BYTES = [20, 20, 300, 900, 1_400, 6_000];

const arbitraryRecord = fc.record({
  topic: fc.constantFrom(...TOPICS),
  kind: fc.constantFrom(
    "log",
    "log",
    "log",
    "principle",
    "sibling",
    "sibling of another set",
    "the same gap",
  ),
  bytes: fc.constantFrom(...BYTES),
  asks: fc.boolean(),
});

function lineOf(
  { topic, kind, bytes, asks }: typeof arbitraryRecord extends fc.Arbitrary<infer T> ? T : never,
  index: number,
) {
  const lesson = `rule ${index} `.padEnd(bytes, "x");
  const sources = { [logId("gone", kind)]: at(1) };
  if (kind === "principle") {
    return principleLine(topic, lesson, {}, index);
  }
  if (kind.startsWith("sibling")) {
    return principleLine(topic, lesson, sources, index);
  }
  const gap =
    kind === "log" ? `gap ${index}` : `One gap${index % 2 ? "." : ""}${" ".repeat(index % 3)}`;
  return logLine(topic, gap, index, {
    lesson,
    ...(asks && { ask_next_time: `${index}? `.padEnd(bytes / 4, "y") }),
  });
}

const arbitraryMemory = fc
  .array(arbitraryRecord, { minLength: 1, maxLength: 60 })
  .map((records) => snapshotOf(...new Set(records.map(lineOf))));
const arbitraryTarget = fc.option(fc.constantFrom(...TOPICS, "pay", "nothing like it"), {
  nil: undefined,
});
const arbitraryBudget = fc.constantFrom(
  ROOMY,
  { characters: 9_500, bytes: 9_500, tokens: 2_400 },
  { characters: 3_000, bytes: 3_000, tokens: 800 },
);

describe("a plan, whatever the memory holds and whatever it is for,", () => {
  const all = (check: (snapshot: Snapshot, topic: string | undefined, budget: Budget) => void) =>
    fc.assert(fc.property(arbitraryMemory, arbitraryTarget, arbitraryBudget, check), {
      numRuns: 400,
    });

  it("names no reference that it has not printed, and prints each once", () => {
    all((snapshot, topic, budget) => {
      const { printed, named } = read(planOf(snapshot, topic, budget));
      expect(new Set(printed).size).toBe(printed.length);
      for (const reference of named) {
        expect(printed.some((full) => full.startsWith(reference))).toBe(true);
      }
    });
  });

  it("has a call below where it speaks of the calls below", () => {
    all((snapshot, topic, budget) => {
      const { calls, lines } = read(planOf(snapshot, topic, budget));
      expect(calls.length > 0).toBe(lines.some((line) => line.includes("the calls below")));
      for (const { source_ids } of calls) {
        expect(source_ids.length).toBeGreaterThan(1);
      }
    });
  });

  it("denies a topic only where no lesson has it or one like it", () => {
    all((snapshot, topic, budget) => {
      const has = snapshot
        .lessons()
        .some(({ version }) => topicForm(version.topic) === topicForm(topic ?? ""));
      if (has) {
        expect(planOf(snapshot, topic, budget)).not.toContain("No lesson has the topic");
      }
    });
  });

  it("is followed by another where it says that more follow, and else leaves nothing due of what it was for", () => {
    let followed = 0;
    all((start, topic, budget) => {
      let snapshot = start;
      for (
        let round = 1, isFirst = true;
        isFirst || planCompaction(snapshot, topic).due.length > 0;
        round++
      ) {
        isFirst = false;
        const text = planOf(snapshot, topic, budget);
        const { again, calls } = read(text);
        const before = snapshot.count;
        snapshot = carriedOut(snapshot, text, round);
        if (calls.length > 0) {
          expect(snapshot.count).toBeLessThan(before);
        }
        if (again === undefined) {
          continue;
        }
        followed++;
        expect(JSON.parse(again)).toEqual(
          topic === undefined ? { compact_threshold: 1 } : { target_topic: topic },
        );
        expect(planCompaction(snapshot, topic).due).not.toEqual([]);
        expect(snapshot.count).toBeGreaterThan(1);
      }
    });
    expect(followed).toBeGreaterThan(10);
  });
});

describe("a plan of one topic", () => {
  const shared = { [logId("frontend", "x")]: at(1) };

  it("takes a sibling under another topic along", () => {
    const text = planOf(
      snapshotOf(principleLine("ui", "one", shared), principleLine("frontend", "two", shared)),
      "ui",
    );
    expect(read(text).calls[0]?.source_ids).toHaveLength(2);
  });

  it("gives two lessons alone in topics that look alike a call of their own", () => {
    const text = planOf(
      snapshotOf(logLine("payment", "a", 1), logLine("payments", "b", 2)),
      "payments",
    );
    expect(read(text).calls[0]?.source_ids).toHaveLength(2);
    expect(text).toContain("(these topics look alike: merge them only if they are one topic)");
  });

  it("prints each question that a call has no room for with its lesson", () => {
    const [long, other] = ["가".repeat(120), "나".repeat(120)];
    const text = planOf(
      snapshotOf(
        logLine("db", "a", 1, { ask_next_time: long }),
        logLine("db", "b", 2, { ask_next_time: other }),
      ),
    );
    expect(text).toContain(`ask_next_time: ${other}`);
  });
});
