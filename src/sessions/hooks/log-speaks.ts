/**
 * Whether the person has hooks of the session log in this folder, which speak at the start of a session: looked up where `record on` writes
 * them, without asking git. Whether anything may be recorded is for the capture to find out.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PERSONAL_HOOKS } from "../../ground/clients/claude-code.ts";
import { SESSION_HOOK } from "../../ground/clients/launch.ts";
import { orElse } from "../../ground/core/or-else.ts";

export function logSpeaks(project: string): boolean {
  return orElse(() => readFileSync(join(project, PERSONAL_HOOKS), "utf8").includes(SESSION_HOOK), false);
}
