/** The names next to a file while it's written: its lock's folder and its staging file. Git ignores both, and doctor reports old ones. */
import { basename } from "node:path";

/** The suffix of a file's lock, which is a folder. A claim or a tombstone adds a token to that name. */
export const LOCK = ".lock";
/** The start of a staging file's suffix, followed by a token. */
export const STAGING = ".staging-";

/** Returns the names in a file's folder that its writers created. */
export function sidecarsOf(file: string, names: readonly string[]): string[] {
  return names.filter((name) =>
    [LOCK, STAGING].some((suffix) => name.startsWith(basename(file) + suffix)),
  );
}
