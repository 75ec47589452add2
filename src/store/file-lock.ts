/**
 * One writer at a time, among all processes that share a memory file.
 *
 * The lock is a folder beside the file, and proper-lockfile takes it, keeps its heartbeat and watches over it. Two of its
 * rules are ours, given to it as the file system it works on:
 * - The folder is born with a note of its owner in it: it is made under another name and renamed into place, which fails
 *   while a lock stands there.
 * - Only its owner, or somebody who has judged that owner dead, takes it away: renamed to a name of that owner's, so that of
 *   several who judge at once only one succeeds. Age alone never ends a lock of this machine.
 */

import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as lockfile from "proper-lockfile";
import { MemoryError } from "../errors.ts";
import { hasCode } from "./file-errors.ts";
import { isAlive, type Owner, thisOwner } from "./process-identity.ts";
import { PATIENCE } from "./seams.ts";

/** A lock of another host is dead when its heartbeat has stopped for this long, in ms. */
const FOREIGN_SILENCE = 60_000;
const HEARTBEAT = 10_000;
/** Making or removing a folder takes far less than this, in ms; one without a note was left half made or half removed. */
const UNSIGNED_SILENCE = 1_000;
/** Between two tries, in ms, at random so that waiters do not march in step. */
const LEAST_PAUSE = 1;
const MOST_PAUSE = 8;
/** How often a waiter looks whether the owner still lives, in ms. */
const JUDGING = 100;
const NOTE = "owner.json";

export interface HeldLock {
  readonly token: string;
  /** Whether somebody else was in the way first. */
  readonly contended: boolean;
  /** Whether the lock is still ours; another host may have judged us dead. */
  stillHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes the lock of a file; waits for it 10 s at most.
 *
 * @throws MemoryError `lock_timeout`, naming the owner; or the file system's own error.
 */
export async function acquireLock(file: string): Promise<HeldLock> {
  const path = `${file}.lock`;
  const token = randomUUID();
  const born = `${path}.${token}`;
  const deadline = performance.now() + PATIENCE;
  let judgeAt = 0;
  let contended = false;
  try {
    await mkdir(born);
    await writeFile(join(born, NOTE), JSON.stringify(thisOwner(token)));
    for (;;) {
      const held = await tryLock(file, path, token);
      if (held) return { ...held, contended };
      contended = true;
      if (performance.now() >= judgeAt) {
        if (await removeIfDead(path)) continue;
        judgeAt = performance.now() + JUDGING;
      }
      if (performance.now() >= deadline) throw await timeout(path);
      await sleep(LEAST_PAUSE + Math.random() * (MOST_PAUSE - LEAST_PAUSE));
    }
  } catch (error) {
    await rm(born, { recursive: true, force: true });
    throw error;
  }
}

/** Removes what dead owners left beside a lock: folders that were made for it or taken away from it. */
export async function removeLockLeftovers(file: string, names: readonly string[]): Promise<void> {
  const prefix = `${basename(file)}.lock.`;
  for (const name of names.filter((candidate) => candidate.startsWith(prefix))) {
    const path = join(dirname(file), name);
    const owner = await readNote(path);
    if (await isDead(path, owner, owner ? FOREIGN_SILENCE : UNSIGNED_SILENCE))
      await rm(path, { recursive: true, force: true });
  }
}

async function tryLock(file: string, path: string, token: string): Promise<Omit<HeldLock, "contended"> | undefined> {
  let compromised = false;
  try {
    const release = await lockfile.lock(file, {
      realpath: false,
      lockfilePath: path,
      stale: FOREIGN_SILENCE,
      update: HEARTBEAT,
      fs: fileSystemFor(token),
      onCompromised: () => {
        compromised = true;
      },
    });
    return {
      token,
      stillHeld: async () => !compromised && (await readNote(path))?.token === token,
      release: async () => {
        // A lock that was lost has nothing left to release.
        await release().catch(() => undefined);
      },
    };
  } catch (error) {
    if (hasCode(error, "ELOCKED")) return undefined;
    throw error;
  }
}

/** The file system as proper-lockfile sees it: making a folder brings its note along, removing it asks whose it is. */
function fileSystemFor(token: string) {
  return {
    stat: fs.stat,
    utimes: fs.utimes,
    mkdir(path: string, done: (error: Error | null) => void) {
      fs.rename(`${path}.${token}`, path, (error) => done(error && asTaken(error, path)));
    },
    rmdir(path: string, done: (error: Error | null) => void) {
      removeOwn(path, token).then(() => done(null), done);
    },
    /** Called while the process exits. */
    rmdirSync(path: string) {
      const owner = JSON.parse(fs.readFileSync(join(path, NOTE), "utf8")) as Owner;
      if (owner.token === token) fs.rmSync(path, { recursive: true });
    },
  };
}

/** A rename onto a lock fails in a way of each platform's own. */
function asTaken(error: NodeJS.ErrnoException, path: string): Error {
  const taken =
    hasCode(error, "ENOTEMPTY", "EEXIST", "ENOTDIR") || (hasCode(error, "EPERM", "EACCES") && fs.existsSync(path));
  return taken ? Object.assign(error, { code: "EEXIST" }) : error;
}

async function removeOwn(path: string, token: string): Promise<void> {
  if ((await readNote(path))?.token === token) await takeAway(path, token);
}

/** Moves a lock to the name of its owner and removes it there. Puts it back when it turns out to be another's. */
async function takeAway(path: string, token: string): Promise<boolean> {
  const grave = `${path}.${token}`;
  try {
    await rename(path, grave);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTEMPTY", "EEXIST", "EPERM", "EACCES")) return false;
    throw error;
  }
  const moved = await readNote(grave);
  if (moved && moved.token !== token) {
    // Between the judgement and the rename somebody else took the lock over.
    await rename(grave, path).catch(() => undefined);
    return false;
  }
  await rm(grave, { recursive: true, force: true });
  return true;
}

async function removeIfDead(path: string): Promise<boolean> {
  const owner = await readNote(path);
  if (!(await isDead(path, owner))) return false;
  return takeAway(path, owner?.token ?? randomUUID());
}

async function isDead(path: string, owner: Owner | undefined, silence = FOREIGN_SILENCE): Promise<boolean> {
  const alive = owner && isAlive(owner);
  if (alive !== undefined) return !alive;
  try {
    return (await stat(path)).mtimeMs < Date.now() - silence;
  } catch {
    return false;
  }
}

async function readNote(path: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(join(path, NOTE), "utf8")) as Owner;
  } catch {
    return undefined;
  }
}

async function timeout(path: string): Promise<MemoryError> {
  const owner = await readNote(path);
  const who = owner ? `process ${owner.pid} on ${owner.host.split(" ")[0]}` : "another process";
  return new MemoryError(
    "lock_timeout",
    `The memory file stayed locked by ${who} for ${PATIENCE / 1000} s, so nothing was written.`,
    "Call again in a moment. If that process hangs, end it: its lock then goes by itself.",
  );
}
