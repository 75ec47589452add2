/** Finds the transcripts that a capture reads, and keeps the spool. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { inBothForms } from "../../ground/core/text.ts";
import { isWithin, platformPath, spellingsOf } from "../../ground/files/paths.ts";
import { changeUserFile } from "../../ground/files/private-file.ts";
import { folderSize } from "../../ground/files/read-files.ts";
import { openReadable } from "../../ground/files/readable-file.ts";
import { type LogManifest, type ProjectLog, pastSpan } from "../consent/find-log.ts";
import type { Home } from "../consent/log-id.ts";
import type { Places } from "../consent/places.ts";
import { ANYWHERE, claudeCodeReader } from "../transcripts/claude-code.ts";
import { codexReader } from "../transcripts/codex.ts";
import { cursorReader } from "../transcripts/cursor.ts";
import { geminiReader } from "../transcripts/gemini.ts";
import { opencodeReader } from "../transcripts/opencode.ts";
import { READERS } from "../transcripts/readers.ts";
import type { TranscriptReader } from "../transcripts/transcript.ts";
import { Folders } from "./belonging.ts";
import { type CaptureState, readCaptureState, stampOf } from "./capture-state.ts";
import { type ToldSessions, withTold } from "./told.ts";

/** A reader, and the folder in which its client keeps transcripts. */
export interface ReaderHere {
  readonly reader: TranscriptReader;
  readonly clientFolder: string;
}

/** Tolerance for coarse file times. */
const LEEWAY_MS = 2_000;
const MOST_SPOOL_BYTES = 64 * 1024 * 1024;

export function readersOf(places: Places): ReaderHere[] {
  return [
    { reader: claudeCodeReader, clientFolder: places.claude },
    { reader: codexReader, clientFolder: places.codex },
    { reader: geminiReader, clientFolder: join(homedir(), ".gemini") },
    { reader: cursorReader, clientFolder: places.cursor },
  ];
}

/** The reader of the spool's files. @param logFolder of the session log. */
export const spoolReader = (logFolder: string): ReaderHere => ({
  reader: opencodeReader,
  clientFolder: spoolFolder(logFolder),
});

export interface FoundTranscript {
  readonly path: string;
  readonly reader: TranscriptReader;
}

/** The transcripts that clients keep for sessions in these folders. */
export async function transcriptsIn(
  folders: readonly string[],
  readers: readonly ReaderHere[],
): Promise<FoundTranscript[]> {
  const found: FoundTranscript[] = [];
  for (const { reader, clientFolder } of readers) {
    for (const path of await reader.find(clientFolder, folders)) {
      found.push({ path, reader });
    }
  }
  return found;
}

export interface Sources {
  readonly folders: Folders;
  readonly worktrees: readonly string[];
  /** Unread transcripts, in the order of reading. The first may be partly read. */
  readonly transcripts: FoundTranscript[];
  /** The number of transcripts at the beginning. */
  readonly total: number;
  /** The time and past span of the search, if all transcripts were searched for sessions that moved into the project. */
  readonly looked: Pick<CaptureState, "lookedAt" | "lookedPast"> | undefined;
}

interface Asked {
  readonly record: ProjectLog;
  readonly home: Home;
  readonly readers: readonly ReaderHere[];
  /** The only transcript to read. The default is all. */
  readonly only?: string | undefined;
  /** Sessions that a hook reported just now. */
  readonly told?: ToldSessions | undefined;
}

/**
 * The transcripts that were read before, those that clients keep under the project's name, and those that hooks reported. @param consent to
 * search the transcripts of other projects too, for sessions that began there and moved into this one.
 */
