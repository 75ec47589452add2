/** The opening lessons of a memory that is small enough to be read at once. */
import { existsSync, readFileSync } from "node:fs";
import type { ContextFolder } from "../../ground/project/context-folder.ts";
import { openingOf } from "../answers/opening.ts";
import { parseFile } from "../format/file-lines.ts";
import { fold } from "../merge/fold.ts";
import { readMemoryPolicy } from "../policy.ts";

/** Empty where the project wants none, or has no lessons. */
export async function readOpening(context: ContextFolder): Promise<string> {
  if (
    mayDecide(context.memoryPolicy) &&
    (await readMemoryPolicy(context)).values.instructions === "plain"
  )
    return "";
  return openingOf(fold(parseFile(readFileSync(context.memoryFile)).versions));
}

/** Whether a policy names the key at all: to parse YAML takes longer than all the rest. */
function mayDecide(memoryPolicy: string): boolean {
  return existsSync(memoryPolicy) && readFileSync(memoryPolicy, "utf8").includes("instructions");
}
