/** A working copy that changed step by step knows what a fold of its lines knows. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SentinelError } from "../../src/ground/core/errors.ts";
import { forgetLessons } from "../../src/lessons/changes/forget.ts";
import { saveLesson } from "../../src/lessons/changes/save.ts";
import { parseFile, renderFile } from "../../src/lessons/format/file-lines.ts";
import { prune } from "../../src/lessons/merge/prune.ts";
import { type Snapshot, WorkingCopy } from "../../src/lessons/merge/versions.ts";
import { findLesson, References } from "../../src/lessons/queries/references.ts";
import { arbitraryFile, arbitraryTexts, NOON, type Texts } from "./arbitrary-files.ts";

const RUNS = { numRuns: 100 };

type Step =
  | { readonly do: "save"; readonly texts: Texts; readonly retires: readonly number[] }
  | { readonly do: "forget"; readonly which: number }
  /** The file is written, and another program takes lines out and puts others in. */
  | { readonly do: "edit"; readonly taken: readonly number[]; readonly put: Buffer }
  | { readonly do: "write" };

const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: save(arbitraryTexts) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("forget" as const), which: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("edit" as const),
      taken: fc.array(fc.nat(5)),
      put: arbitraryFile,
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: "write" as const }) },
);

describe("a working copy", () => {
  it("knows after each step what a fold of its lines knows", () => {
    fc.assert(
      fc.property(arbitraryFile, fc.array(arbitraryStep, { maxLength: 8 }), (file, steps) => {
        walk(file, steps, (now, before, known) => {
          expect(knownOf(now)).toEqual(knownOf(new WorkingCopy(now.lines())));
          // What was read before the step stays as it was read.
          expect(knownOf(before)).toEqual(known);
        });
      }),
      RUNS,
    );
  });
});

function save(texts: fc.Arbitrary<Texts>): fc.Arbitrary<Step> {
  const retires = fc.uniqueArray(fc.nat(5), { maxLength: 3 });
  return fc.record({ do: fc.constant("save" as const), texts, retires });
}

/** Takes steps, and shows after each the memory, the memory before, and what that one knew then. */
function walk(
  file: Buffer,
  steps: readonly Step[],
  look: (now: WorkingCopy, before: WorkingCopy, known: unknown) => void,
): void {
  let memory = folded(file);
  for (const [index, step] of steps.entries()) {
    const known = knownOf(memory);
    // A turn that comes to nothing, because the lock was lost: another one is taken from the same memory.
    take(new WorkingCopy(memory.lines()), steps.at(-1) as Step, NOON);
    const next = take(new WorkingCopy(memory.lines()), step, NOON + index);
    look(next, memory, known);
    memory = next;
  }
}

function take(memory: WorkingCopy, step: Step, now: number): WorkingCopy {
  const lessons = memory.lessons();
  const at = (places: readonly number[]) => places.flatMap((place) => lessons[place] ?? []);
  if (step.do === "write") {
    return new WorkingCopy(prune(memory, now).snapshot.lines());
  }
  if (step.do === "edit") {
    const written = prune(memory, now).snapshot;
    const left = written.lines().filter((_, index) => !step.taken.includes(index));
    return folded(Buffer.concat([renderFile(left, []), step.put]));
  }
  try {
    if (step.do === "forget") {
      forgetLessons(
        memory,
        at([step.which]).map(({ version }) => version.id),
        "",
        now,
      );
    } else {
      const references = at(step.retires).map((line) => new References(memory).full(line));
      const options =
        step.texts.type === "log" ? { replaces: references } : { sources: references };
      saveLesson(memory, step.texts, references.length > 0 ? options : {}, now);
    }
  } catch (error) {
    if (!(error instanceof SentinelError)) {
      throw error;
    }
  }
  return memory;
}

function folded(file: Buffer): WorkingCopy {
  return new WorkingCopy(parseFile(file).versions);
}

function rawsOf(snapshot: Snapshot): string[] {
  return snapshot.lines().map(({ raw }) => raw);
}

/** All that a snapshot answers. */
function knownOf(snapshot: Snapshot): object {
  const references = new References(snapshot);
  const ids = [...snapshot.groups()].map(([id]) => id);
  return {
    count: snapshot.count,
    lines: rawsOf(snapshot),
    lessons: snapshot.lessons().map(({ version }) => version),
    names: snapshot.lessons().map((line) => references.full(line)),
    records: ids.map((id) => findLesson(snapshot, id.slice(0, 7))),
    ids: ids.map((id) => [
      snapshot.versions(id),
      snapshot.shown(id),
      Math.max(...snapshot.instants(id)),
      snapshot.coveredBy(id),
      snapshot.coverers(id),
    ]),
  };
}
