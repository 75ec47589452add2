import { existsSync } from "node:fs";
import { RecentCache } from "../../ground/core/recent-cache.ts";
import type { ReadableFile } from "../../ground/files/readable-file.ts";
import { lineAt, type WholeLine, wholeLines } from "../../ground/files/whole-lines.ts";
import { firstOn, type LogManifest, mayRecord } from "../consent/manifest.ts";
import type { EventDraft } from "../kinds/event.ts";
import { readJsonLine } from "../transcripts/json-lines.ts";
import {
  DAMAGED,
  type Frame,
  type LineReading,
  type TranscriptLine,
  type TranscriptReader,
} from "../transcripts/transcript.ts";
import type { Folders } from "./belonging.ts";
import { eventsOf } from "./line-events.ts";
import type { ReadingState } from "./reading-state.ts";
import { type CaptureReport, count } from "./report.ts";

/** An image in a line has a few megabytes, twice. */
export const LONGEST_LINE_BYTES = 64 * 1024 * 1024;
/** The number of recent lines to cache, because most calls are answered within a few lines. Earlier lines are read again. */
const LINES_REMEMBERED = 32;
const PRIVATE_SESSION = /^\s*<private-session>\s*(?:\n|$)/;

/** The input of a reading, and the report to update. */
export interface ReadingWork {
  readonly path: string;
  readonly reader: TranscriptReader;
  readonly folders: Folders;
  /** Defaults for lines that lack these fields. */
  readonly frame?: Frame;
  readonly consent: () => LogManifest;
  /** Private sessions, which aren't recorded. The reading adds the ones it finds. */
  readonly privateSessions: Set<string>;
  readonly report: CaptureReport;
}

const TOO_LONG: LineReading = { unknown: ["too long"], isConversation: true };

/** Reads the lines of one transcript in order. Keeps fields of earlier lines, because later lines omit them. */
export class TranscriptReading {
  readonly #file: ReadableFile;
  readonly #work: ReadingWork;
  readonly #state: ReadingState;
  readonly #isNew: (line: TranscriptLine) => boolean;
  /** The most recent lines, by their start in the file. */
  readonly #recent = new RecentCache<readonly TranscriptLine[]>(LINES_REMEMBERED);
  /** The session, place and time of the lines so far. */
  #last: Partial<TranscriptLine>;
  #hasMissed = false;

  /** @param state of the lines before, which the reading updates. @param from the position in the file at which the reading starts. */
  constructor(file: ReadableFile, work: ReadingWork, state: ReadingState, from: number) {
    this.#file = file;
    this.#work = work;
    this.#state = state;
    this.#isNew = seenLines(file, work.reader, from);
    this.#last = { ...work.frame };
    for (const at of [state.placedAt, state.turnAt]) {
      if (at === undefined) continue;
      for (const line of this.#recall(at)) this.#follow(line);
    }
  }

  /** Whether the reader didn't understand some part of the conversation. */
  get hasMissed(): boolean {
    return this.#hasMissed;
  }

  /** Makes the events of a line, if it belongs to the project and may be recorded. If the line isn't valid UTF-8, uses its readable part. */
  draftsOf(at: number, { text, isUtf8 }: Pick<WholeLine, "text" | "isUtf8">): EventDraft[] {
    const { report, reader } = this.#work;
    const all = text === undefined ? [TOO_LONG] : readJsonLine(text, reader);
    const readings = all.filter(({ line }) => line === undefined || this.#isNew(line));
    this.#count(readings, isUtf8);
    const drafts: EventDraft[] = [];
    for (const line of this.#remember(readings, at)) {
      this.#notePlace(line, at);
      this.#follow(line);
      if (line.says.length > 0) drafts.push(...this.#draftsOfLine(at, this.#opened(line)));
    }
    const { version, opens } = this.#last;
    report.countSpeakers(drafts, reader, version ?? opens?.version ?? "unknown");
    return drafts;
  }

  #count(readings: readonly LineReading[], isUtf8: boolean): void {
    const { report, reader } = this.#work;
    const last = this.#last.version ?? this.#last.opens?.version ?? "unknown";
    for (const reading of readings) {
      const { version = last, opens } = reading.line ?? {};
      report.countReading(reading, reader, opens?.version ?? version);
      if (reading.isConversation && reading.unknown.length > 0) this.#hasMissed = true;
    }
    const isCounted = readings.some(({ unknown }) => unknown.includes(DAMAGED));
    if (!isUtf8 && !isCounted) count(report.unknown, DAMAGED);
  }

  /** Caches the lines at a place and returns them, each with a unique id. */
  #remember(readings: readonly LineReading[], at: number): readonly TranscriptLine[] {
    const lines: TranscriptLine[] = [];
    for (const { line } of readings) {
      if (line === undefined) continue;
      const id = `${this.#last.session ?? ""}:${at}:${line.id}`;
      lines.push(this.#work.reader.namesNoLines ? { ...line, id } : line);
    }
    this.#recent.set(`${at}`, lines);
    return lines;
  }

  readonly #recall = (at: number): readonly TranscriptLine[] => {
    const known = this.#recent.get(`${at}`);
    if (known) return known;
    const text = lineAt(this.#file, at, LONGEST_LINE_BYTES);
    return this.#remember(text === undefined ? [] : readJsonLine(text, this.#work.reader), at);
  };

  /** Whether this is the first line of another transcript, copied into this one. It doesn't describe this transcript. */
  #isRepeatedOpening({ opens }: TranscriptLine): boolean {
    return opens !== undefined && this.#last.opens !== undefined;
  }

  /** Keeps the fields of a line for the lines after it. */
  #follow(line: TranscriptLine): void {
    if (!this.#isRepeatedOpening(line)) this.#last = { ...this.#last, ...line };
  }

  /** Notes the positions of the lines that a later reading needs. */
  #notePlace(line: TranscriptLine, at: number): void {
    if (this.#isRepeatedOpening(line)) return;
    if (line.opens || (line.session && line.ts && line.cwd)) this.#state.placedAt = at;
    if (line.turn) this.#state.turnAt = at;
  }

  /** Adds the fields that the transcript's first line sets for all lines. */
  #opened(line: TranscriptLine): TranscriptLine {
    const { childAgent, version } = this.#last.opens ?? {};
    const opened: { childAgent?: string; version?: string } = {};
    if (childAgent !== undefined) opened.childAgent = childAgent;
    if (version !== undefined) opened.version = version;
    return { ...opened, ...line };
  }

