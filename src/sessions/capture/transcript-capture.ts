import { existsSync } from "node:fs";
import { RecentCache } from "../../ground/core/memoize.ts";
import { hasCode } from "../../ground/files/file-errors.ts";
import {
  CAN_UNPACK,
  COMPRESSED,
  isCompressed,
  lineAt,
  openReadable,
  type ReadableFile,
  type WholeLine,
  wholeLines,
} from "../../ground/files/readable-file.ts";
import { firstOn, type LogManifest, mayRecord, pastSpan } from "../consent/find-log.ts";
import type { EventDraft } from "../kinds/event.ts";
import { readJsonLine } from "../transcripts/json-lines.ts";
import {
  DAMAGED,
  type Frame,
  type LineReading,
  type TranscriptLine,
} from "../transcripts/transcript.ts";
import type { Folders } from "./belonging.ts";
import type { ReadingState } from "./capture-state.ts";
import { bytesBefore, type Cursor, stampOf, startOfFile } from "./capture-state.ts";
import { eventsOf } from "./line-events.ts";
import { LONGEST_LINE_BYTES, seenLines, withDistinctTimes } from "./lines-in-order.ts";
import { type CaptureReport, count } from "./report.ts";
import type { FoundTranscript } from "./sources.ts";
import type { ToldSessions } from "./told.ts";

/** The number of recent lines to cache, because most calls are answered within a few lines. Earlier lines are read again. */
const LINES_REMEMBERED = 32;
const PRIVATE_SESSION = /^\s*<private-session>\s*(?:\n|$)/;
const TOO_LONG: LineReading = { unknown: ["too long"], isConversation: true };

/** Settings for all transcripts of a capture, and the report to update. */
export interface CaptureWork {
  readonly folders: Folders;
  /** The project's folders, each in both Unicode forms. */
  readonly worktrees: readonly string[];
  readonly told: ToldSessions;
  readonly consent: () => LogManifest;
  /** Private sessions, which aren't recorded. The reading adds the ones it finds. */
  readonly privateSessions: Set<string>;
  readonly report: CaptureReport;
  readonly emit: (events: LineEvents) => Promise<void>;
  /** Whether to stop after this line, because the capture has used up its time. */
  readonly isSpent: () => boolean;
}

/** The events of a line. */
export interface LineEvents {
  readonly path: string;
  readonly drafts: readonly EventDraft[];
  /** Returns the position after the line. */
  readonly cursor: () => Cursor;
}

/**
 * Reads a transcript to its last complete line, with or without a line end, or until the time is used up. @param last position of the last
 * capture. @returns the position reached, with a stamp only at the end of the file. Undefined if the file no longer exists.
 */
export async function captureTranscript(
  found: FoundTranscript,
  work: CaptureWork,
  last: Cursor | undefined,
): Promise<Cursor | undefined> {
  const { path, reader } = found;
  const { report } = work;
  let file: ReadableFile | undefined;
  try {
    file = openReadable(path);
    const start = startOf(file, found, work, last);
    if (start !== undefined) {
      const frame = (await reader.frameOf?.(path, work.worktrees, work.told)) ?? {};
      const reading = new TranscriptReading(file, found, work, frame, start);
      return await readOn(file, found, work, reading, start);
    }
    report.transcripts.unchanged += 1;
    return last;
  } catch (error) {
    if (hasCode(error, "ENOENT")) {
      return wasPacked(path) && last?.stamp ? last : undefined;
    }
    if (!hasCode(error, "EACCES", "EPERM", "EBUSY")) {
      throw error;
    }
    report.unreadable.push(path);
    return last;
  } finally {
    if (file?.isDamaged()) {
      count(report.unknown, DAMAGED);
    }
    file?.close();
  }
}

/** Whether the transcript is now compressed in a format that this Node can't unpack. Its cursor is kept. */
const wasPacked = (path: string): boolean => !CAN_UNPACK && existsSync(path + COMPRESSED);

/** The position to continue from. Undefined if nothing is new. */
function startOf(
  file: ReadableFile,
  { path, reader }: FoundTranscript,
  { consent }: CaptureWork,
  last: Cursor | undefined,
): Cursor | undefined {
  const past = pastSpan(consent());
  if (last === undefined) {
    return startOfFile(past);
  }
  const isOutdated = last.notUnderstoodBy !== undefined && last.notUnderstoodBy < reader.revision;
  if (isOutdated || last.past !== past) {
    return startOfFile(past);
  }
  // An incomplete last line is tried again, because this version may accept it.
  const isWhole = isCompressed(path) || last.offset === file.size();
  if (isWhole && last.stamp === stampOf(file.info)) {
    return undefined;
  }
  return isContinued(file, last) ? structuredClone(last) : startOfFile(past);
}

