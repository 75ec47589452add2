/** Many processes on one file that do everything at once, and thousands of calls. */
import { describe, expect, it } from "vitest";
import { References } from "../../src/lessons/queries/references.ts";
import { chance } from "../support/form.ts";
import { testProject } from "../support/in-test.ts";
import { logId } from "../support/lines.ts";
import { gapsIn, gapsOf, leftoversIn, readMemory } from "./support/memory.ts";
import { FaultServer } from "./support/server.ts";

/** Sixteen processes on a busy machine may queue for longer than a user waits; here it counts that nothing is lost. */
const PATIENCE_MS = 50_000;
/** How long a call may wait while others go through. It fails with lock_timeout after that. */
const TURN_MS = 30_000;

function start(folder: string, count: number): Promise<FaultServer[]> {
  return Promise.all(
    Array.from({ length: count }, () => FaultServer.start(folder, { patience: PATIENCE_MS })),
  );
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

describe("many processes", () => {
  it("16 processes that log, update, compact and search lose nothing", async () => {
    const project = await testProject();
    const servers = await start(project.folder, 16);
    const logged = new Set<string>();
    await Promise.all(
      servers.map(async (server, process) => {
        const random = chance(`mixed ${process}`);
        for (let turn = 0; turn < 60; turn++) {
          const dice = random();
          if (dice < 0.2) {
            expect((await server.search("gap")).code).toBeUndefined();
          } else if (dice < 0.3) {
            await compactSome(server, `principle ${process} ${turn}`);
          } else {
            const gap = dice < 0.6 ? `shared gap ${turn % 4}` : `${process} ${turn}`;
            await server.mustLog(gap);
            logged.add(gap);
          }
        }
      }),
    );
    const snapshot = await readMemory(project);
    const shown = new Set(gapsOf(snapshot));
    const covered = new Set(
      snapshot.lines().flatMap(({ version }) => Object.keys(version.meta.sources ?? {})),
    );
    expect(
      [...logged].filter((gap) => !shown.has(gap) && !covered.has(logId("faults", gap))),
    ).toEqual([]);
    expect(await leftoversIn(project)).toEqual([]);

    async function compactSome(server: FaultServer, principle: string): Promise<void> {
      const before = await readMemory(project).catch(() => undefined);
      const lines = before?.lessons().slice(0, 2) ?? [];
      if (!before || lines.length === 0) {
        return;
      }
      const references = new References(before);
      const { code } = await server.compact(
        principle,
        lines.map((line) => references.full(line)),
      );
      // Another process may have retired or changed them first.
      expect([undefined, "no_usable_source"]).toContain(code);
    }
  });

  it("a process with one call gets its turn while another has a thousand", async () => {
    const project = await testProject();
    const greedy = await FaultServer.start(project.folder, { patience: PATIENCE_MS });
    const modest = await FaultServer.start(project.folder, { patience: TURN_MS });
    const flood = times(20, async (lane) => {
      for (let turn = 0; turn < 50; turn++) {
        await greedy.mustLog(`${lane} ${turn}`);
      }
    });
    for (let turn = 0; turn < 10; turn++) {
      await modest.mustLog(`modest ${turn}`);
    }
    await Promise.all(flood);
    expect((await gapsIn(project)).length).toBe(20 * 50 + 10);
  });
});
