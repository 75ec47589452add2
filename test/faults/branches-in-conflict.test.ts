/** Two branches say different things of one gap, or one forgets what the other met: both stay in sight until somebody settles it. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { References } from "../../src/lessons/queries/references.ts";
import { type Clone, useOrigin } from "./support/git.ts";
import { BUNDLE } from "./support/server.ts";

const origin = useOrigin({ gaps: ["the timeout"] });
const OURS = { lesson: "The timeout is 30 s." };
const THEIRS = { lesson: "The timeout is 45 s." };

async function merged(): Promise<[Clone, Clone]> {
  const [one, other] = (await origin.clones(["ours", "theirs"])) as [Clone, Clone];
  await one.server.mustLog("the timeout", OURS);
  await other.server.mustLog("the timeout", THEIRS);
  one.commit("ours");
  other.commit();
  expect(one.merge(other)).toBe(true);
  return [one, other];
}

it("a search, diff and check say both after a merge, another save, a second merge and a cherry-pick", async () => {
  const [one, other] = await merged();
  const inSight = async (clone: Clone) => {
    const { text } = await clone.server.search("timeout");
    expect(text).toContain("lesson: The timeout is 45 s.");
    expect(text).toMatch(/also said, on \d{4}-\d\d-\d\d: The timeout is 30 s\./);
  };
  await inSight(one);
  expect(run(one, "diff", "HEAD~1").out).toMatch(/also said, on .*: The timeout is 30 s\./);
  expect(run(one, "show", idOf(await one.snapshot())).out).toContain("The timeout is 30 s.");
  const check = run(one, "check");
  expect([check.status, check.out]).toEqual([0, expect.stringContaining("warning in_conflict:")]);
  expect(run(one, "check", "--strict").status).toBe(1);

  await one.log("something else");
  one.commit("pruned");
  await inSight(one);
  await other.log("of theirs");
  other.commit("later");
  expect(one.merge(other)).toBe(true);
  await inSight(one);
  const [third] = (await origin.clones(["third"])) as [Clone];
  await third.log("of a third");
  third.commit();
  third.fetch(other);
  third.git("cherry-pick", "FETCH_HEAD~1");
  third.fetch(one);
  third.git("cherry-pick", one.git("rev-parse", ":/^ours").trim());
  await inSight(third);
});

it("a log of the gap settles it and says so, also for branches that have only the old texts", async () => {
  const [one, other] = await merged();
  const { text: answer } = await one.server.log("the timeout", { lesson: "The timeout is 60 s." });
  expect(answer).toMatch(/This settles a conflict: also said, on .*: The timeout is 30 s\./);
  one.commit("settled");
  expect(one.merge(other)).toBe(true);
  expect(other.merge(one)).toBe(true);
  for (const clone of [one, other]) {
    const { text } = await clone.server.search("timeout");
    expect([text.includes("60 s"), text.includes("also said")]).toEqual([true, false]);
    expect(run(clone, "check", "--strict").status).toBe(0);
  }
});

it("a compaction that keeps only one of the two texts lists the other", async () => {
  const [one] = await merged();
  const snapshot = await one.snapshot();
  const source_ids = snapshot.lessons().map((line) => new References(snapshot).full(line));
  await one.log("another");
  expect((await one.server.call("compact_memory", { target_topic: "faults" })).text).toMatch(
    /also said, on .*: The timeout is 30 s\./,
  );
  const lesson = "The timeout is 45 s.";
  const call = { type: "principle", topic: "faults", lesson, source_ids };
  expect((await one.server.call("log_memory", call)).text).toContain("It leaves out: 30\n");
});

it("undoing a compaction brings back the text that showed, not the other", async () => {
  const [one, other] = (await origin.clones(["ours", "theirs"])) as [Clone, Clone];
  await one.server.mustLog("the timeout", OURS);
  await other.server.mustLog("the timeout", { lesson: "It is 45 s now." });
  one.commit("ours");
  other.commit();
  expect(one.merge(other)).toBe(true);
  const snapshot = await one.snapshot();
  const source_ids = snapshot.lessons().map((line) => new References(snapshot).full(line));
  const lesson = "The timeout is 45 s now; where it was measured, 30 s.";
  const saved = await one.server.call("log_memory", {
    type: "principle",
    topic: "faults",
    lesson,
    source_ids,
  });
  expect(saved.code).toBeUndefined();
  expect(run(one, "restore", idOf(await one.snapshot()), "--yes").status).toBe(0);
  expect((await one.server.search("timeout")).text).toContain("lesson: It is 45 s now.");
});

it("what one branch forgot and the other met is in sight, with the reason, until it is forgotten again", async () => {
  const [one, other] = (await origin.clones(["ours", "theirs"])) as [Clone, Clone];
  await one.server.mustLog("the timeout", OURS);
  one.commit();
  const id = idOf(await other.snapshot());
  expect(run(other, "forget", "--yes", "--reason", "gone since October", id).status).toBe(0);
  other.commit();
  expect(one.merge(other)).toBe(true);
  const { text } = await one.server.search("timeout");
  expect(text).toMatch(
    /lesson: The timeout is 30 s\.\nalso forgotten, on .* \(gone since October\)/,
  );
  expect(run(one, "check", "--strict").status).toBe(1);
  expect(run(one, "forget", "--yes", id).status).toBe(0);
  expect((await one.server.search("timeout")).text).not.toContain("30 s");
  one.commit();
  expect(one.merge(other)).toBe(true);
  expect(await one.shown()).toEqual([]);
});

it("a purge hides what another branch said before it, too", async () => {
  const [one, other] = (await origin.clones(["ours", "theirs"])) as [Clone, Clone];
  await one.server.mustLog("the timeout", OURS);
  one.commit();
  expect(run(other, "purge", "--yes", idOf(await other.snapshot())).status).toBe(0);
  other.commit();
  expect(one.merge(other)).toBe(true);
  expect((await one.server.search("timeout")).text).not.toContain("30 s");
});

const idOf = (snapshot: Awaited<ReturnType<Clone["snapshot"]>>): string =>
  snapshot.lessons()[0]?.version.id ?? "";

function run(clone: Clone, ...args: readonly string[]): { status: number | null; out: string } {
  const cli = [join(BUNDLE, "cli.mjs"), "--project", clone.project.folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...cli, ...args], {
    encoding: "utf8",
  });
  return { status, out: stdout + stderr };
}
