import { describe, expect, it } from "vitest";
import {
  at,
  linesOf,
  logId,
  logLine,
  principleLine,
  snapshotOf,
} from "../../../test/support/lines.ts";
import { saveLesson } from "../changes/save.ts";
import { References } from "../queries/references.ts";
import { prune } from "./prune.ts";
import type { LessonLine } from "./versions.ts";

const NOW = Date.parse(at(12));
const A = logLine("auth", "which login");
const ID = logId("auth", "which login");

describe("prune", () => {
  it("stamps a line that was edited by hand under its old revision, so that the edit wins everywhere", () => {
    const edited = A.replace("ask first", "ask twice");
    const { snapshot } = prune(snapshotOf(edited), NOW, snapshotOf(A).lines());
    expect(snapshot.lessons()[0]?.instant).toBe(NOW);
    expect(snapshotOf(A, ...linesOf(snapshot)).lessons()[0]?.version.lesson).toBe("ask twice");
  });

  it("takes no line of its own making for edited when it comes back from the file with more sources", () => {
    const draft = {
      type: "principle" as const,
      topic: "auth",
      missing_context: "",
      lesson: "say which login",
    };
    const made = snapshotOf(A);
    const reference = new References(made).full(made.lessons()[0] as LessonLine);
    saveLesson(made, draft, { sources: [reference] }, NOW);
    const mine = prune(made, NOW).snapshot;
    const joined = linesOf(mine).map((line) =>
      line.replace('"sources":{', `"sources":{"0000000000000000":"${at(9)}",`),
    );
    const { snapshot } = prune(snapshotOf(...joined), NOW + 1, mine.lines());
    expect(linesOf(snapshot)).toEqual(joined);
  });

  describe("of an old cover", () => {
    const HOUR = 9;
    const later = (days: number) => HOUR + 24 * days;
    const PRINCIPLE = principleLine("auth", "p", { [ID]: at(HOUR) });
    const coversAfter = (now: number, ...lines: readonly string[]) => {
      const { snapshot } = prune(snapshotOf(PRINCIPLE, ...lines), now);
      const [line] = snapshot.versions(JSON.parse(PRINCIPLE).id);
      return Object.keys(line?.version.meta.sources ?? {});
    };
    const dayOf = (days: number) => Date.parse(at(later(days)));

    it("goes 180 days after the lesson was written, by the newest date in the file", () => {
      expect(coversAfter(dayOf(400), logLine("db", "pool", later(180)))).toEqual([ID]);
      expect(coversAfter(dayOf(400), logLine("db", "pool", later(181)))).toEqual([]);
      expect(coversAfter(dayOf(400))).toEqual([ID]);
    });

    it("stays in a younger principle, and isn't passed on to the next", () => {
      const young = principleLine("auth", "young", { [ID]: at(HOUR) }, later(200));
      const { snapshot } = prune(snapshotOf(young, logLine("db", "pool", later(201))), dayOf(400));
      expect(snapshot.versions(JSON.parse(young).id)[0]?.raw).toBe(young);
      const youngId = JSON.parse(young).id;
      const poolId = logId("db", "pool");
      const passedOn = (sources: Record<string, string>) => {
        const next = principleLine("auth", "next", sources, later(210));
        const { snapshot } = prune(snapshotOf(young, next), dayOf(400));
        return Object.keys(snapshot.lessons()[0]?.version.meta.sources ?? {});
      };
      const both = { [youngId]: at(later(200)), [poolId]: at(later(201)) };
      expect(passedOn(both).sort()).toEqual([youngId, poolId].sort());
      // A correction of the principle alone keeps what it stood for.
      expect(passedOn({ [youngId]: at(later(200)) }).sort()).toEqual([ID, youngId].sort());
    });

    it("ignores dates in the future", () => {
      expect(coversAfter(dayOf(100), logLine("db", "pool", later(181)))).toEqual([ID]);
    });

    it("is used once more for a version that a merge brought back", () => {
      const lines = [PRINCIPLE, A, logLine("db", "pool", later(181))];
      const { snapshot, dropped } = prune(snapshotOf(...lines), dayOf(400));
      expect(dropped.map(({ line }) => line.raw)).toEqual([A]);
      expect(snapshot.shown(ID)).toBeUndefined();
    });

    it("leaves the covers of tombstones, and the count of sources", () => {
      const tombstone = JSON.stringify({
        id: "abcdef0123456789",
        type: "forgotten",
        meta: { created: at(HOUR), sources: { [ID]: at(HOUR) } },
      });
      const lines = [PRINCIPLE, tombstone, logLine("db", "pool", later(181))];
      const { snapshot } = prune(snapshotOf(...lines), dayOf(400));
      expect(snapshot.versions("abcdef0123456789")[0]?.raw).toBe(tombstone);
      const [principle] = snapshot.versions(JSON.parse(PRINCIPLE).id);
      expect(principle?.version.meta).toMatchObject({ source_count: 1, sources: {} });
    });
  });
});
