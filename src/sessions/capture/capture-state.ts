/** What captures remember: how far each transcript has been read, and what no file says any more. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import { type Cursor, readAgain, stampOf } from "./cursor.ts";
import type { Understood } from "./report.ts";
import type { ToldSessions } from "./told-sessions.ts";

export type CaptureState = Readonly<ReturnType<typeof nothingRead>>;

function nothingRead() {
  return {
    /** By path of the transcript. */
    cursors: {} as Record<string, Cursor>,
    /** Worktrees of the project, also those that are gone. */
    worktrees: [] as readonly string[],
    /** Tops of other repositories that were met inside the project, also those that are gone. */
    nested: [] as readonly string[],
    /** When all transcripts were looked at for sessions that came to the project, in ms since 1970. */
    lookedAt: 0,
    /** The times of the past that had been agreed to then: another one makes them worth a look again. */
    lookedPasts: "",
    /** Sessions whose first request took them out. */
    privateSessions: [] as readonly string[],
    /** Sessions that hooks reported. */
    told: {} as ToldSessions,
    /** By client and version. */
    understood: {} as Readonly<Record<string, Understood>>,
  };
}

const FORMAT = 1;

const captureStateFile = (logFolder: string): string => join(logFolder, "state", "capture.json");

/** The state as it was written last. Without one everything is read from the beginning, which gives the same events. */
export function readCaptureState(logFolder: string): CaptureState {
  const written = tryOr(
    () => JSON.parse(readFileSync(captureStateFile(logFolder), "utf8")),
    undefined,
  );
  const { format, ...state } = written ?? {};
  return { ...nothingRead(), ...(format === FORMAT && state) };
}

/** Call it under the lock of captures. */
export async function writeCaptureState(logFolder: string, state: CaptureState): Promise<void> {
  await changeUserFile(captureStateFile(logFolder), () =>
    JSON.stringify({ format: FORMAT, ...state }),
  );
}

/** Notes a folder that the project had. Call it under the lock of captures. */
export async function addWorktree(logFolder: string, folder: string): Promise<void> {
  const state = readCaptureState(logFolder);
  await writeCaptureState(logFolder, {
    ...state,
    worktrees: [...new Set([...state.worktrees, folder])],
  });
}

/** Lets every transcript be read once more, by captures of any process. Call it under the lock of captures. */
export async function readAllAgain(logFolder: string): Promise<void> {
  const { cursors, ...state } = readCaptureState(logFolder);
  const again = Object.entries(cursors).map(([path, cursor]) => [path, readAgain(cursor)] as const);
  await writeCaptureState(logFolder, {
    ...state,
    cursors: Object.fromEntries(again),
    understood: {},
  });
}

/** Tells what no capture has read of transcripts; reading again is none. @param began in ms since 1970; what was written before does not count. */
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
