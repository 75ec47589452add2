/** How far each transcript has been read, and other things that captures remember because no file says them any more. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import type { ReadableFile } from "../../ground/files/readable-file.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import { newState, type ReadingState } from "./reading-state.ts";
import type { Understood } from "./report.ts";
import type { ToldSessions } from "./told.ts";

/** A position in a transcript. One that was cut or replaced since is read from its beginning, and gives the same ids. */
export interface Cursor {
  /** Where the first line begins that has not been read. */
  readonly offset: number;
  /** SHA-256 of the last bytes before the offset. */
  readonly before: string;
  /** Size and time of the last change, when the file was read to its end. */
  readonly stamp?: string | undefined;
  /** Set while the file is read again from its beginning, so that its events may be stored already. */
  readonly isAgain?: boolean;
  /** The past span that was allowed when the file was read. It's read again for another one. */
  readonly past?: string | undefined;
  /** Revision of the reader that did not understand a part. A newer one reads the file again. */
  readonly notUnderstoodBy?: number | undefined;
  readonly state: ReadingState;
}

export interface CaptureState {
  /** By path of the transcript. */
  readonly cursors: Record<string, Cursor>;
  /** Worktrees of the project, including removed ones. */
  readonly worktrees: readonly string[];
  /** Tops of other repositories that were met inside the project, including removed ones. */
  readonly nested: readonly string[];
  /** When all transcripts were searched for sessions that came to the project, in ms since 1970. */
  readonly lookedAt: number;
  /** The past span that was allowed then. For another one they are searched again. */
  readonly lookedPast: string;
  /** Sessions whose first request excluded them. */
  readonly privateSessions: readonly string[];
  /** Sessions that hooks reported. */
  readonly told: ToldSessions;
  /** By client and version. */
  readonly understood: Readonly<Record<string, Understood>>;
}

const NOTHING_READ: CaptureState = {
  cursors: {},
  worktrees: [],
  nested: [],
  lookedAt: 0,
  lookedPast: "",
  privateSessions: [],
  told: {},
  understood: {},
};

const FORMAT = 2;

const captureStateFile = (logFolder: string): string => join(logFolder, "state", "capture.json");

/** The state as it was written last. Without one everything is read from the beginning, which gives the same events. */
export function readCaptureState(logFolder: string): CaptureState {
  const text = tryOr(() => readFileSync(captureStateFile(logFolder), "utf8"), "{}");
  const { format, ...state } = tryOr(() => JSON.parse(text), {});
  return format === FORMAT ? { ...NOTHING_READ, ...state } : NOTHING_READ;
}

/** Call it under the lock of the session log. */
export async function writeCaptureState(logFolder: string, state: CaptureState): Promise<void> {
  await changeUserFile(captureStateFile(logFolder), () =>
    JSON.stringify({ format: FORMAT, ...state }),
  );
}

/** Notes a folder that the project had. Call it under the lock of the session log. */
export async function addWorktree(logFolder: string, folder: string): Promise<void> {
  const state = readCaptureState(logFolder);
  await writeCaptureState(logFolder, {
    ...state,
    worktrees: [...new Set([...state.worktrees, folder])],
  });
}

/** Lets captures of any process read every transcript once more. Call it under the lock of the session log. */
export async function readAllAgain(logFolder: string): Promise<void> {
  const { cursors, ...state } = readCaptureState(logFolder);
  const again = Object.entries(cursors).map(
    ([path, { past }]) => [path, startOfFile(past, true)] as const,
  );
  await writeCaptureState(logFolder, {
    ...state,
    cursors: Object.fromEntries(again),
    understood: {},
  });
}

/** How much of transcripts no capture has read. @param began in ms since 1970. Files that did not change since don't count. */
export function leftToRead(logFolder: string, transcripts: readonly { path: string }[], began = 0) {
  const { cursors } = readCaptureState(logFolder);
  const left = { transcripts: 0, bytes: 0 };
  for (const { path } of transcripts) {
    const info = statSync(path, { throwIfNoEntry: false });
    const { offset = 0, stamp } = cursors[path] ?? {};
    if (!info || stamp === stampOf(info) || info.mtimeMs < began) continue;
    left.transcripts += 1;
    left.bytes += Math.max(0, info.size - offset);
  }
  return left;
}

interface FileInfo {
  readonly size: number;
  readonly mtimeMs: number;
}

/** Changes whenever somebody writes to the file. */
export const stampOf = ({ size, mtimeMs }: FileInfo): string => `${size} ${mtimeMs}`;

/** When the file was changed last, in ms since 1970. Undefined while it is not read to its end. */
export function changedAt({ stamp }: Cursor): number | undefined {
  return stamp === undefined ? undefined : Number(stamp.split(" ")[1]);
}

/** @param isAgain whether the file was read before. */
export function startOfFile(past: string | undefined, isAgain: boolean): Cursor {
  return { offset: 0, before: "", past, isAgain, state: newState() };
}

const FINGERPRINT_BYTES = 1024;

/** A hash of the bytes before a position, to notice a file that was replaced. */
export function bytesBefore(file: ReadableFile, offset: number): string {
  const length = Math.min(offset, FINGERPRINT_BYTES);
  return createHash("sha256")
    .update(file.readAt(offset - length, length))
    .digest("hex")
    .slice(0, 32);
}
