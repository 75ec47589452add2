import * as z from "zod";
import { DEFAULT_COMPACT_THRESHOLD } from "../policy.ts";

/** The argument of the tools that say whether a compaction is due. */
export const compactThreshold = z
  .int()
  .min(1)
  .max(1_000_000)
  .optional()
  .describe(
    `With more lessons than this a compaction is due; by default what the project set, or ${DEFAULT_COMPACT_THRESHOLD}.`,
  );
