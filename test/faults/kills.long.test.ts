/** Processes that are killed at any instant: the file stays whole, and holds what was acknowledged. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { chance, SOAK } from "../support/form.ts";
import { testProject } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { holdsFor, until } from "../support/wait.ts";
import { WRITE_POINTS } from "./fault-points.ts";
import { gapsIn, leftoversIn, TO_BE_COMMITTED, untracked, wholeMemory } from "./support/memory.ts";
import { FaultServer } from "./support/server.ts";

describe("writers killed at random", () => {
  it("lose nothing that was acknowledged, and readers never see half a file", async () => {
    const random = chance("kills");
    const project = await testProject({ git: true });
    const watched = watch(project);
    const acknowledged: string[] = [];
    for (let round = 0; round < 25 * SOAK; round++) {
      const server = await FaultServer.start(project.folder);
      const writing = [0, 1, 2].map(async (writer) => {
        for (let turn = 0; ; turn++) {
          const gap = `${round} ${writer} ${turn % 5}`;
          const { code } = await server.log(gap);
          expect(code).toBeUndefined();
          acknowledged.push(gap);
        }
      });
      const before = acknowledged.length;
      await until(() => acknowledged.length > before);
      await holdsFor(random() * 80, () => true);
      await server.kill();
      await Promise.allSettled(writing);
      const gaps = new Set(await gapsIn(project));
      expect(acknowledged.filter((gap) => !gaps.has(gap))).toEqual([]);
      expect(await untracked(project)).toEqual(TO_BE_COMMITTED);
    }
    // A folder without its owner's note is only taken for dead after a second.
    const last = await FaultServer.start(project.folder);
    await until(async () => {
      await last.mustLog("the last");
      return (await leftoversIn(project)).length === 0;
    });
    expect(await watched.stop()).toBeGreaterThan(0);
  });
});

/** Reads the file over and over; says in the end how often, and fails when one reading was not whole. */
function watch({ file }: Project): { stop(): Promise<number> } {
  let on = true;
  const readings = (async () => {
    let count = 0;
    while (on) {
      const bytes = await readFile(file).catch(() => undefined);
      if (bytes) {
        wholeMemory(bytes);
        count++;
      }
      await holdsFor(3, () => on);
    }
    return count;
  })();
  return {
    stop: () => {
      on = false;
      return readings;
    },
  };
}

describe("a writer killed at a point of the write path", () => {
  it.each(WRITE_POINTS)("%s of the very first write: git is shown no leftovers", async (point) => {
    const project = await testProject({ git: true });
    const first = await FaultServer.start(project.folder, { fault: `kill ${point}` });
    await expect(first.log("one")).rejects.toThrow();
    expect(TO_BE_COMMITTED).toEqual(expect.arrayContaining(await untracked(project)));
    const next = await FaultServer.start(project.folder);
    await next.mustLog("two");
    expect(await untracked(project)).toEqual(TO_BE_COMMITTED);
    expect(await leftoversIn(project)).toEqual([]);
  });
});
