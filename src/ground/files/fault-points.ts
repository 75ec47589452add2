/** Values and functions that the test build replaces: the clock, the wait for a lock, and fault points in writes. The shipped bundle drops the empty calls. */

/** How long a writer waits for a lock by default. */
export const PATIENCE_MS = 10_000;

/** Milliseconds since 1970. */
export const now = (): number => Date.now();

/** A fault test can stop or kill a writer here. @param _point a name of `test/faults/fault-points.ts`. */
export function faultPoint(_point: string): void {}
