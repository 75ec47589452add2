/** Reads the project's transcripts on this machine, recorded or not: the beginning of each session, or the results of its calls. Writes nothing. */
import { statSync } from "node:fs";
import { tryOr } from "../../ground/core/errors.ts";
import { inBothForms } from "../../ground/core/text.ts";
import { headOf } from "../../ground/files/readable-file.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { type LogManifest, RECORD_FORMAT } from "../consent/find-log.ts";
import { homeOf } from "../consent/log-id.ts";
import { type Environment, readPlaces } from "../consent/places.ts";
import { type Event, type EventDraft, inTime } from "../kinds/event.ts";
import { prepare } from "../storing/prepare.ts";
import { eventRedactor } from "../storing/redactor.ts";
import { readJsonLine } from "../transcripts/json-lines.ts";
import type { Frame, TranscriptReader } from "../transcripts/transcript.ts";
import { Folders } from "./belonging.ts";
import { CaptureReport } from "./report.ts";
import { type ReaderHere, readersOf, transcriptsIn } from "./sources.ts";
import { captureTranscript, type LineEvents } from "./transcript-capture.ts";

export interface PastSession {
  /** The id that the client gave it. */
  readonly session: string;
  /** ISO 8601. Undefined if its first lines have no time. */
  readonly began: string | undefined;
  /** In ms since 1970. */
  readonly endedMs: number;
  /** The size of its transcripts, child agents included. */
  readonly bytes: number;
}

/** The first lines of a transcript contain its session and its folder. */
const HEAD_BYTES = 256 * 1024;

/** The project's sessions, the last written first. */
export async function pastSessions(
  folders: Folders,
  readers: readonly ReaderHere[],
): Promise<PastSession[]> {
  const worktrees = inBothForms(folders.worktrees());
  const sessions = new Map<string, PastSession>();
  for (const { path, reader } of await transcriptsIn(worktrees, readers)) {
    const frame = (await reader.frameOf?.(path, worktrees, {})) ?? {};
    const begun = beginningOf(path, frame, reader, folders);
    if (begun) {
      sessions.set(begun.session, withPart(sessions.get(begun.session), begun));
    }
  }
  return [...sessions.values()].sort(byEnd);
}

/** A session and another transcript of it, such as that of a child agent. */
function withPart(session: PastSession | undefined, part: PastSession): PastSession {
  if (!session) {
    return part;
  }
  const endedMs = Math.max(session.endedMs, part.endedMs);
  return { ...session, endedMs, bytes: session.bytes + part.bytes };
}

/** Sorts by end, newest first. File times are coarse, so sessions with the same end are sorted by their beginning. */
function byEnd(a: PastSession, b: PastSession): number {
  return b.endedMs - a.endedMs || (b.began ?? "").localeCompare(a.began ?? "");
}

/** Reads the beginning of a transcript. Undefined if its project is another one or unknown, or if the file can't be read, which `doctor` reports. */
function beginningOf(
  path: string,
  frame: Frame,
  reader: TranscriptReader,
  folders: Folders,
): PastSession | undefined {
  const info = tryOr(() => statSync(path), undefined);
  const head = tryOr(() => headOf(path, HEAD_BYTES), undefined);
  if (!info || head === undefined) {
    return undefined;
  }
  let { session, cwd, ts } = frame;
  for (const text of head.split("\n")) {
    for (const { line } of readJsonLine(text, reader)) {
      session ??= line?.session;
      cwd ??= line?.cwd;
      ts ??= line?.ts;
    }
    if (session !== undefined && cwd !== undefined && ts !== undefined) {
      break;
    }
  }
  if (session === undefined || cwd === undefined || !folders.of(cwd).isOurs) {
    return undefined;
  }
  return { session, began: ts, endedMs: info.mtimeMs, bytes: info.size };
}

interface ExistingResults {
  /** Redacted, in order of time. */
  readonly events: readonly Event[];
  /** The number of transcripts read. */
  readonly transcripts: number;
}

/**
 * Leaves out other projects, private sessions and copies of other transcripts.
 * @param words to redact in addition to secrets and private passages. @param onProgress called after each transcript.
 */
export async function existingResults(
  projectFolder: string,
  env: Environment,
  words: OwnWords,
  onProgress: (done: number, total: number) => void,
): Promise<ExistingResults> {
  const home = homeOf(projectFolder);
  const folders = new Folders(home, []);
  const worktrees = inBothForms(folders.worktrees());
  const report = new CaptureReport();
  const privateSessions = new Set<string>();
  const drafts = new Map<string | undefined, EventDraft>();
  const emit = async ({ drafts: found }: LineEvents) => {
    for (const draft of found) {
      const known = drafts.get(draft.origin);
      // A fork copies events, so the original replaces the copy.
      const isBetter = known === undefined || report.copies.has(known);
      if (draft.kind === "tool_result" && isBetter) {
        drafts.set(draft.origin, draft);
      }
    }
  };
  const consent = () => consentToAll(home.path);
  const isSpent = () => false;
  const work = { folders, worktrees, told: {}, consent, privateSessions, report, emit, isSpent };
  const transcripts = await transcriptsIn(worktrees, readersOf(readPlaces(env)));
  for (const [index, found] of transcripts.entries()) {
    await captureTranscript(found, work, undefined);
    onProgress(index + 1, transcripts.length);
  }
  const redactor = eventRedactor(words);
  const events = [...drafts.values()]
    .filter(({ session }) => !privateSessions.has(session))
    .map((draft) => prepare(draft, redactor, Date.now()).event);
  return { events: inTime(events), transcripts: report.transcripts.read };
}

/** A manifest in memory, because the transcripts are only read. */
const consentToAll = (project: string): LogManifest => ({
  format: RECORD_FORMAT,
  id: "",
  project,
  intervals: [{ on: new Date(0).toISOString() }],
  skipped: [],
});
