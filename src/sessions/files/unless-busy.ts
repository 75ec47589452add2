/** Runs work that can be skipped if another process is doing it, or if the disk refuses writes. */
import { SentinelError } from "../../ground/core/errors.ts";
import { hasCode } from "../../ground/files/file-errors.ts";

/** The system's errors if this process may not write. On Windows, EPERM and EBUSY also mean that another program has the file open. */
const REFUSALS = ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EBUSY"];

/** @returns whether the work was done. */
export async function unlessBusy(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    const cause = error instanceof SentinelError ? error.cause : error;
    if (isBusy(error) || hasCode(error, "disk_full", "read_only") || hasCode(cause, ...REFUSALS))
      return false;
    throw error;
  }
}

/** Another process does the same, or has just made or removed the folder. */
export const isBusy = (error: unknown): boolean =>
  hasCode(error, "lock_timeout", "ENOENT", "EEXIST");
