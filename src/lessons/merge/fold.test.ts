import { describe, expect, it } from "vitest";
import { at, logId, logLine, principleLine, snapshotOf } from "../../../test/support/lines.ts";
import type { Lesson } from "../format/lesson.ts";
import type { Snapshot } from "./fold.ts";
import { prune } from "./prune.ts";

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

  it("shows both lessons of an id that two gaps share, and no prune drops one", () => {
    const [first, second] = [logLine("auth", "login x", 9), logLine("authl", "ogin x", 10)];
    const read = (line: string, after: object) =>
      line.replace('"meta":{', `"meta":{"after":${JSON.stringify(after)},`);
    const metAgain = read(logLine("auth", "login x", 11), { seen: [at(9), at(10)] });
    const files = [
      [first, second],
      [first, logLine("authl", "ogin x", 9)],
      [read(first, {}), read(second, {})],
      [first, second, metAgain],
      [read(second, {}), metAgain],
    ];
    for (const lines of files) {
      const { snapshot } = prune(snapshotOf(...lines), Date.parse(at(12)));
      for (const read of [snapshotOf(...lines), snapshot]) {
        expect(read.count).toBe(1);
        expect(topicsOf(read)).toEqual(["auth", "authl"]);
      }
    }
  });

  it("takes a text that was edited under its old id for the same lesson", () => {
    const edited = logLine("auth", "which login", 11).replace("which login", "which sign-in");
    expect(
      snapshotOf(A, edited)
        .lessons()
        .map(({ also }) => also),
    ).toEqual([undefined]);
  });
});

function topicsOf(snapshot: Snapshot): string[] {
  const both = snapshot.lessons().flatMap((line) => [line, ...(line.also ?? [])]);
  return both.map(({ version }) => (version as Lesson).topic).toSorted();
}
