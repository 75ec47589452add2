/** Which clients a project uses, from the files they leave there. */
import { basename, dirname } from "node:path/posix";
import type { Client } from "../../ground/clients/client.ts";
import { tryOr } from "../../ground/core/errors.ts";
import { sessionHookLines } from "./edits/hook-edit.ts";
import type { ProjectFiles } from "./project-files.ts";

/** A file or folder that shows that a client is in use, if there is one. */
export function signOf({ signs, sessionHooks }: Client, files: ProjectFiles): string | undefined {
  const hookFile = sessionHooks?.path ?? "";
  return signs.find((sign) => files.exists(sign) && !holdsOurHooksOnly(sign, hookFile, files));
}

/** Whether a folder only contains the personal hook file that `sessions on` wrote. */
function holdsOurHooksOnly(folder: string, hookFile: string, files: ProjectFiles): boolean {
  if (dirname(hookFile) !== folder) return false;
  if (!files.holdsOnly(folder, basename(hookFile))) return false;
  const ours = sessionHookLines(hookFile, {});
  const text = tryOr(() => files.read(hookFile), undefined) ?? "";
  const rest = tryOr(() => ours.take(text), text);
  return rest === undefined;
}
