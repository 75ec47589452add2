/** Who may write: the owner of the lock, as long as it lives, and nobody else. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { logLine } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { readUntil } from "../support/wait.ts";
import { WRITE_POINTS } from "./fault-points.ts";
import { ELSEWHERE, forgeLock } from "./support/forge-lock.ts";
import { gapsIn, leftoversIn } from "./support/memory.ts";
import { FaultServer, stopped } from "./support/server.ts";

/** For a lock that is taken at once; one that is waited for takes a minute. */
const AT_ONCE = 6_000;
const MINUTE = 60_000;

describe("a live but stopped holder", () => {
  it.each(WRITE_POINTS)(
    "at %s keeps its lock: others get an error, nothing is overwritten, it goes on",
    async (point) => {
      const project = await testProject();
      const holder = await FaultServer.start(project.folder, { fault: `stop ${point} 2` });
      const other = await FaultServer.start(project.folder, { patience: 300 });
      await holder.mustLog("one");
      const second = holder.log("two");
      await stopped(holder);

      const before = await readFile(project.file);
      const refused = await other.log("three");
      expect(refused.code).toBe("lock_timeout");
      expect(refused.text).toContain(`process ${holder.pid}`);
      expect((await readFile(project.file)).equals(before)).toBe(true);
      expect((await other.search()).code).toBeUndefined();

      holder.signal("SIGCONT");
      expect(await second).toMatchObject({ code: undefined });
      await other.mustLog("three");
      expect(await gapsIn(project)).toEqual(["one", "three", "two"]);
      expect(await leftoversIn(project)).toEqual([]);
    },
  );
});

it("a waiter whose unsigned folder was taken for abandoned makes another claim", async () => {
  const project = await testProject({ lines: [logLine("faults", "one")] });
  const lock = await forgeLock(project, { ...ELSEWHERE }, 0);
  const server = await FaultServer.start(project.folder);
  const call = server.mustLog("two");
  const born = await folderOfWaiter(project);
  await rm(born, { recursive: true });
  await rm(lock, { recursive: true });
  await call;
  expect(await gapsIn(project)).toEqual(["one", "two"]);
  expect(await leftoversIn(project)).toEqual([]);
});

/** The folder of the one who waits, once there is one. */
async function folderOfWaiter({ context }: Project): Promise<string> {
  const read = async () => (await readdir(context)).find((entry) => entry.includes(".lock."));
  const name = await readUntil(read, (found) => found !== undefined);
  return join(context, name ?? "");
}

describe("a dead owner", () => {
  it("loses its lock at once", async () => {
    const project = await testProject();
    const holder = await FaultServer.start(project.folder, { fault: "stop staged" });
    const other = await FaultServer.start(project.folder, { patience: AT_ONCE });
    const lost = holder.log("one").catch(() => "died");
    await stopped(holder);
    const waiting = other.log("two");
    holder.signal("SIGKILL");
    expect(await waiting).toMatchObject({ code: undefined });
    expect(await lost).toBe("died");
    expect(await gapsIn(project)).toEqual(["two"]);
  });

  it("is not mistaken for a new process with its old id", async () => {
    const project = await testProject();
    const server = await FaultServer.start(project.folder);
    await server.mustLog("one");
    const stranger = spawn("sleep", ["60"]);
    const lock = await forgeLock(
      project,
      { ...(await ownerOf(project)), pid: stranger.pid, started: "1" },
      0,
    );
    await server.mustLog("two");
    stranger.kill("SIGKILL");
    expect(existsSync(lock)).toBe(false);
  });

  it("lets only one of many waiters have its lock", async () => {
    const project = await testProject();
    const holder = await FaultServer.start(project.folder, { fault: "stop locked" });
    // The last of them waits for all the others to write, on whatever disk.
    const conditions = { patience: MINUTE / 2 };
    const others = await Promise.all(
      Array.from({ length: 6 }, () => FaultServer.start(project.folder, conditions)),
    );
    void holder.log("lost").catch(() => undefined);
    await stopped(holder);
    const waiting = others.map((server, index) => server.log(`gap ${index}`));
    holder.signal("SIGKILL");
    for (const answer of await Promise.all(waiting)) {
      expect(answer.code).toBeUndefined();
    }
    expect((await gapsIn(project)).length).toBe(6);
    expect(await leftoversIn(project)).toEqual([]);
  });
});

describe("an owner on another host", () => {
  it("that took our lock is noticed before the file is replaced, and the turn is repeated", async () => {
    const project = await testProject();
    const holder = await FaultServer.start(project.folder, { fault: "stop verified 2" });
    await holder.mustLog("one");
    const second = holder.log("two");
    await stopped(holder);

    const lock = `${project.file}.lock`;
    await rename(lock, `${lock}.taken`);
    await rm(`${lock}.taken`, { recursive: true });
    await forgeLock(project, ELSEWHERE, 0);
    await appendFile(project.file, `${logLine("elsewhere", "three")}\n`);
    holder.signal("SIGCONT");
    await rm(lock, { recursive: true });

    expect(await second).toMatchObject({ code: undefined });
    expect(await gapsIn(project)).toEqual(["one", "three", "two"]);
    expect(await leftoversIn(project)).toEqual([]);
  });
});

/** What a lock of this machine looks like, as seen while its owner is stopped. */
async function ownerOf(project: Project): Promise<object> {
  const holder = await FaultServer.start(project.folder, { fault: "stop locked" });
  void holder.log("never").catch(() => undefined);
  await stopped(holder);
  const owner = JSON.parse(await readFile(join(`${project.file}.lock`, "owner.json"), "utf8"));
  await holder.kill();
  await rm(`${project.file}.lock`, { recursive: true });
  return owner;
}
