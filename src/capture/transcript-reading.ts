/** What the lines of one transcript say, in their order: each line's events, as far as they belong here and may be recorded. */
import type { FileHandle } from "node:fs/promises";
import type { LineReading, TranscriptLine, TranscriptReader } from "../clients/transcript.ts";
import type { EventDraft } from "../events/event.ts";
import { lineAt } from "../files/whole-lines.ts";
import { mayRecord, type RecordManifest } from "../project/record/manifest.ts";
import type { Folders } from "./belonging.ts";
import { eventsOf } from "./line-events.ts";
import type { ReadingState } from "./reading-state.ts";
import { type CaptureReport, count } from "./report.ts";

/** An image in a line has a few megabytes, twice. */
export const LONGEST_LINE_BYTES = 64 * 1024 * 1024;
/** Calls are usually answered within a few lines; what was before is read again. */
const LINES_REMEMBERED = 32;
const PRIVATE_SESSION = /^\s*<private-session>\s*(?:\n|$)/;

/** What a reading needs to know, and where it notes what it left. */
export interface ReadingWork {
  readonly path: string;
  readonly reader: TranscriptReader;
  readonly folders: Folders;
  /** What the person agreed to, as it is known at this moment. */
  readonly consent: () => RecordManifest;
  /** Sessions that are taken out; this adds to them. */
  readonly privateSessions: Set<string>;
  readonly report: CaptureReport;
}

const TOO_LONG: LineReading = { leftOut: [], unknown: ["too long"], isConversation: true };

/** One reading of a transcript: it knows what the lines before said that a line needs. */
export class TranscriptReading {
  readonly #file: FileHandle;
  readonly #work: ReadingWork;
  readonly #state: ReadingState;
  /** The lines that were read last, by where they begin. */
  readonly #lines = new Map<number, readonly TranscriptLine[]>();
  /** Whether there was a part of the conversation that the reader did not understand. */
  hasMissed = false;
  /** What holds for a line that does not say it. */
  #session = "";
  #ts = "";
  #cwd = "";
  #branch = "";

  constructor(file: FileHandle, work: ReadingWork, state: ReadingState) {
    this.#file = file;
    this.#work = work;
    this.#state = state;
    if (state.placedAt !== undefined)
      for (const line of this.#recall(state.placedAt)) this.#noticePlace(line, undefined);
  }

  /** The events of a line. @param text undefined where the line is too long. */
  async draftsOf(at: number, text: string | undefined): Promise<EventDraft[]> {
    const readings = text === undefined ? [TOO_LONG] : this.#work.reader.readLine(text);
    for (const reading of readings) {
      this.#work.report.countReading(reading);
      this.hasMissed ||= reading.isConversation && reading.unknown.length > 0;
    }
    const lines = readings.flatMap(({ line }) => line ?? []);
    this.#remember(at, lines);
    const drafts: EventDraft[] = [];
    for (const line of lines) drafts.push(...(await this.#draftsOfLine(at, line)));
    return drafts;
  }

  /** The events of a line that belongs to the project and may be recorded. */
  async #draftsOfLine(at: number, line: TranscriptLine): Promise<EventDraft[]> {
    const { folders, privateSessions, report, consent, path, reader } = this.#work;
    this.#noticePlace(line, at);
    this.#noticePrivate(line);
    const [session, ts, cwd, branch] = [this.#session, this.#ts, this.#cwd, this.#branch];
    const time = Date.parse(ts);
    const belonging = cwd === "" ? undefined : await folders.of(cwd);
    if (!belonging || session === "" || Number.isNaN(time)) report.notRecorded.unplaced += 1;
    else if (!belonging.isOurs) count(report.elsewhere, belonging.worktree);
    else if (privateSessions.has(session)) report.notRecorded.private += 1;
    else if (!mayRecord(consent(), { at: time, session })) report.notRecorded.outside += 1;
    else {
      const place = { worktree: belonging.worktree, cwd, ...(branch !== "" && { branch }) };
      const recall = (place: number) => this.#recall(place);
      return eventsOf({ line, session, ts, place, transcript: path, at, recall }, this.#state, reader);
    }
    this.#state.hasUnrecorded = true;
    return [];
  }

  #noticePlace(line: TranscriptLine, at: number | undefined): void {
    this.#session = line.session ?? this.#session;
    this.#ts = line.ts ?? this.#ts;
    this.#cwd = line.cwd ?? this.#cwd;
    this.#branch = line.branch ?? this.#branch;
    if (at !== undefined && line.session && line.ts && line.cwd) this.#state.placedAt = at;
  }

  /** A session is taken out by its first request, wherever it was said. */
  #noticePrivate({ says, subagent }: TranscriptLine): void {
    const request = says.find((said) => said.kind === "request");
    if (!request || this.#state.hasRequest || subagent !== undefined) return;
    this.#state.hasRequest = true;
    if (PRIVATE_SESSION.test(request.text)) this.#work.privateSessions.add(this.#session);
  }

  #recall(at: number): readonly TranscriptLine[] {
    const known = this.#lines.get(at);
    if (known) return known;
    const text = lineAt(this.#file, at, LONGEST_LINE_BYTES);
    const readings = text === undefined ? [] : this.#work.reader.readLine(text);
    const lines = readings.flatMap(({ line }) => line ?? []);
    this.#remember(at, lines);
    return lines;
  }

  #remember(at: number, lines: readonly TranscriptLine[]): void {
    this.#lines.set(at, lines);
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > LINES_REMEMBERED && oldest !== undefined) this.#lines.delete(oldest);
  }
}
