/** An earlier release and this version as servers on one memory at the same time, as on a team in the middle of an update. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { References } from "../../src/lessons/queries/references.ts";
import { gapsIn, gapsOf, leftoversIn, readMemory } from "../faults/support/memory.ts";
import { FaultServer } from "../faults/support/server.ts";
import { testProject } from "../support/in-test.ts";
import { logLine } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { holdsFor, until } from "../support/wait.ts";
import { VERSIONS } from "./archive.ts";
import { CURRENT, Release } from "./release.ts";

const CALLS = 25;

describe.each(VERSIONS)("%s and this version on one memory", (version) => {
  const release = new Release(version);
  /** Which writes first, which second. */
  const both = [
    [version, release.bundle, CURRENT],
    ["this version", CURRENT, release.bundle],
  ] as const;

  it("log by turns, and each reads what the other wrote", async () => {
    const project = await testProject();
    const [older, newer] = await startBoth(project);
    for (let turn = 0; turn < 10; turn++) {
      const [writer, reader] = turn % 2 ? [older, newer] : [newer, older];
      await writer.mustLog(`gap ${turn}`);
      expect((await reader.search(`gap ${turn}`)).text).toContain(`Ask about gap ${turn}.`);
    }
    expect((await gapsIn(project)).length).toBe(10);
  });

  it("keep every lesson and count every update that 2 and 2 processes log at once", async () => {
    const project = await testProject();
    const servers = (await Promise.all([startBoth(project), startBoth(project)])).flat();
    const logged = servers.map(async (server, index) => {
      const gaps = await logMany(server, `${index}`);
      // An identical call within ten minutes is one call to this version.
      for (let turn = 0; turn < CALLS; turn++) {
        await server.mustLog("the same gap", { lesson: `${index} ${turn}` });
      }
      return gaps;
    });
    const gaps = (await Promise.all(logged)).flat();
    expect(await gapsIn(project)).toEqual([...gaps, "the same gap"].sort());
    const lessons = (await readMemory(project)).lessons().map((line) => line.version);
    const updated = lessons.find((lesson) => lesson.missing_context === "the same gap");
    expect(updated?.meta.count).toBe(4 * CALLS);
    expect(await leftoversIn(project)).toEqual([]);
  });

  it.each(both)("stay whole while %s compacts and the other logs", async (_, compactor, logger) => {
    const old = Array.from({ length: 10 }, (_, index) => `old ${index}`);
    const project = await testProject({ lines: old.map((gap) => logLine("faults", gap)).sort() });
    const [compacting, logging] = await Promise.all([
      start(project, compactor),
      start(project, logger),
    ]);
    const references = await referencesIn(project);
    // In its second half the other has logged already, and may not have seen the compaction.
    const [gaps] = await Promise.all([
      logMany(logging, "new"),
      compacting
        .compact("first half", references.slice(0, 5))
        .then(() => compacting.log("between")),
      logging.search("old"),
    ]);
    expect((await compacting.compact("second half", references.slice(5))).code).toBeUndefined();
    for (const server of [logging, compacting]) {
      await server.mustLog("last");
    }
    expect(await gapsIn(project)).toEqual(
      [...gaps, "between", "first half", "last", "second half"].sort(),
    );
    for (const server of [logging, compacting]) {
      expect((await server.search("old 3")).text).not.toContain("about old");
    }
  });

  it.each(both)(
    "keep what %s compacted hidden when the other's copy still has it",
    async (_, compactor, merger) => {
      const old = ["old 0", "old 1"].map((gap) => logLine("faults", gap)).sort();
      const project = await testProject({ lines: old });
      const compacting = await start(project, compactor);
      expect(
        (await compacting.compact("principle", await referencesIn(project))).code,
      ).toBeUndefined();
      // A merge with a branch that was not compacted brings the lines back.
      const merged = await testProject({ lines: [...(await linesIn(project)), ...old] });
      await (await start(merged, merger)).mustLog("new");
      expect(await gapsIn(merged)).toEqual(["new", "principle"]);
      expect((await linesIn(merged)).length).toBe(2);
    },
  );

  it.each(both)("keep the fields that only the other knows while %s writes", async (_, writer) => {
    const later = { priority: { level: 2 }, lesson: "Ask about later." };
    const line = logLine("faults", "later", 9, later).replace(
      '"created"',
      '"reviewed_by":"Kim","created"',
    );
    const project = await testProject({ lines: [line] });
    const server = await start(project, writer);
    await server.mustLog("other");
    expect(await linesIn(project)).toContainEqual(line);
    await server.mustLog("later");
    const updated = (await linesIn(project)).find((one) => one.includes('"later"'));
    expect(JSON.parse(updated ?? "")).toMatchObject({
      priority: { level: 2 },
      meta: { count: 2, reviewed_by: "Kim" },
    });
  });

  it.each([
    ["this version", undefined, release.bundle],
    [version, release.bundle, CURRENT],
  ])("go on when %s is killed in the middle of its writing", async (_, victim, survivor) => {
    const project = await testProject();
    // This version dies with the lock in its hands; the release has no such point, and dies somewhere in its work.
    const dying = victim
      ? await start(project, victim)
      : await FaultServer.start(project.folder, { fault: `kill staged ${CALLS / 5}` });
    const acknowledged: string[] = [];
    const work = logMany(dying, "dying", (gap) => {
      acknowledged.push(gap);
      // A moment later it is in the middle of the next write.
      if (victim && acknowledged.length === CALLS / 5) {
        holdsFor(1, () => true).then(() => dying.signal("SIGKILL"));
      }
    });
    await expect(work).rejects.toThrow();
    await dying.exited;
    const surviving = await start(project, survivor);
    await surviving.mustLog("surviving");
    expect(gapsOf(await readMemory(project))).toEqual(
      expect.arrayContaining([...acknowledged, "surviving"]),
    );
    // A lock that was not finished is cleared by a write once it is a second old.
    await until(async () => {
      await surviving.mustLog("surviving");
      return (await leftoversIn(project)).length === 0;
    });
  });

  async function startBoth(project: Project): Promise<[FaultServer, FaultServer]> {
    return Promise.all([start(project, release.bundle), start(project, CURRENT)]);
  }
});

function start({ folder }: Project, bundle: string): Promise<FaultServer> {
  return FaultServer.start(folder, { bundle });
}

/** Logs one gap after the other; what was acknowledged. */
async function logMany(
  server: FaultServer,
  name: string,
  onLogged?: (gap: string) => void,
): Promise<string[]> {
  const gaps = Array.from({ length: CALLS }, (_, turn) => `${name} ${turn}`);
  for (const gap of gaps) {
    await server.mustLog(gap);
    onLogged?.(gap);
  }
  return gaps;
}

async function referencesIn(project: Project): Promise<string[]> {
  const snapshot = await readMemory(project);
  const references = new References(snapshot);
  return snapshot.lessons().map((line) => references.full(line));
}

async function linesIn({ file }: Project): Promise<string[]> {
  return (await readFile(file, "utf8")).trimEnd().split("\n");
}
