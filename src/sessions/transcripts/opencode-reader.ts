import { join } from "node:path";
import { namesIn } from "./names-in.ts";
import { meaningOf, targetOf } from "./opencode-tools.ts";
import { readOpencodeLine } from "./opencode-transcript.ts";
import type { TranscriptReader } from "./transcript.ts";

export const opencodeReader: TranscriptReader = {
  agent: "opencode",
  name: "opencode",
  revision: 1,
  find: findSpooled,
  readLine: readOpencodeLine,
  targetOf,
  meaningOf,
};

/** What was handed over and is not recorded yet, the oldest first. @param spool a folder of the session log. */
async function findSpooled(spool: string): Promise<readonly string[]> {
  const names = await namesIn(spool);
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(spool, name));
}
