/** RE2 for lessons that name an error between slashes: only a server loads it, and only where a memory has such a lesson. */
import { mentions } from "./mentions.ts";
import type { Situation } from "./situation.ts";

/** Undefined where no lesson can need it. */
export async function loadPatterns(memoryFile: string): Promise<Situation["regex"]> {
  return mentions(memoryFile, '"/') ? (await import("../queries/error-pattern.ts")).matchesPattern : undefined;
}
