/** Lessons for clients without hooks. Their first request waits for it, so no lock and no ranking, and only a small memory. */
import { readFileSync, statSync } from "node:fs";
import { localMinute } from "../../ground/core/time.ts";
import type { ContextFolder } from "../../ground/project/context-folder.ts";
import { openingOf } from "../answers/opening.ts";
import { parseFile } from "../format/file-lines.ts";
import { fold } from "../merge/fold.ts";
import { readMemoryPolicy } from "../policy.ts";

/** Some two hundred lessons, which take about 10 ms. Parsing cannot be interrupted, so a larger memory is not read. */
const LARGEST_BYTES = 64 * 1024;

/** The text after the loop. Empty if the project wants none, or has no lessons. */
export async function openingLessons(context: ContextFolder): Promise<string> {
  const info = statSync(context.memoryFile, { throwIfNoEntry: false });
  if (!info?.isFile() || info.size === 0 || info.size > LARGEST_BYTES) return "";
  const policy = await readMemoryPolicy(context);
  if (policy.values.instructions === "plain") return "";
  const snapshot = fold(parseFile(readFileSync(context.memoryFile)).versions);
  // Asking git for the branch would take longer than all else, so lessons of a branch are left out.
  return openingOf(snapshot, { now: localMinute(Date.now()) });
}
