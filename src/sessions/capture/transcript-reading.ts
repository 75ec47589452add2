/** What the lines of one transcript say, in their order: each line's events, as far as they belong here and may be recorded. */
import type { FileHandle } from "node:fs/promises";
import { Lately } from "../../ground/core/lately.ts";
import { lineAt, type WholeLine } from "../../ground/files/whole-lines.ts";
import { firstOn, type LogManifest, mayRecord } from "../consent/manifest.ts";
import type { EventDraft } from "../kinds/event.ts";
import { known } from "../transcripts/fields.ts";
import {
  DAMAGED,
  type Frame,
  type LineReading,
  type Opening,
  type TranscriptLine,
  type TranscriptReader,
} from "../transcripts/transcript.ts";
import type { Folders } from "./belonging.ts";
import { contextOf, type PlacedLine } from "./line-context.ts";
import { eventsOf } from "./line-events.ts";
import type { ReadingState } from "./reading-state.ts";
import { type CaptureReport, count } from "./report.ts";
import { TurnChanges } from "./turn-changes.ts";

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
  /** What holds for lines that do not say it. */
  readonly frame?: Frame;
  readonly consent: () => LogManifest;
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
  readonly #lines = new Lately<readonly TranscriptLine[]>(LINES_REMEMBERED);
  /** Whether there was a part of the conversation that the reader did not understand. */
  hasMissed = false;
  /** What holds for a line that does not say it. */
  #session = "";
  #ts = "";
  #cwd = "";
  #branch = "";
  #opening: Opening | undefined;
  #turn = "";
  readonly #changes = new TurnChanges();
  #version = "unknown";

  constructor(file: FileHandle, work: ReadingWork, state: ReadingState) {
    this.#file = file;
    this.#work = work;
    this.#state = state;
    this.#session = work.frame?.session ?? "";
    this.#cwd = work.frame?.cwd ?? "";
    for (const at of [state.placedAt, state.turnAt])
      if (at !== undefined) for (const line of this.#recall(at)) this.#noticePlace(line, undefined);
  }

  /** The events of a line; of one that is not UTF-8 what can be read. */
  async draftsOf(at: number, { text, isUtf8 }: Pick<WholeLine, "text" | "isUtf8">): Promise<EventDraft[]> {
    const readings = text === undefined ? [TOO_LONG] : this.#work.reader.readLine(text);
    for (const reading of readings) {
      this.#version = reading.version ?? this.#version;
      this.#work.report.countReading(reading, this.#work.reader, this.#version);
      this.hasMissed ||= reading.isConversation && reading.unknown.length > 0;
    }
    const isDamaged = readings.some(({ unknown }) => unknown.includes(DAMAGED));
    if (!isUtf8 && !isDamaged) count(this.#work.report.unknown, DAMAGED);
    const lines = this.#linesIn(readings, at);
    this.#lines.set(`${at}`, lines);
    const drafts: EventDraft[] = [];
    for (const line of lines) {
      this.#noticePlace(line, at);
      if (line.says.length > 0) drafts.push(...(await this.#draftsOfLine(at, this.#opened(line))));
    }
    return drafts;
  }

  /** The events of a line that belongs to the project and may be recorded. */
  async #draftsOfLine(at: number, line: TranscriptLine): Promise<EventDraft[]> {
    const { folders, privateSessions, report, consent, path, reader, frame } = this.#work;
    this.#noticePrivate(line);
    if (this.#isRepeated) return [];
    const [session, ts, cwd, branch] = [this.#session, this.#ts, this.#cwd, this.#branch];
    const time = Date.parse(ts);
    const belonging = cwd === "" ? undefined : await folders.of(cwd);
    if (!belonging || session === "" || Number.isNaN(time)) {
      report.notRecorded.unplaced += 1;
      return [];
    }
    if (!belonging.isOurs) count(report.elsewhere, belonging.worktree);
    else if (privateSessions.has(session)) report.notRecorded.private += 1;
    else if (!mayRecord(consent(), { at: time, until: Date.parse(frame?.until ?? ts), session }))
      report.notRecorded[whyNot(consent(), time, session)] += 1;
    else {
      const place = { worktree: belonging.worktree, cwd, ...(branch !== "" && { branch }) };
      const recall = (place: number) => this.#recall(place);
      const rest = { place, transcript: path, at, recall, ...known({ parent: this.#opening?.parent }) };
      const placed = { line, session, ts, ...rest };
      const events = eventsOf(placed, this.#state, reader);
      this.#changes.notice(events);
      return inTurn([...events, ...(await this.#changedAt(placed))], ts, this.#state);
    }
    this.#state.hasUnrecorded = true;
    return [];
  }

  /** What the end of a turn says without a word. */
  async #changedAt(placed: PlacedLine): Promise<EventDraft[]> {
    const end = placed.line.says.find((said) => said.kind === "turn-end");
    const { worktree } = placed.place;
    if (!end || worktree === undefined || !this.#state.isStarted) return [];
    const content = await this.#changes.at(end, Date.parse(placed.ts), worktree);
    const { draft } = contextOf(placed, this.#state, this.#work.reader);
    return content ? [draft("changes", { kind: "tool_result", actor: { type: "tool", id: "tool.git" }, content })] : [];
  }

  /** A line with what the first one said for all. */
  #opened(line: TranscriptLine): TranscriptLine {
    const { childAgent, version } = this.#opening ?? {};
    return { ...known({ childAgent, version }), ...line };
  }

  /** Whether this part was said in another transcript, and is read there. */
  get #isRepeated(): boolean {
    return this.#turn !== "" && this.#opening?.id !== undefined && this.#turn < this.#opening.id;
  }

  #noticePlace(line: TranscriptLine, at: number | undefined): void {
    // A transcript that repeats another one repeats its first line too.
    if (line.opens && this.#opening) return;
    this.#opening = line.opens ?? this.#opening;
    this.#turn = line.turn ?? this.#turn;
    this.#version = line.opens?.version ?? line.version ?? this.#version;
    this.#session = line.session ?? this.#session;
    this.#ts = line.ts ?? this.#ts;
    this.#cwd = line.cwd ?? this.#cwd;
    this.#branch = line.branch ?? this.#branch;
    if (at !== undefined && (line.opens || (line.session && line.ts && line.cwd))) this.#state.placedAt = at;
    if (at !== undefined && line.turn) this.#state.turnAt = at;
  }

  /** A session is taken out by its first request, wherever it was said. */
  #noticePrivate({ says, childAgent }: TranscriptLine): void {
    const request = says.find((said) => said.kind === "request");
    if (!request || this.#state.hasRequest || childAgent !== undefined) return;
    this.#state.hasRequest = true;
    if (PRIVATE_SESSION.test(request.text)) this.#work.privateSessions.add(this.#session);
  }

  #recall(at: number): readonly TranscriptLine[] {
    const known = this.#lines.get(`${at}`);
    if (known) return known;
    const text = lineAt(this.#file, at, LONGEST_LINE_BYTES);
    const readings = text === undefined ? [] : this.#work.reader.readLine(text);
    const lines = this.#linesIn(readings, at);
    this.#lines.set(`${at}`, lines);
    return lines;
  }

  /** Each with an id that no other line has. */
  #linesIn(readings: readonly LineReading[], at: number): readonly TranscriptLine[] {
    const lines = readings.flatMap(({ line }) => line ?? []);
    if (!this.#work.reader.namesNoLines) return lines;
    return lines.map((line) => ({ ...line, id: `${this.#session}:${at}:${line.id}` }));
  }
}

function whyNot(consent: LogManifest, at: number, session: string): "skipped" | "before" | "whileOff" {
  if (consent.skipped.includes(session)) return "skipped";
  return at < (firstOn(consent) ?? Number.POSITIVE_INFINITY) ? "before" : "whileOff";
}

/**
 * Events that were said at a time, in the order of the transcript: each a millisecond after the one before, where that was said at the
 * same time. Ids begin with the time, so every store and index keeps the order.
 * @param ts of their line, ISO 8601; an event with another time keeps it.
 * @param state of the lines before; afterwards, of these events too.
 */
function inTurn(drafts: readonly EventDraft[], ts: string, state: ReadingState): EventDraft[] {
  const at = Date.parse(ts);
  return drafts.map((draft) => {
    if (draft.ts !== ts) return draft;
    const { moment } = state;
    const isSame = moment !== undefined && at >= moment.from && at <= moment.last;
    state.moment = isSame ? { from: moment.from, last: moment.last + 1 } : { from: at, last: at };
    return isSame ? { ...draft, ts: new Date(state.moment.last).toISOString() } : draft;
  });
}
