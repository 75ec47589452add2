/**
 * One writer at a time, among all processes that share a memory file.
 *
 * The lock is a folder beside the file, and proper-lockfile takes it, keeps its heartbeat and watches over it. Two of its
 * rules are ours, given to it as the file system it works on:
 * - The folder is born with a note of its owner in it: it is made under another name and renamed into place, which fails
 *   while a lock stands there.
 * - Only its owner, or somebody who has judged that owner dead, takes it away: renamed to a name of that owner's, so that of
 *   several who judge at once only one succeeds. Age alone never ends a lock of this machine.
 *
 * The steps are synchronous: each takes microseconds, handing it to another thread takes ten times as long, and others wait.
 */

import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as lockfile from "proper-lockfile";
import { SentinelError } from "../core/errors.ts";
import { PATIENCE } from "./fault-points.ts";
import { hasCode } from "./file-errors.ts";
import { isAlive, type Owner, thisOwner } from "./lock-owner.ts";

/** A lock of another host is dead when its heartbeat has stopped for this long, in ms. */
const FOREIGN_SILENCE = 60_000;
const HEARTBEAT = 10_000;
/** Making or removing a folder takes far less than this, in ms; one without a note was left half made or half removed. */
const UNSIGNED_SILENCE = 1_000;
/** Between two tries, in ms, at random so that waiters do not march in step. */
const LEAST_PAUSE = 1;
const MOST_PAUSE = 12;
/** The pauses of a waiter become shorter by 1 ms in this time, in ms, down to 2: who came first is served sooner. */
const PAUSE_SHRINKS = 10;
/** A lock left alone for this long, in ms, is seen by everybody who waits for it. */
export const YIELD_MS = MOST_PAUSE + 2;
/** How often a waiter looks whether the owner still lives, in ms. Nobody who came later than that is judged at all. */
const JUDGING = 100;
const NOTE = "owner.json";

export interface HeldLock {
  readonly token: string;
  /** Whether the lock is still ours; another host may have judged us dead. */
  stillHeld(): boolean;
  release(): Promise<void>;
}

/**
 * Takes the lock of a file.
 *
 * @param patience how long to wait for it, in ms; one try is made in any case.
 * @throws SentinelError `lock_timeout`, naming the owner; or the file system's own error.
 */
export async function acquireLock(file: string, patience = PATIENCE): Promise<HeldLock> {
  const path = `${file}.lock`;
  const token = randomUUID();
  const born = `${path}.${token}`;
  const start = performance.now();
  let judgeAt = 0;
  try {
    for (;;) {
      if (!fs.existsSync(born)) signUp(born, token);
      // Most tries of a waiter end here: a look costs a tenth of an attempt.
      const held = fs.existsSync(path) ? undefined : await tryLock(file, path, token);
      if (held) return held;
      if (performance.now() >= judgeAt) {
        if (removeIfDead(path)) continue;
        judgeAt = performance.now() + JUDGING;
      }
      const waited = performance.now() - start;
      if (waited >= patience) throw timeout(path);
      await sleep(pauseAfter(waited));
    }
  } catch (error) {
    removeFolder(born);
    throw error;
  }
}

/**
 * Removes what dead owners left beside a lock: folders that were made for it or taken away from it.
 *
 * @returns whether others are left, who wait for the lock.
 */
export function removeLockLeftovers(file: string, names: readonly string[]): boolean {
  const prefix = `${basename(file)}.lock.`;
  const waiters = names.filter((name) => {
    if (!name.startsWith(prefix)) return false;
    const path = join(dirname(file), name);
    if (ageOf(path) < JUDGING) return true;
    const owner = readNote(path);
    if (!isDead(path, owner, owner ? FOREIGN_SILENCE : UNSIGNED_SILENCE)) return true;
    removeFolder(path);
    return false;
  });
  return waiters.length > 0;
}

/**
 * Makes the folder that is going to be the lock. One that stands unsigned for too long is taken for abandoned and removed: a
 * process that was stopped in here finds it gone, and makes it anew with its next try.
 */
