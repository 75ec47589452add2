/** A log that many processes append to, and that other programs replace or remove. Kills are in appending.test.ts. */
import { appendFile, readFile, rename, rm, truncate } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readLog } from "../../src/ground/files/append-log.ts";
import { testFolder, testProject } from "../support/in-test.ts";
import { runProcess } from "../support/run-process.ts";
import { FaultServer, stopped } from "./support/server.ts";

it("processes that append at once each find their batches whole, none of them mixed with another's", async () => {
  const log = join(testFolder(), "log.jsonl");
  const appending = ["a", "b", "c", "d"].map((name) => {
    const args = ["--import", "tsx", resolve("test/faults/support/append-batches.ts"), log, name];
    return runProcess(process.execPath, [...args, "40"], { cwd: resolve(), env: {} });
  });
  for (const { exit } of await Promise.all(appending)) expect(exit).toBe(0);
  const { entries } = await readLog(log, (line) => JSON.parse(line));
  expect(entries).toHaveLength(4 * 40 * 5);
  for (let start = 0; start < entries.length; start += 5) {
    const [{ batch }] = entries.slice(start);
    const whole = [0, 1, 2, 3, 4].map((place) => ({ batch, place }));
    expect(entries.slice(start, start + 5)).toEqual(whole);
  }
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
      await appendFile(trash, '{"batch":"other 0"}\n');
    });
    expect(text.split("\n")[0]).toContain("other 0");
    expect(text.split("\n")[1]).toContain("second");
  });
});