export async function findSources(
  { record, home, readers, only, told = {} }: Asked,
  consent?: LogManifest,
): Promise<Sources> {
  const state = readCaptureState(record.folder);
  const folders = foldersOf(record, home);
  const worktrees = folders.worktrees();
  const named = inBothForms(worktrees);
  const lookedPast = (consent && pastSpan(consent)) ?? "";
  const since = state.lookedPast === lookedPast ? state.lookedAt : 0;
  const looked = consent && { lookedAt: Date.now(), lookedPast };
  const found = new Map<string, TranscriptReader>();
  for (const here of readers) {
    const { reader, clientFolder } = here;
    const paths =
      only === undefined
        ? [...Object.keys(state.cursors), ...(await reader.find(clientFolder, named))]
        : [platformPath(only)];
    if (consent) {
      paths.push(...(await movedFrom(named, here, since)));
    }
    for (const path of paths) {
      if (isWithin(clientFolder, path)) {
        found.set(path, reader);
      }
    }
  }
  if (only === undefined) {
    addTold(found, withTold(state.told, told));
  }
  const transcripts = [...found].map(([path, reader]) => ({ path, reader }));
  return { folders, worktrees, transcripts, total: transcripts.length, looked };
}

/** The transcripts of any project that changed since a time and contain one of these folders. @param since in ms since 1970. */
async function movedFrom(
  folders: readonly string[],
  { reader, clientFolder }: ReaderHere,
  since: number,
): Promise<string[]> {
  const { markOf } = reader;
  if (!markOf) {
    return [];
  }
  const marks = folders.flatMap((folder) => spellingsOf(folder)).map(markOf);
  return transcriptsWith(marks, await reader.find(clientFolder, [ANYWHERE]), since);
}

/** The folders of a project, including those that earlier captures found. */
export function foldersOf({ folder, manifest }: ProjectLog, home: Home): Folders {
  const { worktrees, nested } = readCaptureState(folder);
  return new Folders(home, [...worktrees, manifest.project], nested);
}

function addTold(found: Map<string, TranscriptReader>, told: ToldSessions): void {
  for (const { agent, transcript } of Object.values(told)) {
    const reader = READERS.find((one) => one.agent === agent);
    if (reader && transcript !== undefined) {
      found.set(transcript, reader);
    }
  }
}

/** The transcripts that changed since a time and contain one of the marks. @param since in ms since 1970. */
export function transcriptsWith(
  marks: readonly string[],
  paths: readonly string[],
  since: number,
): string[] {
  return paths.filter((path) => {
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // The file may be removed meanwhile, and this user may not be allowed to read it.
    return changed >= since - LEEWAY_MS && tryOr(() => contains(path, marks), false);
  });
}

function contains(path: string, marks: readonly string[]): boolean {
  const file = openReadable(path);
  try {
    const bytes = file.readAt(0, file.size());
    return marks.some((mark) => bytes.includes(mark));
  } finally {
    file.close();
  }
}

/** Contains redacted messages that a client handed over instead of keeping them in a file, until a capture has read them. */
const spoolFolder = (logFolder: string): string => join(logFolder, "spool");

/** Writes redacted lines into a new file of the spool. @param now for the file's name. @throws SentinelError `spool_full`. */
export async function putIntoSpool(
  logFolder: string,
  lines: readonly string[],
  now: number,
): Promise<void> {
  const folder = spoolFolder(logFolder);
  const text = lines.map((line) => `${line}\n`).join("");
  if (folderSize(folder) + Buffer.byteLength(text) > MOST_SPOOL_BYTES) {
    throw new SentinelError(
      "spool_full",
      `Messages of opencode in ${folder} are not recorded yet, and there is no room for more.`,
      "sentinel-memory sessions capture records them, or says why it cannot.",
    );
  }
  await changeUserFile(join(folder, `${now}-${process.pid}.jsonl`), () => text);
}

/** Removes the files that a capture has read to the end. */
export function emptySpool(logFolder: string): void {
  const { cursors } = readCaptureState(logFolder);
  for (const name of tryOr(() => readdirSync(spoolFolder(logFolder)), [])) {
    const path = join(spoolFolder(logFolder), name);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info && cursors[path]?.stamp === stampOf(info)) {
      rmSync(path, { force: true });
    }
  }
}
