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
import { holds, type Interval } from "../consent/manifest.ts";
import type { EventDraft } from "../kinds/event.ts";
import { known } from "../transcripts/fields.ts";
import { DAMAGED } from "../transcripts/transcript.ts";
import { bytesBefore, type Cursor, isContinued, stampOf, startOfFile } from "./cursor.ts";
import { count } from "./report.ts";
import { LONGEST_LINE_BYTES, type ReadingWork, transcriptReading } from "./transcript-reading.ts";

export interface TranscriptCapture extends ReadingWork {
  /** Takes the events of a line, where the next one begins, and whether they may be stored already. */
  readonly emit: (
    drafts: readonly EventDraft[],
    cursor: () => Promise<Cursor>,
    mayBeStored: boolean,
  ) => Promise<void>;
  /** Whether to stop after this line, because the capture has used up its limits. */
  readonly isSpent: () => boolean;
}

/**
 * Reads a transcript to its last complete line, with or without a line end, or until it has to stop. @param cursor of the last capture.
 * @returns where it ended, with a stamp only at the end of the file; undefined where the file is gone.
 */
export async function captureTranscript(work: TranscriptCapture, cursor: Cursor | undefined) {
  const file = ignoreMissing(() => openReadable(work.path));
  if (file === undefined)
    return wasPacked(work.path) && cursor?.stamp !== undefined ? cursor : undefined;
  try {
    return await readOn(file, work, cursor);
  } finally {
    if (file.isDamaged()) count(work.report.unknown, DAMAGED);
    file.close();
  }
}

/** What was read of it stays known while nobody can unpack it. */
const wasPacked = (path: string): boolean => !CAN_UNPACK && existsSync(path + COMPRESSED);

async function readOn(
  file: ReadableFile,
  work: TranscriptCapture,
  last: Cursor | undefined,
): Promise<Cursor> {
  const stamp = stampOf(file.info);
  const agreed = work.consent().intervals.filter((interval) => interval.past);
  const past = agreed.map(nameOf);
  const added = agreed.filter((interval) => !last?.past.includes(nameOf(interval)));
  const isOutdated = last?.missedBy !== undefined && last.missedBy < work.reader.revision;
  // An incomplete last line is tried again: this version may accept it.
  const isWhole = isCompressed(work.path) || last?.offset === file.size();
  const isSame = last?.stamp === stamp && isWhole && added.length === 0 && !isOutdated;
  if (last && isSame) {
    work.report.transcripts.unchanged += 1;
    return last;
  }
  const continues = last !== undefined && !isOutdated && isContinued(file, last);
  // A time that was agreed to since may lie in what was read: it is read again, and gives only what is new.
  const knownTo = continues && added.length > 0 ? last.offset : 0;
  const start =
    continues && added.length === 0
      ? structuredClone(last)
      : startOfFile(past, last ? file.size() : 0);
  let { offset } = start;
  const reading = transcriptReading(file, work, start.state, offset);
  const cursor = async (): Promise<Cursor> => {
    const missedBy = reading.hasMissed() ? work.reader.revision : start.missedBy;
    const state = structuredClone(start.state);
    const againTo =
      start.againTo !== undefined && offset < start.againTo ? start.againTo : undefined;
    return {
      offset,
      before: bytesBefore(file, offset),
      past,
      state,
      ...known({ missedBy, againTo }),
    };
  };
  for (const { start: at, end, ...line } of wholeLines(file, offset, LONGEST_LINE_BYTES)) {
    work.report.lines += 1;
    work.report.bytes += end - offset;
    offset = end;
    const drafts = await reading.draftsOf(at, line);
    const isNew =
      end > knownTo ||
      drafts.some(({ ts = "" }) => added.some((interval) => holds(interval, Date.parse(ts))));
    if (drafts.length > 0 && isNew) await work.emit(drafts, cursor, at < (start.againTo ?? 0));
    if (work.isSpent()) return cursor();
  }
  work.report.transcripts.read += 1;
  return { ...(await cursor()), stamp };
}

const nameOf = ({ on, off }: Interval): string => `${on}/${off ?? ""}`;
