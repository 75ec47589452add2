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

/** Where a fault test can stop or kill a writer, in the order in which a write reaches them. */
export const WRITE_POINTS = [
  "locked",
  "trashed",
  "staged",
  "verified",
  "renaming",
  "renamed",
  "unlocking",
] as const;

/** The same for a purge or a retention of the session log. */
export const PURGE_POINTS = [
  "purge-noted",
  "day-staged",
  "day-renamed",
  "days-rewritten",
  "index-forgotten",
  "artifacts-swept",
  "purge-noted-done",
] as const;

/** The same for an update of the index. */
export const INDEX_POINTS = ["index-segment-staged", "index-segment-written"] as const;

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

const { SENTINEL_TEST_CLOCK, SENTINEL_TEST_PATIENCE, SENTINEL_TEST_FAULT, SENTINEL_TEST_TRACE } =
  process.env;
const [fault, wantedPoint, times = "1"] = SENTINEL_TEST_FAULT?.split(" ") ?? [];
let reached = 0;

export const PATIENCE_MS = Number(SENTINEL_TEST_PATIENCE ?? 10_000);

export function now(): number {
  return Date.now() + Number(SENTINEL_TEST_CLOCK ?? 0);
}

export function faultPoint(point: string): void {
  if (SENTINEL_TEST_TRACE) {
    appendFileSync(SENTINEL_TEST_TRACE, `${point}\n`);
  }
  if (point !== wantedPoint) {
    return;
  }
  reached++;
  if (fault === "kill" || fault === "stop") {
    if (reached === Number(times)) {
      process.kill(process.pid, fault === "kill" ? "SIGKILL" : "SIGSTOP");
    }
  } else if (reached <= Number(times)) {
    throw Object.assign(new Error(`${fault}: a fault of the test`), { code: fault });
  }
}
