/** Turns errors of the file system into errors with a fix. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type ErrorCode, SentinelError } from "../core/errors.ts";

const CODES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ["disk_full", "Free some disk space and call again."],
  EDQUOT: ["disk_full", "Free some of your disk quota and call again."],
  EROFS: [
    "read_only",
    "The file system is mounted read-only: use a project on one that can be written.",
  ],
  EACCES: ["read_only", "Give this user the right to read and write there, then call again."],
  EPERM: ["read_only", "Give this user the right to read and write there, then call again."],
  EISDIR: ["not_a_file", "There is a folder in place of the file. Move it away."],
  EEXIST: ["not_a_file", "There is a file in place of a folder. Move it away."],
  ENOTDIR: ["not_a_file", "There is a file in place of a folder. Move it away."],
  ENOENT: ["not_found", "The project's folder is gone: use the server in a folder that exists."],
  ELOOP: ["not_a_file", "The file is a symbolic link that leads in a circle: remove it."],
};

/** On Windows, EPERM usually means that the file is open in another program, not that rights are missing. */
const WINDOWS_REFUSED = {
  cause: "another program has the file open, or this user may not change it",
  fix: "Close the editor, backup or scanner that has it open, or give this user the right to write there. Then call again.",
};
const BUSY_FIX = "Close the program that has it open, then call again.";

/** Whether an error is the system's, with this code. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(error.code as string);
}

/** Returns the result of an act, or undefined if its file is missing. @throws the act's other errors. */
export function ignoreMissing<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    return unlessMissing(error);
  }
}

/** For a catch around reading a file. @throws the error, unless the file is missing. */
export function unlessMissing(error: unknown): undefined {
  if (!hasCode(error, "ENOENT")) {
    throw error;
  }
}

/** Whether the system refuses to let this user read a file. */
export function isRefused(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return false;
  } catch (error) {
    return hasCode(error, "EACCES", "EPERM");
  }
}

/** An error of reading or writing a file, for people and agents. @param doing like "writing /p/.context/memory_log.jsonl". */
export function fileError(
  error: unknown,
  failed: "read_failed" | "write_failed",
  doing: string,
  platform = process.platform,
): SentinelError {
  if (error instanceof SentinelError) {
    return error;
  }
  if (platform === "win32" && hasCode(error, "EPERM")) {
    return new SentinelError(failed, `${doing}: ${WINDOWS_REFUSED.cause}`, WINDOWS_REFUSED.fix, {
      cause: error,
    });
  }
  const [code, fix] = codeAndFix(error, failed);
  const cause = error instanceof Error ? inWords(error.message) : String(error);
  const refused = refusedFile(error);
  const place = doing.includes(refused) ? "" : `: ${refused}`;
  return new SentinelError(code, `${doing}: ${cause}${place}`, fix, { cause: error });
}

function codeAndFix(error: unknown, failed: ErrorCode): readonly [ErrorCode, string] {
  const system = error instanceof Error && "code" in error ? String(error.code) : "";
  if (system === "EBUSY") {
    return [failed, BUSY_FIX];
  }
  // Windows reports ENOENT if a folder of the path is a file. Other systems report ENOTDIR.
  const row = system === "ENOENT" && isBelowFile(error) ? CODES.ENOTDIR : CODES[system];
  if (row?.[0] === "read_only" && failed === "read_failed") {
    return [failed, "Give this user the right to read it, then call again."];
  }
  return row ?? [failed, "Look at the cause, then call again."];
}

/** Whether the nearest part that exists of an error's path is a file. */
function isBelowFile(error: unknown): boolean {
  const { path = "" } = error as NodeJS.ErrnoException;
  let nearest = path;
  while (!existsSync(nearest) && nearest !== dirname(nearest)) {
    nearest = dirname(nearest);
  }
  return statSync(nearest, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The file that the system refuses to this user, or an empty text. A temporary file wasn't created. */
function refusedFile(error: unknown): string {
  const { path = "" } = error as NodeJS.ErrnoException;
  return hasCode(error, "EACCES", "EPERM") && existsSync(path) ? path : "";
}

/** A message of the system without its code, call and path, which may be that of a temporary file. */
const inWords = (message: string): string =>
  /^E[A-Z]+: (.+?), \w+(?: '.*')?$/s.exec(message)?.[1] ?? message;

/** The pauses between tries, in ms. */
const PAUSES_MS = [10, 30, 100, 200, 400];

/** Retries for 0.74 s, blocking the process, because scanners and backups keep a file open for a moment. @throws the error of the last try. */
export function patiently<Result>(act: () => Result, platform = process.platform): Result {
  for (const pause of PAUSES_MS) {
    try {
      return act();
    } catch (error) {
      if (!isHeld(error, platform)) {
        throw error;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
  return act();
}

/** Only on Windows are EPERM and EACCES also codes of a file that is open elsewhere. */
function isHeld(error: unknown, platform: string): boolean {
  return hasCode(error, "EBUSY") || (platform === "win32" && hasCode(error, "EPERM", "EACCES"));
}
