/** What may be left for later: another process does it, or the disk does not let this one. */
import { SentinelError } from "../../ground/core/errors.ts";
import { hasCode } from "../../ground/files/file-errors.ts";

/** What the system says where it doesn't let this process write; the last two on Windows while another program has a file open. */
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

/** Another process is at it, or has made or removed the folder in this moment. */
export const isBusy = (error: unknown): boolean =>
  hasCode(error, "lock_timeout", "ENOENT", "EEXIST");
