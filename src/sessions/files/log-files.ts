import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { fileError } from "../../ground/files/file-errors.ts";
import { type HeldLock as FileLock, withLock } from "../../ground/files/lock.ts";
import { makePrivateFolder } from "../../ground/files/private-file.ts";
import { Artifacts } from "./artifacts.ts";
import { DayFiles } from "./day-files.ts";
import { PurgedList } from "./purged-list.ts";

/** The name of the lock. No file of this name is created. */
const LOCKED = "record";

/** The session log whose lock the current act runs under. */
interface HeldLock extends Pick<FileLock, "stillHeld"> {
  readonly folder: string;
  /** False once the lock is released, because an act may leave work running. */
  isHeld: boolean;
}

const heldLock = new AsyncLocalStorage<HeldLock>();

/** The files of a session log. */
export interface LogFiles {
  readonly folder: string;
  readonly days: DayFiles;
  readonly artifacts: Artifacts;
  readonly purged: PurgedList;
}

export function logFiles(folder: string): LogFiles {
  return {
    folder,
    days: new DayFiles(join(folder, "events")),
    artifacts: new Artifacts(join(folder, "artifacts")),
    purged: new PurgedList(join(stateFolder(folder), "purged.jsonl")),
  };
}

/**
 * Runs an act that only one process may run at a time: an append, a capture's turn, a purge or retention. An act under the lock can call
 * this again. Other processes can still read.
 * @throws SentinelError `lock_timeout`, `read_only`, and the errors of `act`.
 */
export async function withLogLock<Result>(
  folder: string,
  act: () => Promise<Result>,
  patienceMs?: number,
): Promise<Result> {
  const outer = heldLock.getStore();
  if (outer?.isHeld && outer.folder === folder) return act();
  const actAlone = async ({ stillHeld }: FileLock) => {
    const lock = { folder, isHeld: true, stillHeld };
    try {
      return await heldLock.run(lock, act);
    } finally {
      lock.isHeld = false;
    }
  };
  const state = stateFolder(folder);
  try {
    makePrivateFolder(state);
    return await withLock(join(state, LOCKED), actAlone, patienceMs);
  } catch (error) {
    throw fileError(error, "write_failed", `writing the session log in ${folder}`);
  }
}

/** Ask before removing what another process may have changed, because a process that was stopped may have lost its lock. @throws Error */
export function mustHoldLogLock(): void {
  if (heldLock.getStore()?.stillHeld() === false)
    throw new Error("another process took the lock meanwhile");
}

const stateFolder = (folder: string): string => join(folder, "state");