/** Whether the part that was read before is unchanged. */
function isContinued(file: ReadableFile, { offset, before }: Cursor): boolean {
  return offset === 0 || bytesBefore(file, offset) === before;
}

async function readOn(
  file: ReadableFile,
  { path, reader }: FoundTranscript,
  { report, emit, isSpent }: CaptureWork,
  reading: TranscriptReading,
  start: Cursor,
): Promise<Cursor> {
  const stamp = stampOf(file.info);
  let { offset } = start;
  const cursor = (): Cursor => ({
    offset,
    before: bytesBefore(file, offset),
    past: start.past,
    notUnderstoodBy: reading.hasMissed ? reader.revision : start.notUnderstoodBy,
    state: structuredClone(start.state),
  });
  for (const { start: at, end, ...line } of wholeLines(file, offset, LONGEST_LINE_BYTES)) {
    report.lines += 1;
    report.bytes += end - offset;
    offset = end;
    const drafts = reading.draftsOf(at, line);
    if (drafts.length > 0) {
      await emit({ path, drafts, cursor });
    }
    if (isSpent()) {
      return cursor();
    }
  }
  report.transcripts.read += 1;
  return { ...cursor(), stamp };
}

/** Reads the lines of one transcript in order. Keeps fields of earlier lines, because later lines omit them. */
class TranscriptReading {
  readonly #file: ReadableFile;
  readonly #found: FoundTranscript;
  readonly #work: CaptureWork;
  readonly #frame: Frame;
  readonly #state: ReadingState;
  readonly #isNew: (line: TranscriptLine) => boolean;
  /** The most recent lines, by their start in the file. */
  readonly #recent = new RecentCache<readonly TranscriptLine[]>(LINES_REMEMBERED);
  /** The session, place and time of the lines so far. */
  #last: Partial<TranscriptLine>;
  #hasMissed = false;

  /** @param frame defaults for lines that lack these fields. @param start the position at which the reading starts. It updates its state. */
  constructor(
    file: ReadableFile,
    found: FoundTranscript,
    work: CaptureWork,
    frame: Frame,
    { offset, state }: Cursor,
  ) {
    this.#file = file;
    this.#found = found;
    this.#work = work;
    this.#frame = frame;
    this.#state = state;
    this.#isNew = seenLines(file, found.reader, offset);
    this.#last = { ...frame };
    for (const at of [state.placedAt, state.turnAt]) {
      if (at === undefined) {
        continue;
      }
      for (const line of this.#recall(at)) {
        this.#follow(line);
      }
    }
  }

  /** Whether the reader didn't understand some part of the conversation. */
  get hasMissed(): boolean {
    return this.#hasMissed;
  }

  /** Makes the events of a line, if it belongs to the project and may be recorded. If the line isn't valid UTF-8, uses its readable part. */
  draftsOf(at: number, { text, isUtf8 }: Pick<WholeLine, "text" | "isUtf8">): EventDraft[] {
    const all = text === undefined ? [TOO_LONG] : readJsonLine(text, this.#found.reader);
    const readings = all.filter(({ line }) => line === undefined || this.#isNew(line));
    this.#count(readings, isUtf8);
    const drafts: EventDraft[] = [];
    for (const line of this.#remember(readings, at)) {
      this.#notePlace(line, at);
      this.#follow(line);
      if (line.says.length > 0) {
        drafts.push(...this.#draftsOfLine(at, this.#opened(line)));
      }
    }
    return drafts;
  }

  #count(readings: readonly LineReading[], isUtf8: boolean): void {
    const { report } = this.#work;
    const last = this.#last.version ?? this.#last.opens?.version ?? "unknown";
    for (const reading of readings) {
      const { version = last, opens } = reading.line ?? {};
      report.countReading(reading, this.#found.reader, opens?.version ?? version);
      if (reading.isConversation && reading.unknown.length > 0) {
        this.#hasMissed = true;
      }
    }
    const isCounted = readings.some(({ unknown }) => unknown.includes(DAMAGED));
    if (!isUtf8 && !isCounted) {
      count(report.unknown, DAMAGED);
    }
  }

  /** Caches the lines at a place and returns them, each with a unique id. */
  #remember(readings: readonly LineReading[], at: number): readonly TranscriptLine[] {
    const lines: TranscriptLine[] = [];
    for (const { line } of readings) {
      if (line === undefined) {
        continue;
      }
      const id = `${this.#last.session ?? ""}:${at}:${line.id}`;
      lines.push(this.#found.reader.namesNoLines ? { ...line, id } : line);
    }
    this.#recent.set(`${at}`, lines);
    return lines;
  }

  readonly #recall = (at: number): readonly TranscriptLine[] => {
    const known = this.#recent.get(`${at}`);
    if (known) {
      return known;
    }
    const text = lineAt(this.#file, at, LONGEST_LINE_BYTES);
    return this.#remember(text === undefined ? [] : readJsonLine(text, this.#found.reader), at);
  };

  /** Whether this is the first line of another transcript, copied into this one. It doesn't describe this transcript. */
  #isRepeatedOpening({ opens }: TranscriptLine): boolean {
    return opens !== undefined && this.#last.opens !== undefined;
  }

  /** Keeps the fields of a line for the lines after it. */
  #follow(line: TranscriptLine): void {
    if (!this.#isRepeatedOpening(line)) {
      this.#last = { ...this.#last, ...line };
    }
  }

  /** Notes the positions of the lines that a later reading needs. */
  #notePlace(line: TranscriptLine, at: number): void {
    if (this.#isRepeatedOpening(line)) {
      return;
    }
    if (line.opens || (line.session && line.ts && line.cwd)) {
      this.#state.placedAt = at;
    }
    if (line.turn) {
      this.#state.turnAt = at;
    }
  }

