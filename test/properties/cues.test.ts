/** What becomes of a principle's cues when a lesson that it was made from is forgotten, covered or purged. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cuesFrom, cuesOfLesson, purgeCues } from "../../src/lessons/changes/cues.ts";
import { forgetLessons } from "../../src/lessons/changes/forget.ts";
import { buryLesson } from "../../src/lessons/changes/purge.ts";
import { saveLesson } from "../../src/lessons/changes/save.ts";
import { cuesOf, limitCues } from "../../src/lessons/format/lesson.ts";
import { prune } from "../../src/lessons/merge/prune.ts";
import { type Snapshot, WorkingCopy } from "../../src/lessons/merge/versions.ts";
import { References } from "../../src/lessons/queries/references.ts";
import { at, logId, logLine, principleLine } from "../support/lines.ts";
import { arbitraryFile, NOON } from "./arbitrary-files.ts";
import { cuesShown, fold, restamped, ties, united, written } from "./readings.ts";

const RUNS = { numRuns: 100 };
const PRINCIPLE = {
  type: "principle" as const,
  topic: "all",
  missing_context: "",
  lesson: "measure first",
  // A principle needs a word of its sources, or another script.
  ask_next_time: "Which login, pool or rate? 형식은?",
};
const positions = fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 });

/** The ids of some lessons that show, sources of principles first: those are what these laws are about. */
function chosen(snapshot: Snapshot, places: readonly number[]): string[] {
  const sources = new Set(
    snapshot.lines().flatMap(({ version }) => Object.keys(version.meta.sources ?? {})),
  );
  const ids = [...new Set(snapshot.lessons().map(({ version }) => version.id))];
  const inOrder = [...ids.filter((id) => sources.has(id)), ...ids.filter((id) => !sources.has(id))];
  return places.flatMap((place) => inOrder[place] ?? []);
}

describe("forgetting records", () => {
  it("takes no cue from the principles that stay", () => {
    fc.assert(
      fc.property(arbitraryFile, positions, (x, places) => {
        const before = fold(x);
        const ids = chosen(before, places);
        fc.pre(ids.length > 0);
        const after = new WorkingCopy(before.lines());
        forgetLessons(after, ids, "", NOON);
        const pruned = prune(after, NOON).snapshot;
        const except = new Set([...ids, ...restamped(before, pruned)]);
        expect(cuesShown(fold(written(pruned)), except)).toEqual(cuesShown(before, except));
      }),
      RUNS,
    );
  });
});

describe("covering records", () => {
  it("gives the new principle the cues of those, and takes none from the others", () => {
    fc.assert(
      fc.property(arbitraryFile, positions, (x, places) => {
        const before = fold(x);
        const sources = chosen(before, places).flatMap((id) => before.shown(id) ?? []);
        fc.pre(sources.length > 0);
        const references = sources.map((line) => new References(before).full(line));
        const after = new WorkingCopy(before.lines());
        const { line } = saveLesson(after, PRINCIPLE, { sources: references }, NOON);
        const pruned = prune(after, NOON).snapshot;
        const except = new Set([
          line.version.id,
          ...sources.map(({ version }) => version.id),
          ...restamped(before, pruned),
        ]);
        expect(cuesShown(fold(written(pruned)), except)).toEqual(cuesShown(before, except));
        const shown = before.shown(line.version.id);
        const cues = shown ? cuesOf(shown.version.meta) : [];
        const lessons = sources.map(({ version }) => version);
        expect(cuesOf(line.version.meta)).toEqual(
          limitCues([...cues, ...cuesFrom(lessons, PRINCIPLE.lesson)]),
        );
      }),
      RUNS,
    );
  });
});

describe("purging a record", () => {
  /** The memory after it, and what each principle that showed lost. */
  function purged(before: Snapshot, id: string) {
    const after = new WorkingCopy(before.lines());
    const purge = cuesOfLesson(id, after, []);
    const lost = new Map(
      before.lessons().flatMap(({ version }) => {
        return version.type === "principle" && version.id !== id
          ? [[version.id, purge(version)] as const]
          : [];
      }),
    );
    purgeCues(after, purge, NOON);
    buryLesson(after, id, NOON);
    return { pruned: prune(after, NOON).snapshot, lost };
  }

  /** A file from which the session log in a place was purged. */
  function purgedIn(file: Buffer, place: number) {
    const before = fold(file);
    const [id = ""] = chosen(before, [place]);
    fc.pre(id !== "");
    return { before, id, ...purged(before, id) };
  }

  it("takes its cues alone, and no copy of the file from before brings one back", () => {
    fc.assert(
      fc.property(arbitraryFile, fc.nat(5), (x, place) => {
        const { before, id, pruned, lost } = purgedIn(x, place);
        const except = new Set([id, ...ties(before)]);
        const expected = Object.fromEntries(
          Object.entries(cuesShown(before, except)).map(([principle, cues]) => {
            return [principle, cues.filter((cue) => !lost.get(principle)?.includes(cue))];
          }),
        );
        for (const reading of [pruned, fold(written(pruned)), fold(united(written(pruned), x))]) {
          expect(cuesShown(reading, except)).toEqual(expected);
        }
      }),
      RUNS,
    );
  });

  it("takes every cue that is a word of its text, and leaves the others", () => {
    const gaps = ["pool size", "time zone", "pool of locks", "zone of the lock", "size"];
    const words = ["pool", "size", "time", "zone", "locks", "lock", "rate"];
    const some = fc.subarray(gaps, { minLength: 1 });
    fc.assert(
      fc.property(some, fc.subarray(words), fc.nat(4), (kept, cues, place) => {
        const purgedGap = kept[place % kept.length] as string;
        const sources = Object.fromEntries(kept.map((gap) => [logId("db", gap), at(9)]));
        const principle = JSON.parse(principleLine("all", "measure first", sources, 10));
        principle.meta.cues = limitCues(cues);
        const lines = [...kept.map((gap) => logLine("db", gap, 11)), JSON.stringify(principle)];
        const { lost } = purged(fold(Buffer.from(lines.join("\n"))), logId("db", purgedGap));
        const says = (gap: string, word: string) => gap.split(" ").includes(word);
        expect(lost.get(principle.id)).toEqual(cues.filter((word) => says(purgedGap, word)));
      }),
      RUNS,
    );
  });

  it("leaves none of them in any line of the principles that lost them", () => {
    fc.assert(
      fc.property(arbitraryFile, fc.nat(5), (x, place) => {
        const { pruned, lost } = purgedIn(x, place);
        const left = [...lost].flatMap(([principle, words]) => {
          const cues = pruned.versions(principle).flatMap(({ version }) => cuesOf(version.meta));
          return words.filter((word) => cues.includes(word));
        });
        expect(left).toEqual([]);
      }),
      RUNS,
    );
  });
});
