/** Ten lessons a week for two years, compacted whenever it's due: the file stays small, because old covers go. */
import { expect, it } from "vitest";
import { DAY_MS } from "../../src/ground/core/time.ts";
import { saveLesson } from "../../src/lessons/changes/save.ts";
import { prune } from "../../src/lessons/merge/prune.ts";
import { type LessonLine, type Snapshot, WorkingCopy } from "../../src/lessons/merge/versions.ts";
import { compactionDue, planCompaction } from "../../src/lessons/queries/compaction.ts";
import { References } from "../../src/lessons/queries/references.ts";
import { linesOf } from "../support/lines.ts";

const WEEKS = 104;
const A_WEEK = 10;
const START = Date.UTC(2026, 0, 5, 9);
const THRESHOLD = 50;
const MOST_BYTES = 30_000;
const TOPICS = ["payment", "auth", "build", "search", "exports"];

it("is under 30 KB right after each compaction", () => {
  let memory: Snapshot = new WorkingCopy([]);
  const sizes: number[] = [];
  for (let week = 0; week < WEEKS; week++) {
    for (let n = 0; n < A_WEEK; n++) {
      const now = START + (7 * week + n / 2) * DAY_MS;
      memory = logged(memory, week * A_WEEK + n, now);
      if (!compactionDue(memory, THRESHOLD)) {
        continue;
      }
      memory = compacted(memory, now + 60_000);
      sizes.push(Buffer.byteLength(linesOf(memory).join("\n")));
    }
  }
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.max(...sizes)).toBeLessThan(MOST_BYTES);
});

function logged(memory: Snapshot, n: number, now: number): Snapshot {
  const copy = new WorkingCopy(memory.lines());
  const topic = TOPICS[n % TOPICS.length] as string;
  const lesson = `Check the table of ${topic} number ${n} before you change a rate of it.`;
  const missing_context = `Nobody said which table of ${topic} has case ${n} in it`;
  saveLesson(copy, { type: "log", topic, missing_context, lesson }, {}, now);
  return prune(copy, now).snapshot;
}

/** As an agent does: one principle for each group of the plan, and plans until nothing is left. */
function compacted(memory: Snapshot, now: number): Snapshot {
  let current = memory;
  for (let round = 0; round < 20; round++) {
    const { due } = planCompaction(current);
    if (due.length === 0) {
      break;
    }
    for (const [index, { lines }] of due.entries()) {
      current = merged(current, lines, now + round * 1_000 + index);
    }
  }
  return current;
}

function merged(memory: Snapshot, lines: readonly LessonLine[], now: number): Snapshot {
  const copy = new WorkingCopy(memory.lines());
  const references = new References(memory);
  const sources = lines.map((line) => references.full(line));
  const [{ version }] = lines as [LessonLine];
  const numbers = lines.flatMap(({ version: { lesson } }) => lesson.match(/\d+/g) ?? []);
  const lesson = `Check the tables of ${version.topic} before you change a rate: ${numbers.slice(-60).join(", ")}.`;
  const draft = { type: "principle" as const, topic: version.topic, missing_context: "", lesson };
  saveLesson(copy, draft, { sources }, now);
  return prune(copy, now).snapshot;
}
