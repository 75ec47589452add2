/** Where the test build differs: the clock, the wait for a lock, and named points of a write, whose empty calls the shipped bundle drops. */

/** How long a writer waits for a lock, unless it says otherwise. */
export const PATIENCE_MS = 10_000;

/** Milliseconds since 1970. */
export const now = (): number => Date.now();

/** A fault test can stop or kill a writer here. @param _point its name; `test/faults/fault-points.ts` has them in their order. */
export function faultPoint(_point: string): void {}
