/**
 * Lessons for clients that run no hook, in the instructions. The client waits for them with its first request: so they are read
 * without the lock and the ranking, at once, and only from a memory that is read in a moment.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { openingOf } from "../lessons/answers/opening.ts";
import { parseFile } from "../lessons/format/file-lines.ts";
import { fold } from "../lessons/merge/fold.ts";
import { readMemoryPolicy } from "../lessons/policy.ts";
import type { ContextFolder } from "../project/context-folder.ts";

/** Some two hundred records, which take about 10 ms. Parsing cannot be interrupted, so a larger memory is not read. */
const LARGEST_BYTES = 64 * 1024;

/** The text that follows the loop; empty where the project wants none, or has no lessons. */
export async function openingLessons(context: ContextFolder): Promise<string> {
  const info = statSync(context.memoryFile, { throwIfNoEntry: false });
  if (!info?.isFile() || info.size === 0 || info.size > LARGEST_BYTES) return "";
  if (mayDecide(context.memoryPolicy) && (await readMemoryPolicy(context)).values.instructions === "plain") return "";
  return openingOf(fold(parseFile(readFileSync(context.memoryFile)).versions));
}

/** Whether a policy names the key at all: to parse YAML takes longer than all the rest. */
function mayDecide(memoryPolicy: string): boolean {
  return existsSync(memoryPolicy) && readFileSync(memoryPolicy, "utf8").includes("instructions");
}
