/** The names next to a file while it's written: its lock's folder and the staging file. Git ignores both, and doctor finds old ones. */
import { basename } from "node:path";

/** The lock of a file is a folder named after it. A claim or a tombstone adds a token to that name. */
export const LOCK = ".lock";
/** The staging file of a file is named after it, with a token added. */
export const STAGING = ".staging-";

/** Those of the names in a file's folder that belong to a writer of that file. */
export function sidecarsOf(file: string, names: readonly string[]): string[] {
  return names.filter((name) =>
    [LOCK, STAGING].some((suffix) => name.startsWith(basename(file) + suffix)),
  );
}
