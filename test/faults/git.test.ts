/** Two people, two clones, one memory: after every merge it is what both sides together know. Each row of support/pairings.ts is what two clones do at once. */
import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type Clone, useOrigin } from "./support/git.ts";
import { GAPS, testPairings } from "./support/pairings.ts";

const HOUR = 3_600_000;
const origin = useOrigin({ gaps: GAPS });

describe("merged with union, as the server sets it up", () => testPairings(origin));

describe("git's other ways of moving changes", () => {
  it("cherry-pick: a record arrives alone, and merging later does not double it", async () => {
    const [one, other] = (await origin.clones(["ours", "theirs"])) as [Clone, Clone];
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
    const [one, other] = (await origin.clones(["ours", "theirs"])) as [Clone, Clone];
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

  it("revert of a compaction: the lessons are back", async () => {
    const [one] = (await origin.clones(["ours"])) as [Clone];
    await one.compact("p", "a", "b");
    one.commit();
    one.git("revert", "--no-edit", "HEAD");
    expect(await one.shown()).toEqual(GAPS);
    await one.log("a");
    expect(await one.shown()).toEqual(GAPS);
  });

  it("stash: what was put aside joins what was logged meanwhile", async () => {
    const [one] = (await origin.clones(["ours"])) as [Clone];
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
  it.each([-5, 5])(
    "a clock that is %i hours off hides nothing that is written later",
    async (hours) => {
      const conditions = [{ clock: hours * HOUR }, {}];
      const [off, right] = (await origin.clones(["off", "right"], conditions)) as [Clone, Clone];
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
    },
  );
});

it("a clone without the server's files gets them with its first record", async () => {
  const [one] = (await origin.clones(["ours"])) as [Clone];
  await rm(one.project.context, { recursive: true });
  // As long as git has lessons there, a save is refused.
  one.git("rm", "-r", "--quiet", "--cached", ".context");
  await one.log("anew");
  expect(one.git("check-attr", "merge", ".context/memory_log.jsonl")).toContain("union");
});