function signUp(born: string, token: string): void {
  try {
    fs.mkdirSync(born);
    fs.writeFileSync(join(born, NOTE), JSON.stringify(thisOwner(token)));
  } catch (error) {
    if (!hasCode(error, "ENOENT") || !fs.existsSync(dirname(born))) throw error;
  }
}

function pauseAfter(waited: number): number {
  const most = Math.max(LEAST_PAUSE + 1, MOST_PAUSE - waited / PAUSE_SHRINKS);
  return LEAST_PAUSE + Math.random() * (most - LEAST_PAUSE);
}

async function tryLock(file: string, path: string, token: string): Promise<HeldLock | undefined> {
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
      stillHeld: () => !compromised && readNote(path)?.token === token,
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
    stat: calledBack(fs.statSync),
    utimes: calledBack(fs.utimesSync),
    mkdir: calledBack((path: string) => {
      try {
        fs.renameSync(`${path}.${token}`, path);
      } catch (error) {
        throw asTaken(error as NodeJS.ErrnoException, path);
      }
    }),
    rmdir: calledBack((path: string) => removeOwn(path, token)),
    /** Called while the process exits. */
    rmdirSync: (path: string) => removeOwn(path, token),
  };
}

function calledBack<Args extends unknown[], Result>(act: (...args: Args) => Result) {
  return (...args: [...Args, (error: unknown, result?: Result) => void]) => {
    const done = args.pop() as (error: unknown, result?: Result) => void;
    let result: Result;
    try {
      result = act(...(args as unknown as Args));
    } catch (error) {
      done(error);
      return;
    }
    done(null, result);
  };
}

/** A rename onto a lock fails in a way of each platform's own. */
function asTaken(error: NodeJS.ErrnoException, path: string): Error {
  const taken =
    hasCode(error, "ENOTEMPTY", "EEXIST", "ENOTDIR", "ENOENT") ||
    (hasCode(error, "EPERM", "EACCES") && fs.existsSync(path));
  return taken ? Object.assign(error, { code: "EEXIST" }) : error;
}

function removeOwn(path: string, token: string): void {
  if (readNote(path)?.token === token) takeAway(path, token);
}

/** Moves a lock to the name of its owner and removes it there. Puts it back when it turns out to be another's. */
function takeAway(path: string, token: string): boolean {
  const grave = `${path}.${token}`;
  try {
    fs.renameSync(path, grave);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTEMPTY", "EEXIST", "EPERM", "EACCES")) return false;
    throw error;
  }
  const moved = readNote(grave);
  if (moved && moved.token !== token) {
    // Between the judgement and the rename somebody else took the lock over.
    fs.renameSync(grave, path);
    return false;
  }
  removeFolder(grave);
  return true;
}

/** Removes a lock's folder by what it holds, which is faster than looking; then by looking, should it hold something else. */
function removeFolder(path: string): void {
  try {
    fs.unlinkSync(join(path, NOTE));
    fs.rmdirSync(path);
  } catch {
    fs.rmSync(path, { recursive: true, force: true });
  }
}

function removeIfDead(path: string): boolean {
  const owner = readNote(path);
  return isDead(path, owner) && takeAway(path, owner?.token ?? randomUUID());
}

function isDead(path: string, owner: Owner | undefined, silence = FOREIGN_SILENCE): boolean {
  const alive = owner && isAlive(owner);
  return alive === undefined ? ageOf(path) > silence : !alive;
}

/** In ms since it was made or touched; 0 when it has gone. */
function ageOf(path: string): number {
  const info = fs.statSync(path, { throwIfNoEntry: false });
  return info ? Date.now() - info.mtimeMs : 0;
}

function readNote(path: string): Owner | undefined {
  try {
    return JSON.parse(fs.readFileSync(join(path, NOTE), "utf8")) as Owner;
  } catch {
    return undefined;
  }
}

function timeout(path: string): SentinelError {
  const owner = readNote(path);
  const who = owner ? `process ${owner.pid} on ${owner.host.split(" ")[0]}` : "another process";
  return new SentinelError(
    "lock_timeout",
    `The memory file stayed locked by ${who} for ${PATIENCE / 1000} s, so nothing was written.`,
    "Call again in a moment. If that process hangs, end it: its lock then goes by itself.",
  );
}
