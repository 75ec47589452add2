/** Two branches change one lesson: both texts stay in sight, whatever is pruned, merged again or picked, until somebody settles it. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { forgetLessons } from "../../src/lessons/changes/forget.ts";
import { saveLesson } from "../../src/lessons/changes/save.ts";
import { prune } from "../../src/lessons/merge/prune.ts";
import type { Snapshot, WorkingCopy } from "../../src/lessons/merge/versions.ts";
import { NOON } from "./arbitrary-files.ts";
import { fold, united, written } from "./readings.ts";

const HOUR = 3_600_000;
const BRANCHES = 3;
const GAPS = ["which login", "which token"];

interface Step {
  readonly what: "log" | "forget" | "merge";
  readonly branch: number;
  readonly other: number;
  readonly gap: string;
  readonly lesson: string;
  /** How far the clock of that branch is off. */
  readonly hours: number;
}

const arbitraryStep: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom("log", "log", "merge", "forget"),
  branch: fc.nat(BRANCHES - 1),
  other: fc.nat(BRANCHES - 1),
  gap: fc.constantFrom(...GAPS),
  lesson: fc.constantFrom("ask", "look", "measure"),
  hours: fc.integer({ min: -3, max: 3 }),
});

it("a memory that is pruned at each step says the same as one that never is", () => {
  fc.assert(
    fc.property(fc.array(arbitraryStep, { maxLength: 25 }), (steps) => {
      const [pruned, whole] = [run(steps, true), run(steps, false)];
      expect(pruned.map(said)).toEqual(whole.map(said));
    }),
    { numRuns: 300 },
  );
});

it("what one branch logged last and nobody saw since is in sight after the merge of all", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("ask", "look", "measure"), { minLength: 2, maxLength: BRANCHES }),
      (lessons) => {
        const steps = lessons.map(
          (lesson, branch): Step => ({ ...STEP, what: "log", branch, lesson }),
        );
        const merges = lessons.map((_, other): Step => ({ ...STEP, what: "merge", other }));
        const text = JSON.stringify(said(run([...steps, ...merges], true)[0] as Snapshot));
        for (const lesson of lessons) {
          expect(text).toContain(lesson);
        }
      },
    ),
    { numRuns: 50 },
  );
});

it("the next log, or forget, of the lesson settles it", () => {
  const both = [0, 1].map(
    (branch): Step => ({ ...STEP, what: "log", branch, lesson: `said by ${branch}` }),
  );
  const merged: Step[] = [...both, { ...STEP, what: "merge", other: 1 }];
  const also = (steps: readonly Step[]) =>
    run(steps, true)[0]
      ?.lessons()
      .map((line) => line.also?.length ?? 0);
  expect(also(merged)).toEqual([1]);
  expect(also([...merged, { ...STEP, what: "log", lesson: "said by both" }])).toEqual([0]);
  expect(also([...merged, { ...STEP, what: "log", gap: GAPS[1] as string }])).toEqual([1, 0]);
  expect(also([...merged, { ...STEP, what: "forget" }])).toEqual([]);
  // And again with a branch that has only what was settled.
  const again: Step[] = [
    { ...STEP, what: "log", lesson: "said by both" },
    { ...STEP, what: "merge", other: 1 },
  ];
  expect(also([...merged, ...again])).toEqual([0]);
});

it("a lesson that was changed a hundred times on one branch knows its own past", () => {
  const many = Array.from(
    { length: 100 },
    (_, at): Step => ({ ...STEP, what: "log", lesson: `change ${at}` }),
  );
  const old: Step = { ...STEP, what: "merge", branch: 1, other: 0 };
  const steps = [
    ...many.slice(0, 2),
    old,
    ...many.slice(2),
    { ...STEP, what: "merge", other: 1 } as Step,
  ];
  const [line] = run(steps, true)[0]?.lessons() ?? [];
  expect(line?.version.lesson).toBe("change 99");
  expect(line?.also).toBeUndefined();
});

const STEP: Step = {
  what: "log",
  branch: 0,
  other: 0,
  gap: GAPS[0] as string,
  lesson: "ask",
  hours: 0,
};

/** The branches after some steps. */
function run(steps: readonly Step[], isPruned: boolean): Snapshot[] {
  let branches: WorkingCopy[] = Array.from({ length: BRANCHES }, () => fold(Buffer.alloc(0)));
  for (const [at, { what, branch, other, gap, lesson, hours }] of steps.entries()) {
    const now = NOON + hours * HOUR + at * 60_000;
    const mine = branches[branch] as WorkingCopy;
    let next = mine;
    if (what === "merge") {
      next = fold(united(written(mine), written(branches[other] as WorkingCopy)));
    } else if (what === "log") {
      saveLesson(mine, { type: "log", topic: "auth", missing_context: gap, lesson }, {}, now);
    } else {
      forgetLessons(
        mine,
        mine
          .lessons()
          .filter(({ version }) => version.missing_context === gap)
          .map(({ version }) => version.id),
        "",
        now,
      );
    }
    if (isPruned) {
      next = fold(written(prune(next, now).snapshot));
    }
    branches = branches.with(branch, next);
  }
  return branches;
}

const said = (snapshot: Snapshot) =>
  snapshot.lessons().map(({ raw, also = [] }) => ({ raw, also: also.map((line) => line.raw) }));
