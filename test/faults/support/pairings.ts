/** What two clones may do at the same time, and what shows after their merge. */
import { expect, it } from "vitest";
import type { Clone, Origin } from "./git.ts";

export const GAPS = ["a", "b", "c", "d"];

interface Pairing {
  readonly name: string;
  readonly ours: (clone: Clone) => Promise<void>;
  readonly theirs: (clone: Clone) => Promise<void>;
  readonly shown: readonly string[];
  /** How many lessons have two versions of which neither knew the other; both stay. */
  readonly inTwo?: number;
}

const PAIRINGS: readonly Pairing[] = [
  {
    name: "both log",
    ours: (clone) => clone.log("ours 1", "ours 2"),
    theirs: (clone) => clone.log("theirs 1", "theirs 2"),
    shown: [...GAPS, "ours 1", "ours 2", "theirs 1", "theirs 2"],
  },
  {
    name: "both log the same",
    ours: (clone) => clone.log("e"),
    theirs: (clone) => clone.log("e"),
    shown: [...GAPS, "e"],
    inTwo: 1,
  },
  {
    name: "both update one lesson",
    ours: (clone) => clone.log("a"),
    theirs: (clone) => clone.log("a", "a"),
    shown: GAPS,
    inTwo: 1,
  },
  {
    name: "one compacts, the other logs",
    ours: (clone) => clone.compact("p", "a", "b"),
    theirs: (clone) => clone.log("e", "f"),
    shown: ["c", "d", "e", "f", "p"],
  },
  {
    name: "one compacts, the other updates a compacted record: the edit comes back",
    ours: (clone) => clone.compact("p", "a", "b"),
    theirs: (clone) => clone.log("a"),
    shown: ["a", "c", "d", "p"],
  },
  {
    name: "both compact the same lessons",
    ours: (clone) => clone.compact("p", "a", "b"),
    theirs: (clone) => clone.compact("q", "a", "b"),
    shown: ["c", "d", "p", "q"],
  },
  {
    name: "both compact, overlapping",
    ours: (clone) => clone.compact("p", "a", "b", "c"),
    theirs: (clone) => clone.compact("q", "b", "c", "d"),
    shown: ["p", "q"],
  },
  {
    name: "both compact into the same words",
    ours: (clone) => clone.compact("p", "a", "b"),
    theirs: (clone) => clone.compact("p", "b", "c"),
    shown: ["d", "p"],
    inTwo: 1,
  },
  {
    name: "one compacts twice, the other updates what the first compaction held",
    ours: async (clone) => {
      await clone.compact("p", "a", "b");
      await clone.compact("q", "p", "c");
    },
    theirs: (clone) => clone.log("b"),
    shown: ["b", "d", "q"],
  },
  {
    name: "one compacts and logs the gap again, the other updates it",
    ours: async (clone) => {
      await clone.compact("p", "a", "b");
      await clone.log("a");
    },
    theirs: (clone) => clone.log("a"),
    shown: ["a", "c", "d", "p"],
    inTwo: 1,
  },
  {
    name: "one forgets, the other logs",
    ours: (clone) => clone.forget("a"),
    theirs: (clone) => clone.log("e"),
    shown: ["b", "c", "d", "e"],
  },
  {
    name: "one forgets, the other updates: it stays in sight",
    ours: (clone) => clone.forget("a"),
    theirs: (clone) => clone.log("a"),
    shown: GAPS,
    inTwo: 1,
  },
  {
    name: "one forgets, the other compacts the same lesson",
    ours: (clone) => clone.forget("a"),
    theirs: (clone) => clone.compact("p", "a", "b"),
    shown: ["c", "d", "p"],
  },
];

/** A test for each pairing, on clones of an origin that begins with GAPS. @param from those whose names begin like this alone. */
export function testPairings(origin: Origin, from = ""): void {
  it.each(PAIRINGS.filter(({ name }) => name.startsWith(from)))(
    "$name",
    async ({ ours, theirs, shown, inTwo = 0 }) => {
      const [one, other] = (await origin.clones(["ours", "theirs"])) as [Clone, Clone];
      await ours(one);
      await theirs(other);
      one.commit();
      other.commit();

      const expected = [...shown].toSorted();
      const conflict = !one.merge(other);
      if (origin.driver === "union") {
        expect(conflict).toBe(false);
      }
      expect(await one.shown()).toEqual(expected);
      expect((await one.server.search()).code).toBeUndefined();

      await one.log("the next");
      await one.expectClean(inTwo);
      one.commit("merged");
      // And the other way round.
      expect(other.merge(one)).toBe(true);
      expect(await other.shown()).toEqual([...expected, "the next"].toSorted());
    },
  );
}
