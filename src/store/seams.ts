/**
 * The two places where the test build differs from the shipped one: what time it is, and what happens at the named points
 * of the write path. Here the clock is the machine's and at the points nothing happens; a bundle drops the empty calls.
 */

/** Where a writer can be stopped or killed by a fault test. */
export type WritePoint = "locked" | "trashed" | "staged" | "verified" | "renaming" | "renamed" | "unlocking";

/** Milliseconds since 1970. */
export function now(): number {
  return Date.now();
}

export function reach(_point: WritePoint): void {}
