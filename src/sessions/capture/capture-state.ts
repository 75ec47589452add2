/** Stores how far each transcript has been read, and facts that captures can no longer read from any file. Contains positions, ids and hashes, never text. */
import { hash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { changeUserFile } from "../../ground/files/private-file.ts";
import { readJson } from "../../ground/files/read-files.ts";
import type { ReadableFile } from "../../ground/files/readable-file.ts";
import type { Understood } from "./report.ts";
import type { ToldSessions } from "./told.ts";

/** A position in a transcript. If the file was truncated or replaced since, it's read from its beginning, and events get the same ids. */
export interface Cursor {
  /** The start of the first unread line. */
  readonly offset: number;
  /** SHA-256 of the last bytes before the offset. */
  readonly before: string;
  /** Size and time of the last change, when the file was read to its end. */
  readonly stamp?: string | undefined;
  /** The past span that was allowed when the file was read. The file is read again if that changes. */
  readonly past?: string | undefined;
  /** The revision of the reader, if it didn't understand a part. A newer reader reads the file again. */
  readonly notUnderstoodBy?: number | undefined;
  readonly state: ReadingState;
}

export interface CaptureState {
  /** By path of the transcript. */
  readonly cursors: Record<string, Cursor>;
  /** Worktrees of the project, including removed ones. */
  readonly worktrees: readonly string[];
  /** Tops of other repositories found inside the project, including removed ones. */
  readonly nested: readonly string[];
  /** The time of the last search of all transcripts for sessions that moved into the project, in ms since 1970. */
  readonly lookedAt: number;
  /** The past span that was allowed then. All transcripts are searched again if it changes. */
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

const captureStateFile = (logFolder: string): string => join(logFolder, "state", "capture.json");

const FINGERPRINT_BYTES = 1024;
/** The most entries in each list of a reading state. */
const MOST_ENTRIES = 200;

/** Reads the stored state. Without one, transcripts are read from the beginning, which gives the same events. */
export function readCaptureState(logFolder: string): CaptureState {
  return { ...NOTHING_READ, ...readJson(captureStateFile(logFolder)) };
}

/** Call it under the lock of the session log. */
export async function writeCaptureState(logFolder: string, state: CaptureState): Promise<void> {
  await changeUserFile(captureStateFile(logFolder), () => JSON.stringify(state));
}

/** Notes an earlier folder of the project. Call it under the lock of the session log. */
export async function addWorktree(logFolder: string, folder: string): Promise<void> {
  const state = readCaptureState(logFolder);
  await writeCaptureState(logFolder, {
    ...state,
    worktrees: [...new Set([...state.worktrees, folder])],
  });
}

/** Makes captures, in any process, read every transcript again. Call it under the lock of the session log. */
export async function readAllAgain(logFolder: string): Promise<void> {
  const { cursors, ...state } = readCaptureState(logFolder);
  const again: Record<string, Cursor> = {};
  for (const [path, { past }] of Object.entries(cursors)) {
    again[path] = startOfFile(past);
  }
  await writeCaptureState(logFolder, { ...state, cursors: again, understood: {} });
}

/** Counts the transcripts and bytes that no capture has read. @param began in ms since 1970. Files unchanged since then don't count. */
export function leftToRead(logFolder: string, transcripts: readonly { path: string }[], began = 0) {
  const { cursors } = readCaptureState(logFolder);
  const left = { transcripts: 0, bytes: 0 };
  for (const { path } of transcripts) {
    const info = statSync(path, { throwIfNoEntry: false });
    const { offset = 0, stamp } = cursors[path] ?? {};
    if (!info || stamp === stampOf(info) || info.mtimeMs < began) {
      continue;
    }
    left.transcripts += 1;
    left.bytes += Math.max(0, info.size - offset);
  }
  return left;
}

interface FileInfo {
  readonly size: number;
  readonly mtimeMs: number;
}

/** A stamp that changes with every write to the file. */
export const stampOf = ({ size, mtimeMs }: FileInfo): string => `${size} ${mtimeMs}`;

/** The time of the file's last change, in ms since 1970. Undefined until the file is read to its end. */
export function changedAt({ stamp }: Cursor): number | undefined {
  return stamp === undefined ? undefined : Number(stamp.split(" ")[1]);
}

export function startOfFile(past: string | undefined): Cursor {
  return { offset: 0, before: "", past, state: newState() };
}

/** A hash of the bytes before a position, to notice a file that was replaced. */
export function bytesBefore(file: ReadableFile, offset: number): string {
  const length = Math.min(offset, FINGERPRINT_BYTES);
  return hash("sha256", file.readAt(offset - length, length)).slice(0, 32);
}

export interface ReadingState {
  /** The start of the last line with session, time and folder. */
  placedAt?: number;
  /** The start of the last line that starts a turn. */
  turnAt?: number;
  /** `last` is the time given to the last event, `from` the transcript's time for the first of the events spaced with it. In ms since 1970. */
  moment?: { readonly from: number; readonly last: number };
  /** Whether the session's first event was made. */
  isStarted?: true;
  hasUnrecorded?: true;
  /** The session from whose transcript the first lines were copied. */
  parent?: string;
  /** Whether a request was read. Only the first one can exclude a session. */
  hasRequest?: true;
  /** The lines of unanswered calls, by the call's id, oldest first. */
  calls: Record<string, number>;
  /** Calls that continue in the background, each with the start of its line, by the ids of the call and of the task. */
  background?: Record<string, readonly [call: string, at: number]>;
  /** The agent's last list of tasks. Hashes of their contents, by the hash of the title. */
  todos: Record<string, string>;
  /** The starts of the lines with waiting requests, in order. */
  queue: readonly number[];
  /** Hashes of requests that were delivered. The client may report one twice, in the queue and in an attachment. */
  delivered: readonly { readonly text: string; readonly by: "queue" | "attachment" }[];
}

/** @internal */
export const newState = (): ReadingState => ({
  calls: {},
  todos: {},
  queue: [],
  delivered: [],
});

/** Adds an entry. Removes the oldest if there are too many. */
export function addEntry<T>(entries: Record<string, T>, key: string, value: T): void {
  delete entries[key];
  entries[key] = value;
  const keys = Object.keys(entries);
  if (keys.length > MOST_ENTRIES) {
    delete entries[keys[0] as string];
  }
}

/** Removes an entry and returns it. */
export function takeEntry<T>(entries: Record<string, T>, key: string): T | undefined {
  const value = entries[key];
  delete entries[key];
  return value;
}

/** The last entries of a list, with one more. */
export const withLast = <T>(list: readonly T[], value: T): readonly T[] => [
  ...list.slice(1 - MOST_ENTRIES),
  value,
];

/** A hash for a text that is only compared. It begins with a letter, because objects sort keys that look like numbers. */
export const hashOf = (text: string): string => `h${hash("sha256", text).slice(0, 20)}`;
