/** The law of the fold (docs/design/lessons.md, "Reading is a fold"), over random files, operations and unions. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SentinelError } from "../../src/ground/core/errors.ts";
import { NO_OWN_WORDS } from "../../src/ground/redaction/own-words.ts";
import { forgetLessons, restoreLessons } from "../../src/lessons/changes/forget.ts";
import { adopt } from "../../src/lessons/changes/import.ts";
import { type Saved, saveLesson } from "../../src/lessons/changes/save.ts";
import { parseFile } from "../../src/lessons/format/file-lines.ts";
import { type Lesson, writeVersion } from "../../src/lessons/format/lesson.ts";
import { prune } from "../../src/lessons/merge/prune.ts";
import {
  type LessonLine,
  latestFirst,
  type Snapshot,
  sameButForJoined,
  WorkingCopy,
} from "../../src/lessons/merge/versions.ts";
import { References } from "../../src/lessons/queries/references.ts";
import { at, log } from "../support/lines.ts";
import { arbitraryFile, arbitraryTexts, NOON, type Texts } from "./arbitrary-files.ts";
import {
  cuesShown,
  disputes,
  fold,
  hiddenOnce,
  restamped,
  sameVersions,
  shown,
  ties,
  united,
  written,
} from "./readings.ts";

const RUNS = { numRuns: 200 };
const HOUR = 3_600_000;

interface Operation {
  readonly texts: Texts;
  /** Which of the lessons that show it retires, as positions; none for a log. */
  readonly retires: readonly number[];
  readonly now: number;
}

const arbitraryOperation: fc.Arbitrary<Operation> = fc.record({
  texts: arbitraryTexts,
  retires: fc.uniqueArray(fc.nat(5), { maxLength: 4 }),
  now: fc.integer({ min: -5, max: 5 }).map((hours) => NOON + hours * HOUR),
});

