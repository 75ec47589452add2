/** The result of the last captures. Hooks start captures in the background, so nothing else reports it. */
import { join } from "node:path";
import { type Problem, problemOf, type SentinelError } from "../../ground/core/errors.ts";
import { changeUserFile } from "../../ground/files/private-file.ts";
import { readJson } from "../../ground/files/read-files.ts";

export interface LastCapture {
  /** When a capture last succeeded, ISO 8601. Absent if none did. */
  readonly succeeded?: string | undefined;
  /** The last capture, if it failed. */
  readonly failed?: Problem & { readonly at: string; readonly code: string };
}

/** The stored result, or an empty object if the file is missing or invalid. */
export const readLastCapture = (logFolder: string): LastCapture =>
  readJson(pathIn(logFolder)) ?? {};

/** @param error the reason, or undefined after a success. @param now in ms since 1970. */
export async function noteCapture(
  logFolder: string,
  error: SentinelError | undefined,
  now: number,
): Promise<void> {
  const at = new Date(now).toISOString();
  const { succeeded } = readLastCapture(logFolder);
  const failed = error && { at, ...problemOf(error) };
  const outcome: LastCapture = failed ? { succeeded, failed } : { succeeded: at };
  await changeUserFile(pathIn(logFolder), () => JSON.stringify(outcome));
}

const pathIn = (logFolder: string): string => join(logFolder, "state", "last-capture.json");
