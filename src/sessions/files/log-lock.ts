/** The lock of a session log. (docs/design/sessions.md, "Appending and reading") */
import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { fileError } from "../../ground/files/file-errors.ts";
import { type HeldLock, withLock } from "../../ground/files/lock.ts";
import { makePrivateFolder } from "../../ground/files/private-file.ts";

/** The name of the lock. No file of this name is created. */
const LOCKED = "record";

/** The session log whose lock the current act runs under. */
interface HeldLogLock extends Pick<HeldLock, "stillHeld"> {
  readonly folder: string;
  /** False once the lock is released, because an act may leave work running. */
  isHeld: boolean;
}

const heldLock = new AsyncLocalStorage<HeldLogLock>();

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
  if (outer?.isHeld && outer.folder === folder) {
    return act();
  }
  const actAlone = async ({ stillHeld }: HeldLock) => {
    const lock = { folder, isHeld: true, stillHeld };
    try {
      return await heldLock.run(lock, act);
    } finally {
      lock.isHeld = false;
    }
  };
  const state = join(folder, "state");
  try {
    makePrivateFolder(state);
    return await withLock(join(state, LOCKED), actAlone, patienceMs);
  } catch (error) {
    throw fileError(error, "write_failed", `writing the session log in ${folder}`);
  }
}

/**
 * Call it before replacing or removing a file that another process may have changed, because a process that was stopped may have lost its
 * lock. @throws Error
 */
export function mustHoldLogLock(): void {
  if (heldLock.getStore()?.stillHeld() === false) {
    throw new Error("another process took the lock meanwhile");
  }
}