describe("pruning", () => {
  it("changes nothing that a union with any other file knows", () => {
    fc.assert(
      fc.property(arbitraryFile, arbitraryFile, (x, y) => {
        const before = fold(x);
        const pruned = prune(before, NOON).snapshot;
        const separate = fold(united(written(pruned), y));
        const together = fold(united(x, y));
        const disputed = new Set([...disputes(together), ...restamped(before, pruned)]);
        expect(shown(separate, disputed)).toEqual(shown(together, disputed));
      }),
      RUNS,
    );
  });

  it("is complete after one pass", () => {
    fc.assert(
      fc.property(arbitraryFile, (x) => {
        const once = prune(fold(x), NOON).snapshot;
        // Summaries that cover each other: no write makes them, and all of them are kept.
        fc.pre(!once.lines().some((line) => once.covered(line)));
        expect(shown(once)).toEqual(shown(fold(written(once))));
        const twice = prune(fold(written(once)), NOON);
        expect(twice.dropped).toEqual([]);
        expect(written(twice.snapshot).toString()).toBe(written(once).toString());
      }),
      RUNS,
    );
  });

  it("accounts for every version: it stays, or it is dropped and something stands for it", () => {
    fc.assert(
      fc.property(arbitraryFile, (x) => {
        const before = fold(x);
        const { snapshot, dropped } = prune(before, NOON);
        expect(snapshot.lines().length + dropped.length).toBe(before.lines().length);
        for (const { line, by } of dropped) {
          const { id } = line.version;
          const newer = snapshot
            .versions(id)
            .some(
              (other) =>
                latestFirst(other, line) < 0 || sameButForJoined(other.version, line.version),
            );
          expect(newer || snapshot.covered(line)).toBe(true);
          expect(snapshot.versions(by).length).toBeGreaterThan(0);
        }
      }),
      RUNS,
    );
  });

  it("leaves untouched lines byte for byte", () => {
    fc.assert(
      fc.property(arbitraryFile, (x) => {
        const before = new Set(
          fold(x)
            .lines()
            .map(({ raw }) => raw),
        );
        for (const line of prune(fold(x), NOON).snapshot.lines()) {
          const twin = fold(x)
            .versions(line.version.id)
            .find((other) => sameButForJoined(other.version, line.version));
          if (
            twin &&
            JSON.stringify(twin.version.meta.sources) === JSON.stringify(line.version.meta.sources)
          ) {
            expect(before).toContain(line.raw);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("cues", () => {
  it("survive pruning: a union with any other file reads the same ones", () => {
    fc.assert(
      fc.property(arbitraryFile, arbitraryFile, (x, y) => {
        const pruned = prune(fold(x), NOON).snapshot;
        const separate = fold(united(written(pruned), y));
        const together = fold(united(x, y));
        const except = new Set([
          ...ties(together),
          ...restamped(fold(x), pruned),
          ...hiddenOnce(together),
        ]);
        expect(cuesShown(separate, except)).toEqual(cuesShown(together, except));
      }),
      RUNS,
    );
  });
});

describe("lines without an id", () => {
  it("written with their id, then united, read like the union", () => {
    const bare = fc.array(
      arbitraryTexts.map((texts) => JSON.stringify(texts)),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(arbitraryFile, bare, arbitraryFile, (x, lines, y) => {
        const mine = united(x, Buffer.from(lines.join("\n")));
        const adopted = (bytes: Buffer) =>
          new WorkingCopy(adopt(parseFile(bytes), NO_OWN_WORDS).versions);
        const pruned = prune(adopted(mine), NOON).snapshot;
        const [separate, together] = [
          adopted(united(written(pruned), y)),
          adopted(united(mine, y)),
        ];
        // What is undated elsewhere is as old as a line without an id; the larger line wins there.
        const undated = [...together.groups()].filter(([, versions]) => {
          return versions.filter(({ instant }) => instant === Number.NEGATIVE_INFINITY).length > 1;
        });
        const disputed = new Set([
          ...disputes(together),
          ...restamped(adopted(mine), pruned),
          ...undated.map(([id]) => id),
        ]);
        expect(shown(separate, disputed)).toEqual(shown(together, disputed));
      }),
      RUNS,
    );
  });
});

describe("an operation", () => {
  it("on one branch, then united, reads like the operation on the union", () => {
    fc.assert(
      fc.property(arbitraryFile, arbitraryFile, arbitraryOperation, (x, y, operation) => {
        const branch = fold(x);
        const sources = chosen(branch, operation);
        const references = sources.map((line) => new References(branch).full(line));
        const union = fold(united(x, y));
        const saved = [apply(branch, operation, references), apply(union, operation, references)];
        // Y may know an earlier lesson of the same gap, or spell the topic in more lessons; then that is the one that is updated.
        const [id, other] = saved.map((each) => each?.line.version.id);
        fc.pre(id !== undefined && id === other);
        const ids = [id as string, ...sources.map(({ version }) => version.id)];
        const pruned = prune(branch, operation.now).snapshot;
        const separate = fold(united(written(pruned), y));
        // Y knows something else of a record the operation is about: an edit that is concurrent to it.
        const concurrent = ids.some((id) => !sameVersions(fold(x), fold(united(x, y)), id));
        const disputed = new Set([
          ...disputes(union),
          ...restamped(branch, pruned),
          ...(concurrent ? ids : []),
        ]);
        expect(shown(separate, disputed)).toEqual(shown(union, disputed));
      }),
      RUNS,
    );
  });

  it("is seen at once, whatever the clocks say", () => {
    fc.assert(
      fc.property(arbitraryFile, arbitraryOperation, (x, operation) => {
        const snapshot = fold(x);
        const references = new References(snapshot);
        const saved = apply(
          snapshot,
          operation,
          chosen(snapshot, operation).map((line) => references.full(line)),
        );
        fc.pre(saved !== undefined);
        const after = fold(written(prune(snapshot, operation.now).snapshot));
        const { version } = (saved as Saved).line;
        expect(after.shown(version.id)?.version.lesson).toBe(version.lesson);
        for (const gone of (saved as Saved).retired) {
          if (gone.version.id !== version.id) {
            expect(after.shown(gone.version.id)).toBeUndefined();
          }
        }
      }),
      RUNS,
    );
  });

  it("gives the same snapshot whether it is added to or read again", () => {
    fc.assert(
      fc.property(arbitraryFile, arbitraryOperation, (x, operation) => {
        const snapshot = fold(x);
        const references = new References(snapshot);
        apply(
          snapshot,
          operation,
          chosen(snapshot, operation).map((line) => references.full(line)),
        );
        const refolded = fold(written(snapshot));
        expect(shown(snapshot)).toEqual(shown(refolded));
        expect(snapshot.count).toBe(refolded.count);
      }),
      RUNS,
    );
  });
});

describe("forgetting and restoring", () => {
  it("on one branch, then united, reads like forgetting on the union", () => {
    fc.assert(
      fc.property(arbitraryFile, arbitraryFile, arbitraryOperation, (x, y, { retires, now }) => {
        const branch = fold(x);
        const lessons = branch.lessons();
        const ids = retires.flatMap((position) => lessons[position]?.version.id ?? []);
        const union = fold(united(x, y));
        fc.pre(ids.length > 0 && ids.every((id) => sameVersions(fold(x), union, id)));
        for (const snapshot of [branch, union]) {
          forgetLessons(snapshot, ids, "", now);
        }
        const pruned = prune(branch, now).snapshot;
        const separate = fold(united(written(pruned), y));
        const disputed = new Set([...disputes(union), ...restamped(branch, pruned)]);
        expect(shown(separate, disputed)).toEqual(shown(union, disputed));
      }),
      RUNS,
    );
  });

  it("gives back what was there", () => {
    fc.assert(
      fc.property(arbitraryFile, fc.nat(5), (x, position) => {
        const before = fold(x);
        const line = before.lessons()[position];
        fc.pre(line !== undefined);
        const { version } = line as LessonLine;
        forgetLessons(before, [version.id], "", NOON);
        const { snapshot, dropped } = prune(before, NOON);
        expect(snapshot.shown(version.id)).toBeUndefined();
        expect(dropped.map((each) => each.line.raw)).toContain((line as LessonLine).raw);
        const after = new WorkingCopy(snapshot.lines());
        restoreLessons(after, [version], NOON);
        expect(after.shown(version.id)?.version.lesson).toBe(version.lesson);
      }),
      RUNS,
    );
  });
});

describe("two texts with one id", () => {
  it("are two lessons, whatever versions of them a file has", () => {
    const line = fc.record({
      text: fc.constantFrom(["auth", "login x"] as const, ["authl", "ogin x"] as const),
      hour: fc.integer({ min: 6, max: 18 }),
      after: fc.constantFrom(undefined, {}, { until: at(12) }, { seen: [at(9), at(10), at(11)] }),
    });
    const files = fc.array(line, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(files, (versions) => {
        const lines = versions.map(({ text: [topic, missing_context], hour, after }) =>
          writeVersion(log({ topic, missing_context, meta: { created: at(hour), after } })),
        );
        const { snapshot } = prune(fold(Buffer.from(lines.join("\n"))), NOON);
        const kept = snapshot.lines().map(({ version }) => (version as Lesson).topic);
        expect(new Set(kept)).toEqual(new Set(versions.map(({ text: [topic] }) => topic)));
        const [shown] = snapshot.lessons();
        expect(1 + (shown?.also?.length ?? 0)).toBe(new Set(kept).size);
      }),
      RUNS,
    );
  });
});

function chosen(snapshot: Snapshot, { texts, retires }: Operation): LessonLine[] {
  const lessons = snapshot.lessons();
  return texts.type === "log" ? [] : retires.flatMap((position) => lessons[position] ?? []);
}

function apply(
  memory: WorkingCopy,
  { texts, now }: Operation,
  references: readonly string[],
): Saved | undefined {
  try {
    return saveLesson(memory, texts, references.length > 0 ? { sources: references } : {}, now);
  } catch (error) {
    if (error instanceof SentinelError) {
      return undefined;
    }
    throw error;
  }
}
