/** A log that many processes append to without a lock, and that other programs replace or remove. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rename, rm, truncate } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readLog } from "../../src/ground/files/append-log.ts";
import { chance, LONG } from "../support/form.ts";
import { testFolder, testProject } from "../support/in-test.ts";
import { holdsFor, until } from "../support/wait.ts";
import { FaultServer, stopped } from "./support/server.ts";

interface Line {
  readonly batch: string;
  readonly place: number;
}

/** A process that appends, and the batches that it has acknowledged so far. */
function startAppender(log: string, name: string, batches: number, size: number) {
  const args = ["--import", "tsx", resolve("test/faults/support/append-batches.ts"), log, name];
  const child: ChildProcess = spawn(process.execPath, [...args, String(batches), String(size)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const acknowledged: string[] = [];
  child.stdout?.on("data", (text: Buffer) => {
    for (const batch of text.toString().trim().split("\n")) acknowledged.push(`${name} ${batch}`);
  });
  return { child, acknowledged, closed: once(child, "close") };
}

function readLines(log: string) {
  return readLog(log, (text): Line | undefined => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  });
}

/** How many lines of each batch a log holds. */
async function batchesIn(log: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { batch } of (await readLines(log)).entries)
    counts.set(batch, (counts.get(batch) ?? 0) + 1);
  return counts;
}

describe("processes that append at once", () => {
  it("each find their batches whole, none of them mixed with another's", async () => {
    const log = join(testFolder(), "log.jsonl");
    const [batches, size] = [LONG ? 120 : 40, 5];
    const appenders = ["a", "b", "c", "d"].map((name) => startAppender(log, name, batches, size));
    await Promise.all(appenders.map(({ closed }) => closed));
    const { entries, damaged } = await readLines(log);
    expect(damaged).toBe(0);
    expect(entries.length).toBe(4 * batches * size);
    for (let start = 0; start < entries.length; start += size) {
      const batch = entries.slice(start, start + size);
      expect(batch.map(({ place }) => place)).toEqual([0, 1, 2, 3, 4]);
      expect(new Set(batch.map((line) => line.batch)).size).toBe(1);
    }
  });

  it("and are killed in the middle lose nothing that was acknowledged, and at most one line a kill", async () => {
    const log = join(testFolder(), "log.jsonl");
    const random = chance("append-log");
    const size = 20_000;
    const kills = LONG ? 12 : 4;
    const steady = startAppender(log, "steady", 1_000_000, 3);
    for (let round = 0; round < kills; round++) {
      const killed = startAppender(log, `killed ${round}`, 1_000, size);
      await until(() => killed.acknowledged.length > 0);
      await holdsFor(random() * 40, () => killed.child.exitCode === null);
      killed.child.kill("SIGKILL");
      await killed.closed;
      const counts = await batchesIn(log);
      for (const batch of killed.acknowledged)
        expect([batch, counts.get(batch)]).toEqual([batch, size]);
    }
    steady.child.kill("SIGKILL");
    await steady.closed;
    const counts = await batchesIn(log);
    expect(steady.acknowledged.length).toBeGreaterThan(0);
    expect(steady.acknowledged.filter((batch) => (counts.get(batch) ?? 0) < 3)).toEqual([]);
    expect((await readLines(log)).damaged).toBeLessThanOrEqual(kills + 1);
  });
});

describe("a log that another program", () => {
  /** Replaces a record while its old version is on the way into the trash, and says what is in the trash after. */
  async function trashAfter(meanwhile: (trash: string) => Promise<void>): Promise<string> {
    const project = await testProject();
    const trash = join(project.context, ".local", "trash.jsonl");
    const server = await FaultServer.start(project.folder, { fault: "stop appended 2" });
    await server.mustLog("one");
    await server.mustLog("one", { lesson: "second" });
    const call = server.log("one", { lesson: "third" });
    await stopped(server);
    await meanwhile(trash);
    server.signal("SIGCONT");
    expect((await call).code).toBeUndefined();
    return readFile(trash, "utf8");
  }

  it("removes after a batch arrived is made again, with that batch", async () => {
    const text = await trashAfter((trash) => rm(trash));
    expect(text).toContain("second");
    expect(text).not.toContain("Ask about one");
  });

  it("empties after a batch arrived gets that batch again", async () => {
    const text = await trashAfter((trash) => truncate(trash));
    expect(text).toContain("second");
    expect(text).not.toContain("Ask about one");
  });

  it("replaces after a batch arrived gets that batch too", async () => {
    const text = await trashAfter(async (trash) => {
      await rename(trash, `${trash}.aside`);
      const other = startAppender(trash, "other", 1, 1);
      await other.closed;
    });
    expect(text.split("\n")[0]).toContain("other 0");
    expect(text.split("\n")[1]).toContain("second");
  });
});
