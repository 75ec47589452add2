import { describe, expect, it } from "vitest";
import { at, logId, logLine, principleLine, snapshotOf } from "../../../test/support/lines.ts";
import type { Lesson } from "../format/lesson.ts";
import type { Snapshot } from "./fold.ts";

const A = logLine("auth", "which login");
const ID = logId("auth", "which login");

function lessons(snapshot: Snapshot): string[] {
  return snapshot.lessons().map(({ version }) => version.missing_context || version.lesson);
}

describe("the fold", () => {
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

  it("shows both texts of an id if neither writer had read the other, even of two gaps", () => {
    const written = [logLine("auth", "login x"), logLine("authl", "ogin x")].map((line) =>
      line.replace('"meta":{', '"meta":{"after":{},'),
    );
    const lessons = snapshotOf(...written).lessons();
    const both = lessons.flatMap((line) => [line, ...(line.also ?? [])]);
    const topics = both.map(({ version }) => (version as Lesson).topic);
    expect([lessons.length, topics.toSorted()]).toEqual([1, ["auth", "authl"]]);
  });
});
