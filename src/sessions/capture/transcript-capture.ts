import { existsSync } from "node:fs";
import { ignoreMissing } from "../../ground/files/file-errors.ts";
import {
  CAN_UNPACK,
  COMPRESSED,
  isCompressed,
  openReadable,
  type ReadableFile,
} from "../../ground/files/readable-file.ts";
import { wholeLines } from "../../ground/files/whole-lines.ts";
import { pastSpan } from "../consent/manifest.ts";
import type { EventDraft } from "../kinds/event.ts";
import { DAMAGED } from "../transcripts/transcript.ts";
import { bytesBefore, type Cursor, stampOf, startOfFile } from "./capture-state.ts";
import { count } from "./report.ts";
import { LONGEST_LINE_BYTES, type ReadingWork, TranscriptReading } from "./transcript-reading.ts";

export interface TranscriptCapture extends ReadingWork {
  /** Receives the events of a line. `isAgain` means that they may be stored already. `cursor` returns the position after the line. */
  readonly emit: (
    drafts: readonly EventDraft[],
    isAgain: boolean,
    cursor: () => Cursor,
  ) => Promise<void>;
  /** Whether to stop after this line, because the capture has used up its limits. */
  readonly isSpent: () => boolean;
}

/**
 * Reads a transcript to its last complete line, with or without a line end, or until a limit is reached. @param cursor of the last capture.
 * @returns the position reached, with a stamp only at the end of the file. Undefined if the file no longer exists.
 */
export async function captureTranscript(
  work: TranscriptCapture,
  cursor: Cursor | undefined,
): Promise<Cursor | undefined> {
  const file = ignoreMissing(() => openReadable(work.path));
  if (file === undefined)
    return wasPacked(work.path) && cursor?.stamp !== undefined ? cursor : undefined;
  try {
    const start = startOf(file, work, cursor);
    if (start !== undefined) return await readOn(file, work, start);
    work.report.transcripts.unchanged += 1;
    return cursor;
  } finally {
    if (file.isDamaged()) count(work.report.unknown, DAMAGED);
    file.close();
  }
}

/** Whether the transcript is now compressed in a format that this Node can't unpack. Its cursor is kept. */
const wasPacked = (path: string): boolean => !CAN_UNPACK && existsSync(path + COMPRESSED);

/** The position to continue from. Undefined if nothing is new. */
function startOf(
  file: ReadableFile,
  { path, reader, consent }: TranscriptCapture,
  last: Cursor | undefined,
): Cursor | undefined {
  const past = pastSpan(consent());
  if (last === undefined) return startOfFile(past, false);
  const isOutdated = last.notUnderstoodBy !== undefined && last.notUnderstoodBy < reader.revision;
  if (isOutdated || last.past !== past) return startOfFile(past, true);
  // An incomplete last line is tried again, because this version may accept it.
  const isWhole = isCompressed(path) || last.offset === file.size();
  if (isWhole && last.stamp === stampOf(file.info)) return undefined;
  return isContinued(file, last) ? structuredClone(last) : startOfFile(past, true);
}

/** Whether the part that was read before is unchanged. */
function isContinued(file: ReadableFile, { offset, before }: Cursor): boolean {
  return offset === 0 || bytesBefore(file, offset) === before;
}

async function readOn(file: ReadableFile, work: TranscriptCapture, start: Cursor): Promise<Cursor> {
  const stamp = stampOf(file.info);
  const reading = new TranscriptReading(file, work, start.state, start.offset);
  const { isAgain = false } = start;
  let { offset } = start;
  const cursor = (): Cursor => ({
    offset,
    before: bytesBefore(file, offset),
    past: start.past,
    isAgain,
    notUnderstoodBy: reading.hasMissed ? work.reader.revision : start.notUnderstoodBy,
    state: structuredClone(start.state),
  });
  for (const { start: at, end, ...line } of wholeLines(file, offset, LONGEST_LINE_BYTES)) {
    work.report.lines += 1;
    work.report.bytes += end - offset;
    offset = end;
    const drafts = reading.draftsOf(at, line);
    if (drafts.length > 0) await work.emit(drafts, isAgain, cursor);
    if (work.isSpent()) return cursor();
  }
  work.report.transcripts.read += 1;
  return { ...cursor(), stamp, isAgain: false };
}
