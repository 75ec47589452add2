/** Lessons for clients without hooks. Their first request waits for it, so no lock and no ranking, and only a small memory. */
import { statSync } from "node:fs";
import type { ContextFolder } from "../../ground/project/context-folder.ts";

/** Some two hundred lessons, which take about 10 ms. Parsing cannot be interrupted, so a larger memory is not read. */
const LARGEST_BYTES = 64 * 1024;

/** The text that follows the loop; empty where the project wants none, or has no lessons. */
export async function openingLessons(context: ContextFolder): Promise<string> {
  const info = statSync(context.memoryFile, { throwIfNoEntry: false });
  if (!info?.isFile() || info.size === 0 || info.size > LARGEST_BYTES) return "";
  // Loaded late: a start needs nothing of it where a hook brings the lessons, or there are none.
  const { readOpening } = await import("./read-opening.ts");
  return readOpening(context);
}
