import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { holdsFor } from "../../../test/support/wait.ts";
import { SentinelError } from "../core/errors.ts";
import { acquireLock, lockOwner } from "./lock.ts";

const MISTAKES = 20;
/** Another process that takes a lock for that of a dead owner, sees that it is not, and puts it back, again and again. */
const MISTAKEN_JUDGE = `
  const { renameSync, rmSync } = require("node:fs");
  const { setTimeout: sleep } = require("node:timers/promises");
  const [lock] = process.argv.slice(1);
  (async () => {
    for (let made = 0; made < ${MISTAKES}; ) {
      try {
        renameSync(lock, lock + ".judged");
      } catch {
        continue;
      }
      const taken = Date.now();
      await sleep(2);
      try {
        // Later than this, its owner may have given up removing it.
        if (Date.now() - taken > 500) throw new Error("late");
        renameSync(lock + ".judged", lock);
      } catch {
        rmSync(lock + ".judged", { recursive: true });
      }
      made++;
      await sleep(150);
    }
  })();
`;

let folder: string;
let file: string;

beforeEach(() => {
  folder = testFolder();
  file = join(folder, "notes.txt");
});

it("names its owner while it is held, and leaves nothing behind", async () => {
  const lock = await acquireLock(file);
  expect(lockOwner(file)).toMatchObject({ pid: process.pid, token: lock.token });
  expect(lock.stillHeld()).toBe(true);
  await lock.release();
  expect([lockOwner(file), lock.stillHeld(), readdirSync(folder)]).toEqual([undefined, false, []]);
});

it("is held by one of many who ask in one process", async () => {
  let holders = 0;
  const most: number[] = [];
  const work = async () => {
    const lock = await acquireLock(file);
    most.push(++holders);
    await holdsFor(1, () => holders === 1);
    holders--;
    await lock.release();
  };
  await Promise.all(Array.from({ length: 10 }, work));
  expect(most).toEqual(Array.from({ length: 10 }, () => 1));
});

it("that is lost does not take the next one with it when it is released", async () => {
  const lost = await acquireLock(file);
  rmSync(`${file}.lock`, { recursive: true });
  mkdirSync(`${file}.lock`);
  writeFileSync(
    `${file}.lock/owner.json`,
    JSON.stringify({ pid: 1, started: "1", host: "elsewhere", token: "t" }),
  );
  expect(lost.stillHeld()).toBe(false);
  await lost.release();
  expect(lockOwner(file)?.host).toBe("elsewhere");
  rmSync(`${file}.lock`, { recursive: true });
  const next = await acquireLock(file, 0);
  expect(next.stillHeld()).toBe(true);
  await next.release();
});

it("that a judge of dead owners takes by mistake and puts back is gone on with, and removed in the end", async () => {
  const judge = spawn(process.execPath, ["-e", MISTAKEN_JUDGE, `${file}.lock`], {
    stdio: "inherit",
  });
  let taken = 0;
  do {
    const lock = await acquireLock(file);
    await holdsFor(1, () => judge.exitCode === null);
    await lock.release();
    taken++;
  } while (judge.exitCode === null);
  expect([judge.exitCode, readdirSync(folder)]).toEqual([0, []]);
  expect(taken).toBeGreaterThan(MISTAKES);
});

it("has the time of its making: how exact times are is tried once for the whole process", async () => {
  const first = await acquireLock(file);
  await first.release();
  const second = await acquireLock(file);
  const { mtimeMs } = statSync(`${file}.lock`);
  await second.release();
  // The clock of files is finer.
  expect(Math.floor(mtimeMs)).toBeLessThanOrEqual(Date.now());
});

it("that another process keeps is an error with the patience that was given, and its file", async () => {
  const lock = await acquireLock(file);
  const error = await acquireLock(file, 320).catch((reason) => reason);
  await lock.release();
  expect(error).toBeInstanceOf(SentinelError);
  expect(error.code).toBe("lock_timeout");
  expect(error.message).toMatch(
    new RegExp(`^${file} stayed locked by process ${process.pid} on .* for 0\\.3 s, `),
  );
  expect(existsSync(`${file}.lock`)).toBe(false);
});

describe("a lock whose owner's process id another program has now", () => {
  // Only Linux shows when a process started. Elsewhere the note of an owner has no start time.
  const leave = async (ageMs: number) => {
    const lock = await acquireLock(file);
    const { host } = lockOwner(file) ?? {};
    await lock.release();
    mkdirSync(`${file}.lock`);
    const note = { pid: process.ppid, started: "", host, token: "left" };
    writeFileSync(`${file}.lock/owner.json`, JSON.stringify(note));
    const touched = new Date(Date.now() - ageMs);
    utimesSync(`${file}.lock`, touched, touched);
  };

  it("is taken over once its heartbeat stopped for a minute", async () => {
    await leave(61_000);
    const lock = await acquireLock(file, 0);
    expect(lock.stillHeld()).toBe(true);
    await lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is left alone while its heartbeat goes on", async () => {
    await leave(30_000);
    const error = await acquireLock(file, 300).catch((reason) => reason);
    expect(error).toMatchObject({ code: "lock_timeout" });
    // The process with that number may have nothing to do with the lock.
    expect(error.message).not.toContain("end it");
    expect(lockOwner(file)?.token).toBe("left");
  });
});
