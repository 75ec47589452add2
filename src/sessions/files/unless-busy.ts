/** Ignores that a cache can't be written: the next process that needs it tries again. */
import { hasCode } from "../../ground/files/file-errors.ts";

/** @returns whether the work was done. */
export function unlessBusy(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** Another process does the same, or has just made or removed the folder. */
export const isBusy = (error: unknown): boolean =>
  hasCode(error, "lock_timeout", "ENOENT", "EEXIST");
