/** Where the test build differs: the clock, the wait for a lock, and named points of a write, whose empty calls the shipped bundle drops. */

/** Where a fault test can stop or kill a writer, in the order in which a write reaches them. @internal */
export const WRITE_POINTS = ["locked", "trashed", "staged", "verified", "renaming", "renamed", "unlocking"] as const;

/** The same for a purge or a retention of the session log. @internal */
export const PURGE_POINTS = [
  "purge-noted",
  "day-closed",
  "day-staged",
  "day-renamed",
  "days-rewritten",
  "index-forgotten",
  "artifact-parted",
  "artifacts-swept",
  "purge-noted-done",
] as const;

/** The same for an update of the index. @internal */
export const INDEX_POINTS = [
  "index-segment-staged",
  "index-segment-written",
  "index-manifest-staged",
  "index-manifest-written",
] as const;

/** The points above, those that only an append to a log or to the session log reaches, and the wait for a file that is being saved. */
export type FaultPoint =
  | (typeof WRITE_POINTS)[number]
  | (typeof PURGE_POINTS)[number]
  | (typeof INDEX_POINTS)[number]
  | "appended"
  | "artifact-staged"
  | "artifact-kept"
  | "acknowledging"
  | "calming";

/** How long a writer waits for a lock, unless it says otherwise. */
export const PATIENCE_MS = 10_000;

/** Milliseconds since 1970. */
export const now = (): number => Date.now();

export function reach(_point: FaultPoint): void {}