  #draftsOfLine(at: number, line: TranscriptLine): EventDraft[] {
    const { report, folders } = this.#work;
    this.#notePrivate(line);
    if (this.#isFromOtherTranscript(line)) return [];
    const { session, ts = "", cwd, branch, opens } = this.#last;
    const time = Date.parse(ts);
    if (cwd === undefined || session === undefined || Number.isNaN(time)) {
      report.notRecorded.unplaced += 1;
      return [];
    }
    const { isOurs, worktree } = folders.of(cwd);
    if (!isOurs) count(report.elsewhere, worktree);
    if (!isOurs || !this.#mayRecord(session, time)) {
      this.#state.hasUnrecorded = true;
      return [];
    }
    const placed = {
      line,
      session,
      ts,
      place: branch === undefined ? { worktree, cwd } : { worktree, cwd, branch },
      parent: opens?.parent,
      transcript: this.#work.path,
      at,
      recall: this.#recall,
    };
    const made = eventsOf(placed, this.#state, this.#work.reader);
    const events = withDistinctTimes(made, ts, this.#state);
    if (line.copiedFrom !== undefined)
      for (const event of events) if (!isOwnStart(event)) report.copies.add(event);
    return events;
  }

  /** Excludes a session whose first request asks for it, even if that request belongs to another project. */
  #notePrivate({ says, childAgent }: TranscriptLine): void {
    const state = this.#state;
    for (const said of says) {
      if (said.kind !== "request" || said.voice === "peer" || said.voice === "client") continue;
      if (state.hasRequest || childAgent !== undefined) return;
      state.hasRequest = true;
      if (PRIVATE_SESSION.test(said.text)) this.#work.privateSessions.add(this.#last.session ?? "");
    }
  }

  /** Whether this part was copied from another transcript that is read itself. */
  #isFromOtherTranscript({ copiedFrom }: TranscriptLine): boolean {
    const { turn, opens } = this.#last;
    // Ids of turns sort by time.
    if (turn !== undefined && opens?.id !== undefined && turn < opens.id) return true;
    if (copiedFrom === undefined) return false;
    this.#state.parent = copiedFrom;
    const { reader, path } = this.#work;
    const original = reader.transcriptBeside?.(path, copiedFrom);
    return original !== undefined && existsSync(original);
  }

  /** Whether the user agreed to record the line. Counts it if not. @param at in ms since 1970. */
  #mayRecord(session: string, at: number): boolean {
    const { consent, privateSessions, report, frame } = this.#work;
    const { notRecorded } = report;
    const manifest = consent();
    const until = frame?.until === undefined ? at : Date.parse(frame.until);
    const isPrivate = privateSessions.has(session);
    if (!isPrivate && mayRecord(manifest, { at, until, session })) return true;
    if (isPrivate) notRecorded.private += 1;
    else if (manifest.skipped.includes(session)) notRecorded.skipped += 1;
    else if (at < (firstOn(manifest) ?? Number.POSITIVE_INFINITY)) notRecorded.before += 1;
    else notRecorded.whileOff += 1;
    return false;
  }
}

/** Tracks the ids of lines. Reads the ids before `from` only when a line may be a repetition. @param from the position at which the reading starts. */
function seenLines(file: ReadableFile, reader: TranscriptReader, from: number) {
  const ids = new Set<string>();
  let isComplete = from === 0;
  const addEarlier = () => {
    isComplete = true;
    for (const { start, text = "" } of wholeLines(file, 0, LONGEST_LINE_BYTES)) {
      if (start >= from) return;
      for (const { line } of readJsonLine(text, reader)) if (line) ids.add(line.id);
    }
  };
  /** Whether no earlier line was the same. Adds the line to the earlier ones. */
  return (line: TranscriptLine): boolean => {
    if (line.isRepetition && !isComplete) addEarlier();
    const isNew = !line.isRepetition || !ids.has(line.id);
    ids.add(line.id);
    return isNew;
  };
}

/** Whether an event starts the fork itself. It isn't a copy, although it's made from the first copied line. */
const isOwnStart = ({ kind, content }: EventDraft): boolean =>
  kind === "session" && (content.event === "start" || content.event === "resume");

/**
 * Spaces events of the same time a millisecond apart, because ids begin with the time and must sort in order.
 * @param ts of their line, ISO 8601. An event with another time keeps it. @param state of the lines before. It's updated with these events.
 */
function withDistinctTimes(
  drafts: readonly EventDraft[],
  ts: string,
  state: ReadingState,
): EventDraft[] {
  const at = Date.parse(ts);
  return drafts.map((draft) => {
    if (draft.ts !== ts) return draft;
    const { moment } = state;
    const isSame = moment !== undefined && at >= moment.from && at <= moment.last;
    state.moment = isSame ? { from: moment.from, last: moment.last + 1 } : { from: at, last: at };
    return isSame ? { ...draft, ts: new Date(state.moment.last).toISOString() } : draft;
  });
}
