/** Reads one transcript from where the last capture ended, and hands its events on. */
import { type FileHandle, open } from "node:fs/promises";
import type { LineReading, TranscriptLine, TranscriptReader } from "../clients/transcript.ts";
import type { EventDraft } from "../events/event.ts";
import { hasCode } from "../files/file-errors.ts";
import { wholeLines } from "../files/whole-lines.ts";
import { type Interval, mayRecord, type RecordManifest } from "../project/record/manifest.ts";
import type { Folders } from "./belonging.ts";
import { bytesBefore, type Cursor, isContinued, startOfFile } from "./cursor.ts";
import { eventsOf } from "./line-events.ts";
import type { ReadingState } from "./reading-state.ts";
import { type CaptureReport, count } from "./report.ts";

/** An image in a line has a few megabytes, twice. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024;
const PRIVATE_SESSION = /^\s*<private-session>\s*(?:\n|$)/;

export interface TranscriptCapture {
  readonly path: string;
  readonly reader: TranscriptReader;
  readonly folders: Folders;
  /** What the person agreed to, as it is known at this moment. */
  readonly consent: () => RecordManifest;
  /** Sessions that are taken out; this adds to them. */
  readonly privateSessions: Set<string>;
  readonly report: CaptureReport;
  /** Takes the events of a line, and where the next one begins. */
  readonly emit: (drafts: readonly EventDraft[], cursor: () => Promise<Cursor>) => Promise<void>;
}

/**
 * Reads a transcript to its last whole line.
 *
 * @param cursor where the last capture ended, if there was one.
 * @returns where this one ended; undefined where the file is gone.
 */
export async function captureTranscript(
  work: TranscriptCapture,
  cursor: Cursor | undefined,
): Promise<Cursor | undefined> {
  let file: FileHandle;
  try {
    file = await open(work.path, "r");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    return await readOn(file, work, cursor);
  } finally {
    await file.close();
  }
}

async function readOn(file: FileHandle, work: TranscriptCapture, before: Cursor | undefined): Promise<Cursor> {
  const { size, mtimeMs } = await file.stat();
  const stamp = `${size} ${mtimeMs}`;
  const past = pastOf(work.consent()).map(nameOf);
  const added = pastOf(work.consent()).filter((interval) => !before?.past.includes(nameOf(interval)));
  const isSame = before?.stamp === stamp && added.length === 0;
  work.report.transcripts[isSame ? "unchanged" : "read"] += 1;
  if (before && isSame) return before;
  const isRead = before !== undefined && (await isContinued(file, before));
  // A time that was agreed to since may lie in what was read: it is read again, and gives only what is new.
  const known = isRead && added.length > 0 ? before.offset : 0;
  const start = isRead && added.length === 0 ? structuredClone(before) : startOfFile(past);
  const { reader, report, emit } = work;
  const { state } = start;
  let offset = start.offset;
  const cursor = async (): Promise<Cursor> => ({
    offset,
    before: await bytesBefore(file, offset),
    past,
    state: structuredClone(state),
  });
  for await (const { text, end } of wholeLines(file, offset, LONGEST_LINE_BYTES)) {
    report.lines += 1;
    report.bytes += end - offset;
    offset = end;
    const readings = text === undefined ? [TOO_LONG] : reader.readLine(text);
    for (const reading of readings) {
      report.countReading(reading);
      const drafts = reading.line ? await draftsOf(reading.line, state, work) : [];
      const isNew = end > known || drafts.some(({ ts = "" }) => isIn(added, Date.parse(ts)));
      if (drafts.length > 0 && isNew) await emit(drafts, cursor);
    }
  }
  return { ...(await cursor()), stamp };
}

const TOO_LONG: LineReading = { leftOut: [], unknown: ["too long"], isConversation: true };

/** The events of a line that belongs to the project and may be recorded. */
async function draftsOf(line: TranscriptLine, state: ReadingState, work: TranscriptCapture): Promise<EventDraft[]> {
  state.session = line.session ?? state.session ?? "";
  state.ts = line.ts ?? state.ts ?? "";
  state.cwd = line.cwd ?? state.cwd ?? "";
  state.branch = line.branch ?? state.branch ?? "";
  const { session, ts, cwd, branch } = state;
  noticePrivate(line, session, state, work);
  const { notRecorded, elsewhere } = work.report;
  const at = Date.parse(ts);
  const belonging = cwd === "" ? undefined : await work.folders.of(cwd);
  if (!belonging || session === "" || Number.isNaN(at)) notRecorded.unplaced += 1;
  else if (!belonging.isOurs) count(elsewhere, belonging.worktree);
  else if (work.privateSessions.has(session)) notRecorded.private += 1;
  else if (!mayRecord(work.consent(), { at, session })) notRecorded.outside += 1;
  else {
    const place = { worktree: belonging.worktree, cwd, ...(branch !== "" && { branch }) };
    return eventsOf({ line, session, ts, place, transcript: work.path }, state, work.reader);
  }
  state.hasUnrecorded = true;
  return [];
}

/** A session is taken out by its first request, wherever it was said. */
function noticePrivate(
  { says, subagent }: TranscriptLine,
  session: string,
  state: ReadingState,
  { privateSessions }: TranscriptCapture,
): void {
  const request = says.find((said) => said.kind === "request");
  if (!request || state.hasRequest || subagent !== undefined) return;
  state.hasRequest = true;
  if (PRIVATE_SESSION.test(request.text)) privateSessions.add(session);
}

function pastOf({ intervals }: RecordManifest): Interval[] {
  return intervals.filter(({ past }) => past);
}

function nameOf({ on, off }: Interval): string {
  return `${on}/${off ?? ""}`;
}

function isIn(intervals: readonly Interval[], at: number): boolean {
  return intervals.some(({ on, off }) => at >= Date.parse(on) && (off === undefined || at < Date.parse(off)));
}
