/** Whether this folder has the session log's own hooks, in the file that `sessions on` writes. Works without git. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PERSONAL_HOOKS } from "../../ground/clients/claude-code.ts";
import { isSessionHook } from "../../ground/clients/launch.ts";
import { tryOr } from "../../ground/core/errors.ts";

export function logSpeaks(project: string, file: string = PERSONAL_HOOKS): boolean {
  return tryOr(() => isSessionHook(readFileSync(join(project, file), "utf8")), false);
}
