import { known } from "./fields.ts";
import type { Commit } from "./transcript.ts";

const COMMITS = /\bgit\b[^|;&\n]*\bcommit\b/;
/** "[main 1a2b3c4] Subject". */
const COMMITTED = /^\[([^\]\n]*?)(?: \([^)\n]*\))? ([0-9a-f]{7,40})\] (.*)$/m;

/** @param sha where the client says it apart. @returns undefined where the command commits nothing, or nothing says what. */
export function commitIn(command: string | undefined, output: string, sha?: string): Commit | undefined {
  if (!COMMITS.test(command ?? "")) return undefined;
  const [, branch, printed, subject] = COMMITTED.exec(output) ?? [];
  const hash = sha ?? printed;
  return hash === undefined ? undefined : { sha: hash, ...known({ branch, subject }) };
}
