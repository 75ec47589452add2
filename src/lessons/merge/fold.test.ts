import { describe, expect, it } from "vitest";
import {
  at,
  logId,
  logLine,
  principleLine,
  snapshotOf,
  tombstoneLine,
} from "../../../test/support/lines.ts";
import type { Lesson } from "../format/lesson.ts";
import { type Snapshot, WorkingCopy } from "./fold.ts";

const A = logLine("auth", "which login");
const ID = logId("auth", "which login");

function lessons(snapshot: Snapshot): string[] {
  return snapshot.lessons().map(({ version }) => version.missing_context || version.lesson);
}

describe("the fold", () => {
  it("hides what a principle covers, and shows it again after a later edit", () => {
    const principle = principleLine("auth", "say which login", { [ID]: at(9) });
    expect(lessons(snapshotOf(A, principle))).toEqual(["say which login"]);
    const edited = logLine("auth", "which login", 11);
    expect(lessons(snapshotOf(A, principle, edited)).toSorted()).toEqual([
      "say which login",
      "which login",
    ]);
  });

  it("keeps a lesson covered when the principle itself is covered", () => {
    const first = principleLine("auth", "first", { [ID]: at(9) }, 10);
    const second = principleLine("auth", "second", { [JSON.parse(first).id]: at(10) }, 11);
    expect(lessons(snapshotOf(A, first, second))).toEqual(["second"]);
  });

  it("names what covers a lesson that does not show", () => {
    expect(snapshotOf(A).coveredBy(ID)).toBeUndefined();
    const covered = snapshotOf(A, principleLine("auth", "p", { [ID]: at(9) }));
    expect(covered.coveredBy(ID)?.version.type).toBe("principle");
  });

  it("brings a forgotten gap back when it is logged again", () => {
    expect(lessons(snapshotOf(A, tombstoneLine(ID, 10)))).toEqual([]);
    expect(lessons(snapshotOf(tombstoneLine(ID, 10), logLine("auth", "which login", 11)))).toEqual([
      "which login",
    ]);
  });

  it("shows both texts of an id if neither writer had read the other, even of two gaps", () => {
    const written = [logLine("auth", "login x"), logLine("authl", "ogin x")].map((line) =>
      line.replace('"meta":{', '"meta":{"after":{},'),
    );
    const lessons = snapshotOf(...written).lessons();
    const both = lessons.flatMap((line) => [line, ...(line.also ?? [])]);
    const topics = both.map(({ version }) => (version as Lesson).topic);
    expect([lessons.length, topics.toSorted()]).toEqual([1, ["auth", "authl"]]);
  });

  it("leaves the original alone when a working copy changes", () => {
    const original = snapshotOf(A);
    const copy = new WorkingCopy(original.lines());
    copy.add({ id: ID, type: "forgotten", meta: { created: at(12) } });
    expect([original.count, copy.count]).toEqual([1, 0]);
    expect(original.versions(ID)).toHaveLength(1);
  });
});
