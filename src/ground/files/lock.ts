/**
 * Allows one writer at a time among all processes that share a file (docs/design/lessons.md, "Writing"). The lock is a folder next to the file.
 * We implement acquiring it and checking its owner, because proper-lockfile's rule lets two processes steal one lock. A lock never expires by age
 * while its owner is known to be alive. From proper-lockfile we use the heartbeat, the detection of changed locks, and the cleanup at exit.
 * The steps are synchronous, because threads cost more.
 */
import { existsSync, readdirSync, renameSync, statSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as lockfile from "proper-lockfile";
import { SentinelError } from "../core/errors.ts";
import { PATIENCE_MS } from "./fault-points.ts";
import { hasCode } from "./file-errors.ts";
import { createOwned, isAlive, type Owner, readOwner, removeOwned } from "./lock-owner.ts";
import { LOCK } from "./replace-file.ts";

/** An owner that may be alive or dead counts as dead after this long without a heartbeat. */
const UNKNOWN_SILENCE_MS = 60_000;
const HEARTBEAT_MS = 10_000;
/** Making or removing a folder takes far less than this. After it, a folder without an owner's note counts as abandoned. */
const UNSIGNED_SILENCE_MS = 1_000;
/** The pause between two tries, with jitter so that waiters don't poll in step. */
const LEAST_PAUSE_MS = 1;
const MOST_PAUSE_MS = 12;
/** Each time this passes, the longest pause of a waiter shrinks by 1 ms, down to 2 ms, so long waiters are served sooner. */
const PAUSE_SHRINKS_EVERY_MS = 10;
/** After releasing a lock, wait this long to give every waiter a chance. */
export const YIELD_MS = MOST_PAUSE_MS + 2;
/** How often a waiter checks whether the owner is alive. A claim younger than this is left alone. */
const LIVENESS_INTERVAL_MS = 100;
/** The number of times, at that interval, that an owner looks for its lock before it gives up. */
const TRIES_TO_REMOVE = 10;

/** The locks that this process holds or is acquiring, by path, each with the token of its acquisition. */
const tokens = new Map<string, string>();

export interface HeldLock {
  readonly token: string;
  /** Whether we still own the lock. Another host may have considered us dead. */
  stillHeld(): boolean;
  release(): Promise<void>;
}

/** Acquires the lock of a file. @param patienceMs how long to wait. It tries once even at 0. @throws SentinelError `lock_timeout`, naming the owner. */
export async function acquireLock(file: string, patienceMs = PATIENCE_MS): Promise<HeldLock> {
  const path = file + LOCK;
  const token = newToken();
  const claim = nameWith(path, token);
  const start = performance.now();
  let judgeAt = 0;
  try {
    for (;;) {
      if (!existsSync(claim)) {
        createClaim(claim, token);
      }
      // Most tries of a waiter end here, because checking costs a tenth of an attempt.
      const held = existsSync(path) ? undefined : await tryLock(file, path, token);
      if (held) {
        return held;
      }
      if (performance.now() >= judgeAt) {
        if (removeIfDead(path)) {
          continue;
        }
        judgeAt = performance.now() + LIVENESS_INTERVAL_MS;
      }
      const waitedMs = performance.now() - start;
      if (waitedMs >= patienceMs) {
        throw timeout(file, patienceMs);
      }
      await sleep(pauseAfter(waitedMs));
    }
  } catch (error) {
    removeOwned(claim);
    throw error;
  }
}

/** Runs a function under the lock of a file, then removes the leftovers of dead owners next to it. @throws also the function's errors. */
export async function withLock<Result>(
  file: string,
  act: (lock: HeldLock) => Promise<Result>,
  patienceMs?: number,
): Promise<Result> {
  const lock = await acquireLock(file, patienceMs);
  try {
    removeLockLeftovers(file, readdirSync(dirname(file)));
    return await act(lock);
  } finally {
    await lock.release();
  }
}

/** Returns the owner of a file's lock. Undefined if it's free, or its folder has no note. @internal */
export const lockOwner = (file: string): Owner | undefined => readOwner(file + LOCK);

/** Removes claims and tombstones of dead owners next to a lock. @param names in the file's folder. @returns whether others wait for the lock. */
export function removeLockLeftovers(file: string, names: readonly string[]): boolean {
  const prefix = nameWith(basename(file) + LOCK, "");
  const waiters = names.filter((name) => {
    if (!name.startsWith(prefix)) {
      return false;
    }
    const path = join(dirname(file), name);
    if (ageOf(path) < LIVENESS_INTERVAL_MS) {
      return true;
    }
    const owner = readOwner(path);
    if (!isDead(path, owner, owner ? UNKNOWN_SILENCE_MS : UNSIGNED_SILENCE_MS)) {
      return true;
    }
    removeOwned(path);
    return false;
  });
  return waiters.length > 0;
}

/** Returns a unique token. Node seeds Math.random from the system, and loading the crypto module would slow down every prompt, which takes a lock. */
const newToken = (): string =>
  `${process.pid}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** Returns the name of this token's claim, and later of its tombstone. */
const nameWith = (path: string, token: string): string => `${path}.${token}`;

/** Makes the folder that becomes the lock. Another process may remove one without a note, and its maker then tries again. */
function createClaim(claim: string, token: string): void {
  try {
    createOwned(claim, token);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || !existsSync(dirname(claim))) {
      throw error;
    }
  }
}

function pauseAfter(waitedMs: number): number {
  const most = Math.max(LEAST_PAUSE_MS + 1, MOST_PAUSE_MS - waitedMs / PAUSE_SHRINKS_EVERY_MS);
  return LEAST_PAUSE_MS + Math.random() * (most - LEAST_PAUSE_MS);
}

async function tryLock(file: string, path: string, token: string): Promise<HeldLock | undefined> {
  if (tokens.has(path)) {
    return undefined;
  }
  tokens.set(path, token);
  let isLost = false;
  try {
    const release = await lockfile.lock(file, {
      realpath: false,
      lockfilePath: path,
      stale: Number.POSITIVE_INFINITY,
      update: HEARTBEAT_MS,
      fs: fileSystem,
      onCompromised: () => {
        isLost = true;
      },
    });
    return {
      token,
      stillHeld: () => !isLost && readOwner(path)?.token === token,
      release: async () => {
        // A lock that was lost has nothing left to release.
        await release().catch(() => undefined);
        await removeWhenBack(path, token);
      },
    };
  } catch (error) {
    const isJudged = hasCode(error, "ENOENT");
    if (isJudged) {
      await removeWhenBack(path, token);
    } else {
      tokens.delete(path);
    }
    if (isJudged || hasCode(error, "ELOCKED")) {
      return undefined;
    }
    throw error;
  }
}

/** The file system that proper-lockfile uses. There's one per process, because the library caches the precision of file times on it. */
const fileSystem = {
  stat: withCallback(statSync),
  utimes: withCallback(utimesSync),
  mkdir: withCallback((path: string) => {
    try {
      renameSync(nameWith(path, tokens.get(path) ?? ""), path);
    } catch (error) {
      throw asTaken(error as NodeJS.ErrnoException, path);
    }
  }),
  rmdir: withCallback(removeOurs),
  /** Called while the process exits. */
  rmdirSync: removeOurs,
};

function withCallback<Args extends unknown[], Result>(act: (...args: Args) => Result) {
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

/**
 * Each platform has its own error for a rename onto a lock. Windows also refuses to rename a folder while a scanner has a file in it
 * open. The next try may succeed.
 */
function asTaken(error: NodeJS.ErrnoException, path: string): Error {
  const taken =
    hasCode(error, "ENOTEMPTY", "EEXIST", "ENOTDIR", "ENOENT") ||
    (hasCode(error, "EPERM", "EACCES", "EBUSY") &&
      (process.platform === "win32" || existsSync(path)));
  return taken ? Object.assign(error, { code: "EEXIST" }) : error;
}

function removeOurs(path: string): void {
  const token = tokens.get(path);
  if (token !== undefined && readOwner(path)?.token === token && reclaim(path, token)) {
    tokens.delete(path);
  }
}

/** Removes a lock that was briefly moved away. Another process took it for a dead owner's lock, and puts it back at once. */
async function removeWhenBack(path: string, token: string): Promise<void> {
  for (let tries = 0; tries < TRIES_TO_REMOVE && tokens.get(path) === token; tries++) {
    await sleep(LIVENESS_INTERVAL_MS);
    removeOurs(path);
  }
  if (tokens.get(path) === token) {
    tokens.delete(path);
  }
}

/** Moves a lock to its owner's tombstone and removes it there. If it turns out to have another owner, puts it back. */
function reclaim(path: string, token: string): boolean {
  const tombstone = nameWith(path, token);
  if (!move(path, tombstone)) {
    return false;
  }
  const owner = readOwner(tombstone);
  if (owner && owner.token !== token) {
    // Another process took the lock after we judged its owner dead, so we put it back. If that path is taken by now, the lock stays here, and its
    // owner finds that it lost the lock.
    move(tombstone, path);
    return false;
  }
  removeOwned(tombstone);
  return true;
}

/** Renames a lock. @returns false if it no longer exists, or the new path is taken. */
function move(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTEMPTY", "EEXIST", "EPERM", "EACCES", "EBUSY")) {
      return false;
    }
    throw error;
  }
}

function removeIfDead(path: string): boolean {
  const owner = readOwner(path);
  return isDead(path, owner) && reclaim(path, owner?.token ?? newToken());
}

function isDead(path: string, owner: Owner | undefined, silenceMs = UNKNOWN_SILENCE_MS): boolean {
  const alive = owner && isAlive(owner);
  return alive === undefined ? ageOf(path) > silenceMs : !alive;
}

/** Returns the ms since the lock was made or touched, or 0 if it no longer exists. */
function ageOf(path: string): number {
  const info = statSync(path, { throwIfNoEntry: false });
  return info ? Date.now() - info.mtimeMs : 0;
}

function timeout(file: string, patienceMs: number): SentinelError {
  const owner = lockOwner(file);
  const who = owner ? `process ${owner.pid} on ${owner.host.split(" ")[0]}` : "another process";
  const seconds = Math.round(Math.max(0, patienceMs) / 100) / 10;
  const mayHang = owner !== undefined && isAlive(owner) === true;
  return new SentinelError(
    "lock_timeout",
    `${file} stayed locked by ${who} for ${seconds} s, so nothing was written.`,
    mayHang
      ? "Call again in a moment. If that process hangs, end it: its lock then goes by itself."
      : "Call again in a minute: the lock of a process that ended is taken over by then.",
  );
}