  /** Adds the fields that the transcript's first line sets for all lines. */
  #opened(line: TranscriptLine): TranscriptLine {
    const { childAgent, version } = this.#last.opens ?? {};
    return {
      ...line,
      childAgent: line.childAgent ?? childAgent,
      version: line.version ?? version,
    };
  }

  #draftsOfLine(at: number, line: TranscriptLine): EventDraft[] {
    const { report, folders } = this.#work;
    this.#notePrivate(line);
    if (this.#isFromOtherTranscript(line)) {
      return [];
    }
    const { session, ts = "", cwd, branch, opens } = this.#last;
    const time = Date.parse(ts);
    if (cwd === undefined || session === undefined || Number.isNaN(time)) {
      report.notRecorded.unplaced += 1;
      return [];
    }
    const { isOurs, worktree } = folders.of(cwd);
    if (!isOurs) {
      count(report.elsewhere, worktree);
    }
    if (!isOurs || !this.#mayRecord(session, time)) {
      this.#state.hasUnrecorded = true;
      return [];
    }
    const { path, reader } = this.#found;
    const made = eventsOf({
      line,
      session,
      ts,
      place: { worktree, cwd, branch },
      parent: opens?.parent,
      transcript: path,
      at,
      recall: this.#recall,
      state: this.#state,
      reader,
    });
    const events = withDistinctTimes(made, ts, this.#state);
    if (line.copiedFrom !== undefined) {
      for (const event of events) {
        if (!isOwnStart(event)) {
          report.copies.add(event);
        }
      }
    }
    return events;
  }

  /** Excludes a session whose first request asks for it, even if that request belongs to another project. */
  #notePrivate({ says, childAgent }: TranscriptLine): void {
    const state = this.#state;
    for (const said of says) {
      if (said.kind !== "request" || said.voice === "peer" || said.voice === "client") {
        continue;
      }
      if (state.hasRequest || childAgent !== undefined) {
        return;
      }
      state.hasRequest = true;
      if (PRIVATE_SESSION.test(said.text)) {
        this.#work.privateSessions.add(this.#last.session ?? "");
      }
    }
  }

  /** Whether this part was copied from another transcript that is read itself. */
  #isFromOtherTranscript({ copiedFrom }: TranscriptLine): boolean {
    const { turn, opens } = this.#last;
    // Ids of turns sort by time.
    if (turn !== undefined && opens?.id !== undefined && turn < opens.id) {
      return true;
    }
    if (copiedFrom === undefined) {
      return false;
    }
    this.#state.parent = copiedFrom;
    const { reader, path } = this.#found;
    const original = reader.transcriptBeside?.(path, copiedFrom);
    return original !== undefined && existsSync(original);
  }

  /** Whether the user agreed to record the line. Counts it if not. @param at in ms since 1970. */
  #mayRecord(session: string, at: number): boolean {
    const { consent, privateSessions, report } = this.#work;
    const { notRecorded } = report;
    const manifest = consent();
    const until = this.#frame.until === undefined ? at : Date.parse(this.#frame.until);
    const isPrivate = privateSessions.has(session);
    if (!isPrivate && mayRecord(manifest, { at, until, session })) {
      return true;
    }
    if (isPrivate) {
      notRecorded.private += 1;
    } else if (manifest.skipped.includes(session)) {
      notRecorded.skipped += 1;
    } else if (at < (firstOn(manifest) ?? Number.POSITIVE_INFINITY)) {
      notRecorded.before += 1;
    } else {
      notRecorded.whileOff += 1;
    }
    return false;
  }
}

/** Whether an event starts the fork itself. It isn't a copy, although it's made from the first copied line. */
const isOwnStart = ({ kind, content }: EventDraft): boolean =>
  kind === "session" && (content.event === "start" || content.event === "resume");
