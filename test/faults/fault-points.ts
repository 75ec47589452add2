/**
 * What the test build has in place of src/ground/files/fault-points.ts. The environment says what is to happen:
 *
 * - `SENTINEL_TEST_CLOCK=-3600000`: the clock is off by so many ms.
 * - `SENTINEL_TEST_PATIENCE=500`: a call waits so many ms for its turn.
 * - `SENTINEL_TEST_FAULT="kill staged 2"`: at the point `staged`, the second time it is reached, the process is killed. The
 *   other faults are `stop`, and a code of the system such as `EBUSY`, which is thrown the first two times.
 * - `SENTINEL_TEST_TRACE=FILE`: the name of every point that is reached goes there, one a line.
 */
import { appendFileSync } from "node:fs";
import type { FaultPoint } from "../../src/ground/files/fault-points.ts";

const { SENTINEL_TEST_CLOCK, SENTINEL_TEST_PATIENCE, SENTINEL_TEST_FAULT, SENTINEL_TEST_TRACE } = process.env;
const [fault, faultPoint, times = "1"] = SENTINEL_TEST_FAULT?.split(" ") ?? [];
let reached = 0;

export const PATIENCE_MS = Number(SENTINEL_TEST_PATIENCE ?? 10_000);

export function now(): number {
  return Date.now() + Number(SENTINEL_TEST_CLOCK ?? 0);
}

export function reach(point: FaultPoint): void {
  if (SENTINEL_TEST_TRACE) appendFileSync(SENTINEL_TEST_TRACE, `${point}\n`);
  if (point !== faultPoint) return;
  reached++;
  if (fault === "kill" || fault === "stop") {
    if (reached === Number(times)) process.kill(process.pid, fault === "kill" ? "SIGKILL" : "SIGSTOP");
  } else if (reached <= Number(times)) throw Object.assign(new Error(`${fault}: a fault of the test`), { code: fault });
}
