/** The result of the last captures. Hooks start captures in the background, so nothing else reports it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type SentinelError, tryOr } from "../../ground/core/errors.ts";
import { changeUserFile } from "../../ground/files/private-file.ts";

export interface LastCapture {
  /** When a capture last succeeded, ISO 8601. Absent if none did. */
  readonly succeeded?: string | undefined;
  /** The last capture, if it failed. */
  readonly failed?: {
    readonly at: string;
    readonly code: string;
    readonly what: string;
    readonly fix: string;
  };
}

/** The stored result, or an empty object if the file is missing or invalid. */
export function readLastCapture(logFolder: string): LastCapture {
  return tryOr(() => JSON.parse(readFileSync(pathIn(logFolder), "utf8")) as LastCapture, {});
}

/** @param error the reason, or undefined after a success. @param now in ms since 1970. */
export async function noteCapture(
  logFolder: string,
  error: SentinelError | undefined,
  now: number,
): Promise<void> {
  const at = new Date(now).toISOString();
  const { succeeded } = readLastCapture(logFolder);
  const outcome: LastCapture = error
    ? {
        succeeded,
        failed: { at, code: error.code, what: error.message, fix: error.fix },
      }
    : { succeeded: at };
  await changeUserFile(pathIn(logFolder), () => JSON.stringify(outcome));
}

const pathIn = (logFolder: string): string => join(logFolder, "state", "last-capture.json");
