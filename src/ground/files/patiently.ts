/** On Windows, a file can't be replaced while another program has it open, as scanners and backups do for a moment. */
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "./file-errors.ts";

/** The pauses between tries, in ms. */
const PAUSES_MS = [10, 30, 100, 200, 400];

/** Retries for 0.74 s while another program holds a file. @throws the error of the last try. */
export async function patiently<Result>(act: () => Result | Promise<Result>): Promise<Result> {
  for (const pause of PAUSES_MS) {
    try {
      return await act();
    } catch (error) {
      if (!isHeld(error)) throw error;
      await sleep(pause);
    }
  }
  return act();
}

/** Like `patiently`, but blocks the process, for synchronous callers. */
export function patientlySync<Result>(act: () => Result): Result {
  for (const pause of PAUSES_MS) {
    try {
      return act();
    } catch (error) {
      if (!isHeld(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
  return act();
}

const isHeld = (error: unknown): boolean => hasCode(error, "EPERM", "EACCES", "EBUSY");
