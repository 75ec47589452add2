import { describe, expect, it } from "vitest";
import { at, log } from "../../../test/support/lines.ts";
import { toLine } from "../format/file-lines.ts";
import type { Lesson, Version } from "../format/lesson.ts";
import { eventsOfTopic, type KnownVersion, lifeEvents } from "./known-versions.ts";

const GIT = { hash: "abc1234", author: "Ann" };

/** A log with these times, in hours of the day. */
function version(
  created: number,
  updated?: number,
  more: Partial<Lesson> = {},
  count?: number,
): Lesson {
  const meta = {
    created: at(created),
    ...(updated && { updated: at(updated) }),
    ...(count && { count }),
  };
  return { ...log(more), meta };
}

const known = (...versions: Version[]): KnownVersion[] =>
  versions.map((one) => ({ ...toLine(one), origin: GIT }));

/** The hour and kind of each event. */
function told(...versions: Version[]): string[] {
  return lifeEvents(known(...versions), []).map(
    ({ instant, kind }) => `${new Date(instant).getUTCHours()} ${kind}`,
  );
}

/** A version whose writer held those of these hours alone. */
function knowing(lesson: Lesson, hours: readonly number[]): Lesson {
  const own = lesson.meta.updated ?? lesson.meta.created;
  return { ...lesson, meta: { ...lesson.meta, after: { at: own, seen: hours.map(at) } } };
}

const { id } = version(1);
const tombstone = (hour: number, reason = ""): Version => ({
  id,
  type: "forgotten",
  meta: { created: at(hour), reason },
});
const principle = (hour: number, upTo: number): Lesson => {
  const sources = { [id]: at(upTo) };
  return {
    ...version(hour),
    id: "p",
    type: "principle",
    missing_context: "",
    meta: { created: at(hour), sources },
  };
};

describe("what happened to a lesson", () => {
  it.each<[string, Version[], string[]]>([
    ["a lesson that was logged once", [version(1)], ["1 learnt"]],
    [
      "versions in any order, one of them twice",
      [version(1, 3, {}, 2), version(1), version(1)],
      ["1 learnt", "3 met again"],
    ],
    [
      "a text that was changed without being met",
      [version(1), version(1, 2, { lesson: "x" })],
      ["1 learnt", "2 edited"],
    ],
    ["a later version that says the same", [version(1), version(1, 2)], ["1 learnt"]],
    [
      "an update whose first version nobody knows",
      [version(1, 5, {}, 2)],
      ["1 learnt", "5 met again"],
    ],
    [
      "one that was forgotten and restored",
      [version(1), tombstone(2), version(1, 3)],
      ["1 learnt", "2 forgotten", "3 restored"],
    ],
    [
      "one that was forgotten and met again",
      [version(1), tombstone(2), version(1, 3, {}, 2)],
      ["1 learnt", "2 forgotten", "3 met again"],
    ],
    [
      "one that two branches logged, neither with the other's",
      [knowing(version(1), []), knowing(version(3, 3, { lesson: "Ask Kim" }), [])],
      ["1 learnt", "3 learnt"],
    ],
    [
      "one that was met again on one branch and corrected on another",
      [
        version(1),
        knowing(version(1, 3, {}, 2), [1]),
        knowing(version(1, 5, { lesson: "Ask Kim" }), [1]),
      ],
      ["1 learnt", "3 met again", "5 edited"],
    ],
    [
      "one that was edited while another branch put something in its place",
      [
        version(1),
        { ...principle(2, 1), type: "log" as const },
        version(1, 3, { lesson: "Ask Kim" }),
      ],
      ["1 learnt", "2 replaced", "3 edited"],
    ],
    [
      "one that was compacted and restored",
      [version(1), principle(2, 1), version(1, 3)],
      ["1 learnt", "2 compacted", "3 restored"],
    ],
    [
      "one that was updated before it was compacted",
      [version(1), version(1, 2, {}, 2), principle(3, 2)],
      ["1 learnt", "2 met again", "3 compacted"],
    ],
    [
      "a correction",
      [version(1), { ...version(2), id: "c", meta: { created: at(2), sources: { [id]: at(1) } } }],
      ["1 learnt", "2 replaced"],
    ],
  ])("%s", (_, versions, events) => {
    expect(told(...versions)).toEqual(events);
  });

  it("hides the text of what was purged up to then, and no later one", () => {
    const events = lifeEvents(known(version(1), tombstone(2, "purged"), version(1, 3)), []);
    expect(events.map(({ kind, lesson }) => [kind, lesson !== undefined])).toEqual([
      ["learnt", false],
      ["purged", false],
      ["restored", true],
    ]);
  });

  it("finds the events of a topic however it is spelt, those without a text too", () => {
    const other = version(1, undefined, { topic: "Cache Layer", missing_context: "x" });
    const events = lifeEvents(known(version(1), other, { ...tombstone(2), id: other.id }), []);
    expect(eventsOfTopic(events, "cache-layer").map(({ kind }) => kind)).toEqual([
      "learnt",
      "forgotten",
    ]);
  });
});
