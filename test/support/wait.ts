/** The only clocks of the tests. They poll a condition, so a slow machine makes a test slower and doesn't change its result. */
import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 5;
/** Only ends a hang. */
const HANG_MS = 120_000;

/** Waits until a condition holds. @throws Error after `deadline` ms. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  deadline = HANG_MS,
): Promise<void> {
  const end = performance.now() + deadline;
  while (!(await condition())) {
    if (performance.now() > end) {
      throw new Error(`not within ${deadline} ms: ${condition}`);
    }
    await sleep(PAUSE_MS);
  }
}

/** Watches a condition for some ms. @returns false as soon as it doesn't hold any more. */
export async function holdsFor(ms: number, condition: () => boolean): Promise<boolean> {
  const end = performance.now() + ms;
  while (condition()) {
    const left = end - performance.now();
    if (left <= 0) {
      return true;
    }
    await sleep(Math.min(left, PAUSE_MS));
  }
  return false;
}

/** Reads again until the value is as wanted. @returns the last value, also after the deadline, so that the test's own expectation shows it. */
export async function readUntil<Value>(
  read: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
  deadline = HANG_MS,
): Promise<Value> {
  const end = performance.now() + deadline;
  let value = await read();
  while (!isWanted(value) && performance.now() < end) {
    await sleep(PAUSE_MS);
    value = await read();
  }
  return value;
}
