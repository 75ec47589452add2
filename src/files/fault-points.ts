/**
 * Where the test build differs from the shipped one: what time it is, how long a call waits for its turn, and what happens at
 * the named points of the write path. Here the clock is the machine's and at the points nothing happens; a bundle drops the
 * empty calls.
 */

/** Where a writer can be stopped or killed by a fault test, in the order in which a write comes by. */
export const WRITE_POINTS = ["locked", "trashed", "staged", "verified", "renaming", "renamed", "unlocking"] as const;

export type WritePoint = (typeof WRITE_POINTS)[number];

/** How long a call waits for its turn, in ms. */
export const PATIENCE = 10_000;

/** Milliseconds since 1970. */
export function now(): number {
  return Date.now();
}

export function reach(_point: WritePoint): void {}
