import { describe, expect, it } from "vitest";
import { at, logId, logLine, snapshotOf } from "../../../test/support/lines.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { timesMet } from "../format/lesson.ts";
import { prune } from "../merge/prune.ts";
import type { Snapshot } from "../merge/versions.ts";
import { References } from "../queries/references.ts";
import type { Draft } from "./draft.ts";
import { saveLesson } from "./save.ts";

const NOW = Date.parse(at(12));
const GAP: Draft = {
  type: "log",
  topic: "auth",
  missing_context: "which login",
  lesson: "ask first",
};
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
  it("makes a new lesson with an id, a date and no count", () => {
    const saved = saveLesson(snapshotOf(), GAP, {}, NOW);
    expect(saved.line.version).toEqual({ ...GAP, id: ID, meta: { created: at(12), after: {} } });
    expect([saved.isNew, timesMet(saved.line.version)]).toEqual([true, 1]);
  });

  it("again keeps created, unknown fields and the question, and counts", () => {
    const line = logLine("auth", "which login", 9, { ask_next_time: "which?", mood: "calm" });
    const { version } = saveLesson(snapshotOf(line), { ...GAP, lesson: "ask twice" }, {}, NOW).line;
    expect(version).toMatchObject({ lesson: "ask twice", ask_next_time: "which?", mood: "calm" });
    expect(version.meta).toEqual({
      created: at(9),
      updated: at(12),
      count: 2,
      after: { at: at(12), until: at(9) },
    });
  });

  it("again keeps that it blocks calls, unless that is taken away", () => {
    const when = { commands: ["npm publish"] };
    const blocks = snapshotOf(logLine("auth", "which login", 9, { when: { ...when, hold: true } }));
    const draft = { ...GAP, when: { commands: ["npm publish *"] } };
    const whenOf = (options: object) => saveLesson(blocks, draft, options, NOW).line.version.when;
    expect(whenOf({})).toEqual({ ...draft.when, hold: true });
    expect(whenOf({ cleared: ["hold"] })).toEqual(draft.when);
  });

  it("whose id another lesson shares settles nothing, and keeps that lesson", () => {
    const snapshot = snapshotOf(logLine("authl", "ogin x"), logLine("auth", "login x", 10));
    const draft = { ...GAP, missing_context: "login x" };
    expect(saveLesson(snapshot, draft, {}, NOW).settled).toEqual([]);
    const [line, ...others] = prune(snapshot, NOW).snapshot.lessons();
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      version: { topic: "auth", meta: { count: 2 } },
      also: [{ version: { topic: "authl" } }],
    });
    const moved = { ...GAP, missing_context: "login y" };
    const act = () => saveLesson(snapshot, moved, { replaces: references(snapshot) }, NOW);
    expect(act).toThrow(
      expect.objectContaining({ code: "id_taken", fix: expect.stringContaining("forget the id") }),
    );
  });
});

it("a lesson in the place of one that blocks calls blocks none, because nobody marked its text", () => {
  const when = { commands: ["npm publish"], hold: true };
  const blocks = () => snapshotOf(logLine("auth", "which login", 9, { when }));
  const moved = { ...GAP, missing_context: "which token" };
  const principle: Draft = { ...GAP, type: "principle", missing_context: "", lesson: "say login" };
  for (const [draft, option] of [
    [moved, "replaces"],
    [principle, "sources"],
  ] as const) {
    const snapshot = blocks();
    const { line } = saveLesson(snapshot, draft, { [option]: references(snapshot) }, NOW);
    expect(line.version.when).toEqual({ commands: ["npm publish"] });
  }
});

it("a principle is later than its sources, and retires them in the same change", () => {
  const snapshot = snapshotOf(logLine("auth", "which login"), logLine("auth", "which token", 15));
  const texts = { missing_context: "", lesson: "say which login, token and pool" };
  const principle: Draft = { type: "principle", topic: "auth", ...texts };
  const saved = saveLesson(snapshot, principle, { sources: references(snapshot) }, NOW);
  expect([saved.retired.length, snapshot.count]).toEqual([2, 1]);
  expect(saved.line.instant).toBe(Date.parse(at(15)) + 1);
});

describe("saving a gap that is written differently", () => {
  it.each([
    ["Auth", "which login"],
    ["auth", "Which  LOGIN."],
    ["auth", "which login\u3002"],
    ["\uff41uth", "which\nlogin!"],
  ])("updates the lesson: %s, %s", (topic, missing_context) => {
    const snapshot = snapshotOf(logLine("auth", "which login"));
    const { line, isNew } = saveLesson(snapshot, { ...GAP, topic, missing_context }, {}, NOW);
    expect([isNew, line.version.id, line.version.topic]).toEqual([false, ID, "auth"]);
    expect(line.version.missing_context).toBe("which login");
  });

  it("updates the earliest of several, and spells the topic as most lessons do", () => {
    const later = logLine("auth", "Which login?", 10);
    const snapshot = snapshotOf(
      logLine("auth", "which login", 9),
      later,
      logLine("Auth", "a"),
      logLine("Auth", "b"),
      logLine("Auth", "c"),
    );
    expect(
      saveLesson(snapshot, { ...GAP, missing_context: "Which login?" }, {}, NOW).line.version.id,
    ).toBe(ID);
    expect(
      saveLesson(snapshot, { ...GAP, missing_context: "new" }, {}, NOW).line.version.topic,
    ).toBe("Auth");
  });

  it("takes a word more or a sign inside for another gap", () => {
    for (const missing_context of ["which login now", "which log-in", "which login()"]) {
      const saved = saveLesson(
        snapshotOf(logLine("auth", "which login")),
        { ...GAP, missing_context },
        {},
        NOW,
      );
      expect(saved.isNew).toBe(true);
    }
  });

  it("changes nothing when it comes again within ten minutes, and counts after that", () => {
    const minute = 60_000;
    const snapshot = snapshotOf(logLine("auth", "which login", 9));
    const saved = (after: number) =>
      saveLesson(snapshot, GAP, {}, Date.parse(at(9)) + after * minute);
    expect([saved(10).isRepeated, snapshot.lines().length]).toEqual([true, 1]);
    expect([saved(11).isRepeated, timesMet(saved(12).line.version)]).toEqual([false, 2]);
    const cleared = { cleared: ["ask_next_time" as const] };
    expect(saveLesson(snapshot, GAP, cleared, Date.parse(at(9)) + 13 * minute).isRepeated).toBe(
      true,
    );
  });
});

describe("replacing", () => {
  const FIXED: Draft = { ...GAP, missing_context: "right" };

  it("with more of when than one lesson may have is refused, unless it is said or taken away", () => {
    const lines = ["a", "b"].map((name) => {
      const words = Array.from({ length: 5 }, (_, index) => `${name}${index}`);
      return logLine("auth", name, 9, { when: { words } });
    });
    const save = (draft: Draft, more: object) => {
      const snapshot = snapshotOf(...lines);
      return saveLesson(snapshot, draft, { replaces: references(snapshot), ...more }, NOW).line
        .version.when;
    };
    expect(codeOf(() => save(FIXED, {}))).toBe("over_limit");
    expect(save(FIXED, { cleared: ["when"] })).toBeUndefined();
    expect(save({ ...FIXED, when: { words: ["c"] } }, {})).toEqual({ words: ["c"] });
  });
});
