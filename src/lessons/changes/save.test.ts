import { describe, expect, it } from "vitest";
import { at, logId, logLine, principleLine, snapshotOf, tombstoneLine } from "../../../test/support/lines.ts";
import { SentinelError } from "../../core/errors.ts";
import { WorkingCopy } from "../merge/fold.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import { References } from "../queries/references.ts";
import type { Draft } from "./draft.ts";
import { saveLesson } from "./save.ts";

const NOW = Date.parse(at(12));
const GAP: Draft = { type: "log", topic: "auth", missing_context: "which login", lesson: "ask first" };
const PRINCIPLE: Draft = { type: "principle", topic: "auth", missing_context: "", lesson: "say which login" };
const ID = logId("auth", "which login");

function references(snapshot: Snapshot): string[] {
  return snapshot.lessons().map((line) => new References(snapshot).full(line));
}

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return error instanceof SentinelError ? error.code : String(error);
  }
  return undefined;
}

describe("saving a gap", () => {
  it("makes a new record with an id, a date and no count", () => {
    const saved = saveLesson(snapshotOf(), GAP, {}, NOW);
    expect(saved.line.version).toEqual({ ...GAP, id: ID, meta: { created: at(12) } });
    expect([saved.isNew, saved.times, saved.count]).toEqual([true, 1, 1]);
  });

  it("again keeps created, unknown fields and the question, and counts", () => {
    const line = logLine("auth", "which login", 9, { ask_next_time: "which?", mood: "calm" });
    const { version } = saveLesson(snapshotOf(line), { ...GAP, lesson: "ask twice" }, {}, NOW).line;
    expect(version).toMatchObject({ lesson: "ask twice", ask_next_time: "which?", mood: "calm" });
    expect(version.meta).toEqual({ created: at(9), updated: at(12), count: 2 });
  });

  it("is later than a version from a clock that is ahead", () => {
    const { line } = saveLesson(snapshotOf(logLine("auth", "which login", 20)), GAP, {}, NOW);
    expect(line.instant).toBe(Date.parse(at(20)) + 1);
  });

  it("that was compacted starts anew and names the principle", () => {
    const snapshot = snapshotOf(principleLine("auth", "p", { [ID]: at(20) }));
    const saved = saveLesson(snapshot, GAP, {}, NOW);
    expect(saved.coveredBy?.version.type).toBe("principle");
    expect([saved.isNew, saved.line.instant]).toEqual([true, Date.parse(at(20)) + 1]);
    expect(snapshot.shown(ID)).toHaveLength(1);
  });

  it("that was forgotten brings it back", () => {
    const snapshot = snapshotOf(tombstoneLine(ID, 20));
    expect(saveLesson(snapshot, GAP, {}, NOW).coveredBy?.version.type).toBe("forgotten");
    expect(snapshot.shown(ID)).toHaveLength(1);
  });

  it("whose id another text holds is refused, and nothing is touched", () => {
    const snapshot = snapshotOf(logLine("authl", "ogin x"));
    const act = () => saveLesson(snapshot, { ...GAP, missing_context: "login x" }, {}, NOW);
    expect(codeOf(act)).toBe("id_taken");
    expect(snapshot.lines()).toHaveLength(1);
  });
});

describe("saving a principle", () => {
  it("retires its sources in the same change", () => {
    const snapshot = snapshotOf(logLine("auth", "which login"), logLine("auth", "which token", 15));
    const saved = saveLesson(snapshot, PRINCIPLE, { sources: references(snapshot) }, NOW);
    expect([saved.retired.length, snapshot.count]).toEqual([2, 1]);
    const { meta } = saved.line.version;
    expect(meta).toMatchObject({ source_count: 2, sources: { [ID]: at(9) } });
    expect(saved.line.instant).toBe(Date.parse(at(15)) + 1);
  });

  it("leaves a source that changed since, and says so", () => {
    const before = snapshotOf(logLine("auth", "which login"), logLine("auth", "which token"));
    const printed = references(before);
    const snapshot = snapshotOf(logLine("auth", "which login", 11), logLine("auth", "which token"));
    const saved = saveLesson(snapshot, PRINCIPLE, { sources: printed }, NOW);
    expect(saved.skipped.map(({ because }) => because)).toEqual(["changed"]);
    expect(snapshot.shown(ID)).toHaveLength(1);
  });

  it("retires both of two records that share an id, or neither", () => {
    const snapshot = () =>
      snapshotOf(logLine("auth", "login x", 9), logLine("authl", "ogin x", 11), logLine("db", "pool"));
    const [one, other, pool] = references(snapshot()) as [string, string, string];
    const both = snapshot();
    for (const order of [
      [one, other],
      [other, one],
    ]) {
      const copy = WorkingCopy.from(both);
      saveLesson(copy, PRINCIPLE, { sources: order }, NOW);
      expect(copy.shown(logId("auth", "login x"))).toEqual([]);
    }
    const neither = snapshot();
    expect(saveLesson(neither, PRINCIPLE, { sources: [one, pool] }, NOW).skipped).toMatchObject([
      { because: "ambiguous" },
    ]);
    expect(neither.shown(logId("auth", "login x"))).toHaveLength(2);
  });

  it("is refused when no source can be retired", () => {
    const snapshot = snapshotOf(logLine("auth", "which login"));
    expect(codeOf(() => saveLesson(snapshot, PRINCIPLE, { sources: ["a1b2c3d4@9f2e"] }, NOW))).toBe("no_usable_source");
    expect(codeOf(() => saveLesson(snapshot, PRINCIPLE, { sources: [] }, NOW))).toBe("no_usable_source");
    expect(codeOf(() => saveLesson(snapshot, PRINCIPLE, { sources: [ID] }, NOW))).toBe("bad_reference");
    expect(snapshot.count).toBe(1);
  });
});
