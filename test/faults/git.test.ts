/** Two people, two clones, one memory: after every merge it is what both sides together know. */
import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { inForm } from "../support/form.ts";
import { type Clone, clonesOf, type Repository } from "./support/git.ts";

const HOUR = 3_600_000;
const GAPS = ["a", "b", "c", "d"];

interface Pairing {
  readonly name: string;
  readonly ours: (clone: Clone) => Promise<void>;
  readonly theirs: (clone: Clone) => Promise<void>;
  readonly shown: readonly string[];
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
  },
  {
    name: "both update one record",
    ours: (clone) => clone.log("a"),
    theirs: (clone) => clone.log("a", "a"),
    shown: GAPS,
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
    name: "both compact the same records",
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
  },
  {
    name: "one forgets, the other logs",
    ours: (clone) => clone.forget("a"),
    theirs: (clone) => clone.log("e"),
    shown: ["b", "c", "d", "e"],
  },
  {
    name: "one forgets, the other updates: the later of the two counts",
    ours: (clone) => clone.forget("a"),
    theirs: (clone) => clone.log("a"),
    shown: GAPS,
  },
  {
    name: "one forgets, the other compacts the same record",
    ours: (clone) => clone.forget("a"),
    theirs: (clone) => clone.compact("p", "a", "b"),
    shown: ["c", "d", "p"],
  },
];

const REPOSITORIES: readonly [string, Repository][] = [
  ["union", { gaps: GAPS }],
  ["git's default driver", { gaps: GAPS, driver: "default" }],
  ["union, CRLF checkout", { gaps: GAPS, crlf: true }],
  ["git's default driver, CRLF checkout", { gaps: GAPS, driver: "default", crlf: true }],
];

describe.each(REPOSITORIES.slice(0, inForm(3, 4)))("merged with %s", (_, repository) => {
  it.each(PAIRINGS)("$name", async ({ ours, theirs, shown }) => {
    const [one, other] = (await clonesOf(repository, ["ours", "theirs"])) as [Clone, Clone];
    await ours(one);
    await theirs(other);
    one.commit();
    other.commit();

    const expected = [...shown].toSorted();
    const conflict = !one.merge(other);
    if (repository.driver !== "default") expect(conflict).toBe(false);
    expect(await one.shown()).toEqual(expected);
    expect((await one.server.search()).code).toBeUndefined();

    await one.log("the next");
    await one.expectClean();
    one.commit("merged");
    // And the other way round.
    expect(other.merge(one)).toBe(true);
    expect(await other.shown()).toEqual([...expected, "the next"].toSorted());
  });
});

describe("git's other ways of moving changes", () => {
  it("cherry-pick: a record arrives alone, and merging later does not double it", async () => {
    const [one, other] = (await clonesOf({ gaps: GAPS }, ["ours", "theirs"])) as [Clone, Clone];
    await other.log("e");
    other.commit();
    await other.log("f");
    other.commit();
    await one.log("ours");
    one.commit();
    one.fetch(other);
    one.git("cherry-pick", "FETCH_HEAD");
    expect(await one.shown()).toEqual(expect.arrayContaining(["f", "ours"]));
    expect(one.merge(other)).toBe(true);
    expect(await one.shown()).toEqual([...GAPS, "e", "f", "ours"].toSorted());
  });

  it("rebase: a compaction moves onto new records, which stay in view", async () => {
    const [one, other] = (await clonesOf({ gaps: GAPS }, ["ours", "theirs"])) as [Clone, Clone];
    await other.log("a", "e");
    other.commit();
    await one.compact("p", "a", "b");
    one.commit();
    await one.log("ours");
    one.commit();
    one.fetch(other);
    one.git("rebase", "-q", "FETCH_HEAD");
    expect(await one.shown()).toEqual(["a", "c", "d", "e", "ours", "p"]);
    await one.log("the next");
    await one.expectClean();
  });

  it("revert of a compaction: the records are back", async () => {
    const [one] = (await clonesOf({ gaps: GAPS }, ["ours"])) as [Clone];
    await one.compact("p", "a", "b");
    one.commit();
    one.git("revert", "--no-edit", "HEAD");
    expect(await one.shown()).toEqual(GAPS);
    await one.log("a");
    expect(await one.shown()).toEqual(GAPS);
  });

  it("stash: what was put aside joins what was logged meanwhile", async () => {
    const [one] = (await clonesOf({ gaps: GAPS }, ["ours"])) as [Clone];
    await one.log("put aside");
    one.git("stash", "-q");
    expect(await one.shown()).toEqual(GAPS);
    await one.log("meanwhile");
    one.commit();
    one.git("stash", "pop", "-q");
    expect(await one.shown()).toEqual([...GAPS, "meanwhile", "put aside"]);
  });
});

describe("clocks that differ by hours", () => {
  it.each([-5, 5])("a clock that is %i hours off hides nothing that is written later", async (hours) => {
    const conditions = [{ clock: hours * HOUR }, {}];
    const [off, right] = (await clonesOf({ gaps: GAPS }, ["off", "right"], conditions)) as [Clone, Clone];
    await off.log("a");
    off.commit();
    right.merge(off);
    await right.server.mustLog("a", { lesson: "The later lesson." });
    right.commit();
    off.merge(right);
    await off.compact("p", "a");
    off.commit();
    right.merge(off);
    expect(await right.shown()).toEqual(["b", "c", "d", "p"]);
    await right.log("a");
    expect(await right.shown()).toEqual(["a", "b", "c", "d", "p"]);
  });
});

it("a clone without the server's files gets them with its first record", async () => {
  const [one] = (await clonesOf({ gaps: GAPS }, ["ours"])) as [Clone];
  await rm(one.project.context, { recursive: true });
  await one.log("anew");
  expect(one.git("check-attr", "merge", ".context/memory_log.jsonl")).toContain("union");
});
