/** A working copy that changed step by step knows what a fold of its lines knows, and finds what a look at every lesson finds. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SentinelError } from "../../src/ground/core/errors.ts";
import { forgetLessons } from "../../src/lessons/changes/forget.ts";
import { knownTopic, sameGap } from "../../src/lessons/changes/same-lesson.ts";
import { saveLesson } from "../../src/lessons/changes/save.ts";
import { parseFile, renderFile } from "../../src/lessons/format/file-lines.ts";
import { formOf, topicForm } from "../../src/lessons/format/forms.ts";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { type Snapshot, WorkingCopy } from "../../src/lessons/merge/fold.ts";
import { KEYS } from "../../src/lessons/merge/lesson-index.ts";
import { prune } from "../../src/lessons/merge/prune.ts";
import type { LessonLine } from "../../src/lessons/merge/versions.ts";
import { findRecords, References } from "../../src/lessons/queries/references.ts";
import { nearestLesson, termsOf } from "../../src/lessons/queries/similarity.ts";
import { countTopics, topicsOf } from "../../src/lessons/queries/topics.ts";
import { runs } from "../support/form.ts";
import { arbitraryFile, arbitraryTexts, NOON, type Texts } from "./arbitrary-files.ts";

const RUNS = runs(100);
const KEY_NAMES = Object.keys(KEYS) as (keyof typeof KEYS)[];

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
          expect(knownOf(now)).toEqual(knownOf(WorkingCopy.of(now.lines())));
          // What was read before the step stays as it was read.
          expect(knownOf(before)).toEqual(known);
        });
      }),
      RUNS,
    );
  });

  it("finds what a look at every lesson finds", () => {
    const draft = fc.tuple(arbitraryTexts, fc.nat(20));
    fc.assert(
      fc.property(
        arbitraryFile,
        fc.array(arbitraryStep, { maxLength: 12 }),
        draft,
        (file, steps, [texts, at]) => {
          walk(file, steps, (now, before) => {
            for (const snapshot of [now, before]) {
              const lines = snapshot.lessons();
              const except = lines.slice(at, at + 1);
              const others = lines.filter((line) => !except.includes(line));
              expect(knownTopic(snapshot, texts.topic, except)).toBe(
                topicAmong(others, texts.topic),
              );
              expect(sameGap(snapshot, texts, except)?.id).toBe(gapAmong(others, texts)?.id);
              const list = snapshot.by("topicForm").get(topicForm(texts.topic));
              const candidates = lines.filter(
                ({ version }) => topicForm(version.topic) === topicForm(texts.topic),
              );
              expect(nearestLesson(texts, list)?.raw).toBe(nearestAmong(candidates, texts)?.raw);
              expect(topicsOf(snapshot)).toEqual(countTopics(lines));
            }
          });
        },
      ),
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
    take(WorkingCopy.from(memory), steps.at(-1) as Step, NOON);
    const next = take(WorkingCopy.from(memory), step, NOON + index);
    look(next, memory, known);
    memory = next;
  }
}

function take(memory: WorkingCopy, step: Step, now: number): WorkingCopy {
  const lessons = memory.lessons();
  const at = (places: readonly number[]) => places.flatMap((place) => lessons[place] ?? []);
  if (step.do === "write") return WorkingCopy.from(prune(memory, now).snapshot);
  if (step.do === "edit") {
    const written = prune(memory, now).snapshot;
    const left = written.lines().filter((_, index) => !step.taken.includes(index));
    return folded(Buffer.concat([renderFile(left, []), step.put]));
  }
  try {
    if (step.do === "forget")
      forgetLessons(
        memory,
        at([step.which]).map(({ version }) => version.id),
        "",
        now,
      );
    else {
      const references = at(step.retires).map((line) => new References(memory).full(line));
      const options =
        step.texts.type === "log" ? { replaces: references } : { sources: references };
      saveLesson(memory, step.texts, references.length > 0 ? options : {}, now);
    }
  } catch (error) {
    if (!(error instanceof SentinelError)) throw error;
  }
  return memory;
}

function folded(file: Buffer): WorkingCopy {
  return WorkingCopy.of(parseFile(file).versions);
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
    records: ids.map((id) => findRecords(snapshot, id.slice(0, 7))),
    ids: ids.map((id) => [
      snapshot.versions(id),
      snapshot.shown(id),
      Math.max(...snapshot.instants(id)),
      snapshot.coveredBy(id),
      snapshot.coverers(id),
    ]),
    lists: KEY_NAMES.map((key) => {
      const lists = [...snapshot.by(key).groups()].map(([name, lessons]) => {
        return [name, [...lessons].map(({ raw }) => raw).sort()] as const;
      });
      return lists.sort(([a], [b]) => (a < b ? -1 : 1));
    }),
  };
}

function topicAmong(lines: readonly LessonLine[], topic: string): string {
  const same = lines.filter(({ version }) => topicForm(version.topic) === topicForm(topic));
  return countTopics(same)[0]?.topic ?? topic;
}

function gapAmong(lines: readonly LessonLine[], texts: Texts): Lesson | undefined {
  const form = formOf(texts);
  const same = lines
    .map(({ version }) => version)
    .filter((version) => form !== undefined && formOf(version) === form);
  const instant = ({ meta }: Lesson) => Date.parse(meta.created) || Number.NEGATIVE_INFINITY;
  return same.sort((a, b) =>
    instant(a) === instant(b) ? (a.id < b.id ? -1 : 1) : instant(a) - instant(b),
  )[0];
}

/** As near as half of the terms of both, the nearest, and the first of several. */
function nearestAmong(lines: readonly LessonLine[], texts: Texts): LessonLine | undefined {
  const own = termsOf({ ...texts, id: "", meta: { created: "" } });
  const near = lines.map((line) => {
    const terms = termsOf(line.version);
    const common = [...own].filter((term) => terms.has(term)).length;
    return { line, likeness: common === 0 ? 0 : (2 * common) / (own.size + terms.size) };
  });
  const best = Math.max(0.5, ...near.map(({ likeness }) => likeness));
  return near.find(({ likeness }) => likeness === best)?.line;
}
