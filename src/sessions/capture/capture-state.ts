/** What captures remember: how far each transcript has been read, and what no file says any more. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../../ground/core/or-else.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import { type Cursor, readAgain, stampOf } from "./cursor.ts";
import type { LeftToRead, Understood } from "./report.ts";

export interface CaptureState {
  /** By path of the transcript. */
  readonly cursors: Record<string, Cursor>;
  /** Worktrees of the project, also those that are gone. */
  readonly worktrees: readonly string[];
  /** Tops of other repositories that were met inside the project, also those that are gone. */
  readonly nested: readonly string[];
  /** When all transcripts were looked at for sessions that came to the project, in ms since 1970. */
  readonly lookedAt: number;
  /** The times of the past that had been agreed to then: another one makes them worth a look again. */
  readonly lookedPasts: string;
  /** Sessions whose first request took them out. */
  readonly privateSessions: readonly string[];
  /** By client and version. */
  readonly understood: Readonly<Record<string, Understood>>;
}

const FORMAT = 1;

const captureStateFile = (logFolder: string): string => join(logFolder, "state", "capture.json");

/** The state as it was written last. Without one everything is read from the beginning, which gives the same events. */
export function readCaptureState(logFolder: string): CaptureState {
  const empty = {
    cursors: {},
    worktrees: [],
    nested: [],
    lookedAt: 0,
    lookedPasts: "",
    privateSessions: [],
    understood: {},
  };
  const written = orElse(() => JSON.parse(readFileSync(captureStateFile(logFolder), "utf8")), undefined);
  const { format, ...state } = written ?? {};
  return format === FORMAT ? { ...empty, ...state } : empty;
}

/** Call it under the lock of captures. */
export async function writeCaptureState(logFolder: string, state: CaptureState): Promise<void> {
  await changeUserFile(captureStateFile(logFolder), () => JSON.stringify({ format: FORMAT, ...state }));
}

/** Lets every transcript be read once more, by captures of any process. Call it under the lock of captures. */
export async function readAllAgain(logFolder: string): Promise<void> {
  const { cursors, ...state } = readCaptureState(logFolder);
  const again = Object.entries(cursors).map(([path, cursor]) => [path, readAgain(cursor)] as const);
  await writeCaptureState(logFolder, { ...state, cursors: Object.fromEntries(again), understood: {} });
}

/**
 * Of these transcripts, what no capture has read. A time that was agreed to and makes them be read again does not count.
 * @param began in ms since 1970: one that was written before and never read does not count.
 */
export function leftToRead(logFolder: string, transcripts: readonly { path: string }[], began = 0): LeftToRead {
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
