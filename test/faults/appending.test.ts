/** The session log, with many processes on it at once, some of them killed at random. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chance, LONG, SOAK } from "../support/form.ts";
import { testFolder } from "../support/in-test.ts";
import { holdsFor, until } from "../support/wait.ts";
import { EventProcess, filesWith, marksIn, openLog } from "./support/event-process.ts";
import { KEEP_ALL } from "./support/marked-events.ts";

/** Far above what a batch takes, of which each long text is flushed by itself. */
const PATIENCE_MS = 60_000;

const names = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`);

describe("processes that append to one session log at once", () => {
  it("have all of their events in it, each once, whoever appended one of the same origin too", async () => {
    const folder = testFolder();
    const [processes, count] = LONG ? [8, 1_000 * SOAK] : [3, 40];
    const running = names(processes).map((name) => {
      return new EventProcess(folder, { do: "append", name, count, batch: LONG ? 20 : 4 });
    });
    // The same transcript is read by two captures.
    running.push(new EventProcess(folder, { do: "append", name: "p0", count, batch: 7 }));
    await Promise.all(running.map((process) => process.ended()));
    const marks = await marksIn(folder);
    expect(marks.size).toBe(processes * count);
    expect([...marks].filter(([, times]) => times !== 1)).toEqual([]);
    expect((await openLog(folder).statistics()).damaged).toBe(0);
  });

  it("and are killed lose nothing that was acknowledged, and at most one line a kill", async () => {
    const folder = testFolder();
    const random = chance("events");
    const kills = LONG ? 12 * SOAK : 3;
    const acknowledged: string[] = [];
    for (let round = 0; round < kills; round++) {
      const batch = 1 + Math.floor(random() * 300);
      const killed = new EventProcess(folder, {
        do: "append",
        name: `k${round}`,
        count: 1e6,
        batch,
      });
      await until(() => killed.said.length > 0, PATIENCE_MS);
      await holdsFor(random() * 50, () => true);
      await killed.kill();
      acknowledged.push(...killed.acknowledged);
    }
    const marks = await marksIn(folder);
    expect(acknowledged.filter((mark) => marks.get(mark) !== 1)).toEqual([]);
    expect((await openLog(folder).statistics()).damaged).toBeLessThanOrEqual(kills);
  });
});

describe("appenders beside purges and retentions in a loop, all of them killed at random", () => {
  it("lose no acknowledged event that was not purged, and no purged one stays", async () => {
    const folder = testFolder();
    const random = chance("purges");
    const [appenders, rounds] = LONG ? [8, 5 * SOAK] : [2, 2];
    const kept: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const running = names(appenders).map((name) => {
        return new EventProcess(folder, {
          do: "append",
          name: `${name}.${round}`,
          count: 1e6,
          batch: 5,
        });
      });
      const doomed = new EventProcess(folder, {
        do: "append",
        name: `d${round}`,
        session: `doomed ${round}`,
        count: 1e6,
        batch: 3,
      });
      const housekeepers = [
        new EventProcess(folder, {
          do: "purge",
          target: { session: `doomed ${round}` },
          times: 1e6,
        }),
        new EventProcess(folder, { do: "purge", target: { text: `<d${round} ` }, times: 1e6 }),
        new EventProcess(folder, { do: "retain", limits: KEEP_ALL, times: 1e6 }),
      ];
      await until(() => [...running, doomed].every(({ said }) => said.length > 0), PATIENCE_MS);
      await holdsFor(random() * (LONG ? 1_500 : 100), () => true);
      for (const process of [...running, doomed, ...housekeepers].sort(() => random() - 0.5)) {
        await process.kill();
        await holdsFor(random() * 20, () => true);
      }
      kept.push(...running.flatMap(({ acknowledged }) => acknowledged));
      expect(
        [...running, doomed, ...housekeepers].flatMap(({ said }) =>
          said.filter(({ error }) => error),
        ),
      ).toEqual([]);
    }
    const store = openLog(folder);
    for (let round = 0; round < rounds; round++) {
      await store.purge({ session: `doomed ${round}` });
    }
    // A claim to the lock that has no owner's note yet is only taken for abandoned after a second.
    await until(async () => {
      await store.purge({ text: "<d" });
      return readdirSync(join(folder, "state")).length === 1;
    });
    const marks = await marksIn(folder);
    expect(kept.filter((mark) => marks.get(mark) !== 1)).toEqual([]);
    expect([...marks.keys()].filter((mark) => mark.startsWith("<d"))).toEqual([]);
    expect(filesWith("<d", folder)).toEqual([]);
    expect(readdirSync(join(folder, "state"))).toEqual(["purged.jsonl"]);
  });
});
