/** What may be left for later: another process does it, or the disk does not let this one. */
import { hasCode } from "../../ground/files/file-errors.ts";

/** @returns whether the work was done. */
export async function unlessBusy(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (
      isBusy(error) ||
      hasCode(error, "disk_full", "read_only", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM")
    )
      return false;
    throw error;
  }
}

/** Another process is at it, or has made or removed the folder in this moment. */
export const isBusy = (error: unknown): boolean =>
  hasCode(error, "lock_timeout", "ENOENT", "EEXIST");
