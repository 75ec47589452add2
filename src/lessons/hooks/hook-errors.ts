/** Lists the hook calls that got no answer because of an error, in `.context/.local/hook-errors.log`, without a word of the payload. */
import { tryOr } from "../../ground/core/errors.ts";
import { appendToLocalLog, readLocalLog } from "../../ground/files/local-folder.ts";
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";

/** About 150 lines. */
const MOST_BYTES = 8_000;

/** Adds a line. An error of the list itself is ignored, so that the agent goes on. */
export function noteHookError(localFolder: string, what: string): void {
  const line = `${new Date().toISOString()} ${what}`;
  tryOr(() => appendToLocalLog(localFolder, LOCAL_FILES.hookErrors, line, MOST_BYTES), undefined);
}

/** An error by its code or name, because its message may contain words of the payload. */
export function nameOfError(error: unknown): string {
  if (error instanceof SyntaxError) return "its payload is not JSON";
  const { code, name } = error as { code?: unknown; name?: unknown };
  return `error ${code ?? name ?? "without a name"}`;
}

/** The lines, the oldest first. Empty if the file can't be read. */
export const readHookErrors = (localFolder: string): string[] =>
  readLocalLog(localFolder, LOCAL_FILES.hookErrors);
