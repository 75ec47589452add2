/** Logs the hook calls that failed with an error to `.context/.local/hook-errors.log`. The log contains nothing of the payload. */
import { tryOr } from "../../ground/core/errors.ts";
import { appendToLocalLog, readLocalLog } from "../../ground/files/local-folder.ts";
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";

/** About 150 lines. */
const MOST_BYTES = 8_000;

/** Appends a line. Ignores errors in writing the log, so they don't interrupt the agent. */
export function noteHookError(localFolder: string, what: string): void {
  const line = `${new Date().toISOString()} ${what}`;
  tryOr(() => appendToLocalLog(localFolder, LOCAL_FILES.hookErrors, line, MOST_BYTES), undefined);
}

/** Returns the code or name of an error, because its message may contain words of the payload. */
export function nameOfError(error: unknown): string {
  if (error instanceof SyntaxError) {
    return "its payload is not JSON";
  }
  const { code, name } = error as { code?: unknown; name?: unknown };
  return `error ${code ?? name ?? "without a name"}`;
}

/** The lines, the oldest first. Empty if the file can't be read. */
export const readHookErrors = (localFolder: string): string[] =>
  readLocalLog(localFolder, LOCAL_FILES.hookErrors);
