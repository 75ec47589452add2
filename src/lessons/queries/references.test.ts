import { describe, expect, it } from "vitest";
import { logId, logLine, snapshotOf } from "../../../test/support/lines.ts";
import type { LessonLine } from "../merge/versions.ts";
import { findLesson, References, resolve } from "./references.ts";

const ID = logId("auth", "which login");
const snapshot = snapshotOf(logLine("auth", "which login"), logLine("db", "pool"));
const line = snapshot.shown(ID) as LessonLine;
const reference = new References(snapshot).full(line);

describe("a short reference", () => {
  it("has 8 digits, and all of them if another id begins like it", () => {
    const withId = (id: string, gap: string) =>
      logLine("auth", gap).replace(/"id":"[^"]*"/, `"id":"${id}"`);
    const ids = [
      "a1b2c3d4",
      "a1b2c3d4e5",
      "a1b2c3d4e5f6",
      "A1B2C3D4e5",
      "a1b2c3",
      "b",
      "a1b2c3d5e5",
    ];
    const memory = snapshotOf(...ids.map((id) => withId(id, `gap of ${id}`)));
    const references = new References(memory);
    const named = memory.lessons().map((each) => references.short(each));
    const alone = ["A1B2C3D4", "a1b2c3", "b", "a1b2c3d5"];
    expect(new Set(named)).toEqual(new Set([...ids.slice(0, 3), ...alone]));
  });
});

describe("a full reference", () => {
  it("is 8 digits of the id and 4 of the line", () =>
    expect(reference).toMatch(new RegExp(`^${ID.slice(0, 8)}@[0-9a-f]{4}$`)));

  it("finds its lesson, however it is cased or padded", () => {
    expect(resolve(snapshot, ` ${reference.toUpperCase()} `)).toEqual({ found: line });
  });
});

it("finds a lesson by its digest though a later id begins like it", () => {
  const withId = (id: string, gap: string) =>
    logLine("pay", gap).replace(/"id":"[^"]*"/, `"id":"${id}"`);
  const alone = snapshotOf(withId("payments-1", "one"));
  const first = alone.shown("payments-1") as LessonLine;
  const both = snapshotOf(withId("payments-1", "one"), withId("payments-2", "two"));
  const printed = new References(alone).full(first);
  expect(resolve(both, printed)).toEqual({ found: first });
  expect(findLesson(both, printed), "as replaces, edit and show read it").toEqual({ line: first });
  expect(resolve(both, "payments@0000")).toEqual({ missing: "ambiguous" });
});

describe("findLesson", () => {
  it("reads nothing else that has an @", () => {
    for (const end of ["@", "@0", "@zzzz", "@9f2e@1", "@9f2ex"]) {
      expect(findLesson(snapshot, `${ID}${end}`)).toEqual({ none: "no reference" });
    }
  });
});
