/** How the last captures of a session log ended: those that hooks start report to nobody. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type SentinelError, tryOr } from "../../ground/core/errors.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";

export interface LastCapture {
  /** When one succeeded last, ISO 8601; absent where none ever did. */
  readonly succeeded?: string;
  /** The last one, where it failed. */
  readonly failed?: {
    readonly at: string;
    readonly code: string;
    readonly what: string;
    readonly fix: string;
  };
}

/** What is known; nothing where the file is not there, or is not what this wrote. */
export function readLastCapture(logFolder: string): LastCapture {
  return tryOr(() => JSON.parse(readFileSync(pathIn(logFolder), "utf8")) as LastCapture, {});
}

/** @param error why it failed; undefined where it succeeded. @param now in ms since 1970. */
export async function noteCapture(
  logFolder: string,
  error: SentinelError | undefined,
  now: number,
): Promise<void> {
  const at = new Date(now).toISOString();
  const { succeeded } = readLastCapture(logFolder);
  const outcome: LastCapture = error
    ? {
        ...(succeeded && { succeeded }),
        failed: { at, code: error.code, what: error.message, fix: error.fix },
      }
    : { succeeded: at };
  await changeUserFile(pathIn(logFolder), () => JSON.stringify(outcome));
}

const pathIn = (logFolder: string): string => join(logFolder, "state", "last-capture.json");
