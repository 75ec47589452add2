/** Every default and every limit that is not part of the file format, and what the environment may change. */
import { log } from "../files/log.ts";

/** From more records than this on, a compaction is due (seed 1, section 1-2). */
export const COMPACT_THRESHOLD = 50;
/** How long calls that were received are given to finish when the server is told to end, in ms. */
export const GRACE_PERIOD = 2_000;
/** The longest line a client may send, in bytes; the SDK ends the server at 10 MiB. */
export const LONGEST_MESSAGE = 4 * 1024 * 1024;
/** The smallest answer that is of use, in bytes. */
const LEAST_OUTPUT_BUDGET = 2_000;

/** Bytes an answer may hold, from SENTINEL_OUTPUT_BUDGET; undefined when it is not set, or not to a usable number. */
export function readOutputBudget(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const value = env.SENTINEL_OUTPUT_BUDGET;
  if (!value) return undefined;
  const bytes = Number(value);
  if (Number.isInteger(bytes) && bytes >= LEAST_OUTPUT_BUDGET) return bytes;
  log(`SENTINEL_OUTPUT_BUDGET is "${value}", not a number of bytes from ${LEAST_OUTPUT_BUDGET} up; it is ignored.`);
  return undefined;
}
