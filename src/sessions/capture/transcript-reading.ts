/** What the lines of one transcript say, in their order: each line's events, as far as they belong here and may be recorded. */
import { existsSync } from "node:fs";
import { RecentCache } from "../../ground/core/recent-cache.ts";
import type { ReadableFile } from "../../ground/files/readable-file.ts";
import { lineAt, type WholeLine, wholeLines } from "../../ground/files/whole-lines.ts";
import { firstOn, type LogManifest, mayRecord } from "../consent/manifest.ts";
import type { EventDraft } from "../kinds/event.ts";
import { known } from "../transcripts/fields.ts";
import type { TranscriptLine, TranscriptReader } from "../transcripts/transcript.ts";
import { DAMAGED, type Frame, type LineReading } from "../transcripts/transcript.ts";
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
  /** What holds for lines that do not say it. */
  readonly frame?: Frame;
  readonly consent: () => LogManifest;
  /** Sessions that are taken out; this adds to them. */
  readonly privateSessions: Set<string>;
  readonly report: CaptureReport;
}

const TOO_LONG: LineReading = { leftOut: [], unknown: ["too long"], isConversation: true };

/** One reading of a transcript: it knows what the lines before said that a line needs. @param from where it begins in the file. */
export function transcriptReading(
  file: ReadableFile,
  work: ReadingWork,
  state: ReadingState,
  from: number,
) {
  const { path, reader, folders, frame, consent, privateSessions, report } = work;
  /** The lines that were read last, by where they begin. */
  const lately = new RecentCache<readonly TranscriptLine[]>(LINES_REMEMBERED);
  /** What the lines so far said last: it holds for a line that does not say it. */
  let last: Partial<TranscriptLine> = { ...frame };
  const lineIds = idsOfLines(file, reader, from);
  /** Whether there was a part of the conversation that the reader did not understand. */
  let hasMissed = false;

  const noticePlace = (line: TranscriptLine, at: number | undefined) => {
    // A transcript that repeats another one repeats its first line too.
    if (line.opens && last.opens) return;
    last = { ...last, ...line };
    if (at !== undefined && (line.opens || (line.session && line.ts && line.cwd)))
      state.placedAt = at;
    if (at !== undefined && line.turn) state.turnAt = at;
  };

  /** The lines at a place, each with an id that no other line has. */
  const remember = (readings: readonly LineReading[], at: number): readonly TranscriptLine[] => {
    const named = readings.flatMap(({ line }) => line ?? []);
    const { session = "" } = last;
    const lines = reader.namesNoLines
      ? named.map((line) => ({ ...line, id: `${session}:${at}:${line.id}` }))
      : named;
    lately.set(`${at}`, lines);
    return lines;
  };

  const recall = (at: number): readonly TranscriptLine[] => {
    const known = lately.get(`${at}`);
    if (known) return known;
    const text = lineAt(file, at, LONGEST_LINE_BYTES);
    return remember(text === undefined ? [] : reader.readLine(text), at);
  };

  /** A session is taken out by its first request, wherever it was said. */
  const noticePrivate = ({ says, childAgent }: TranscriptLine) => {
    const request = says.find(
      (said) => said.kind === "request" && said.voice !== "peer" && said.voice !== "client",
    );
    if (request?.kind !== "request" || state.hasRequest || childAgent !== undefined) return;
    state.hasRequest = true;
    if (PRIVATE_SESSION.test(request.text)) privateSessions.add(last.session ?? "");
  };

  /** Whether this part was copied from another transcript, which is read too: ids of turns sort by time. */
  const isRepeated = ({ turn, opens }: Partial<TranscriptLine>) =>
    turn !== undefined && opens?.id !== undefined && turn < opens.id;

  const hasOriginal = ({ copiedFrom }: TranscriptLine): boolean => {
    if (copiedFrom === undefined) return false;
    state.parent = copiedFrom;
    const original = reader.transcriptBeside?.(path, copiedFrom);
    return original !== undefined && existsSync(original);
  };

  /** The events of a line that belongs to the project and may be recorded. */
  const draftsOfLine = async (at: number, line: TranscriptLine): Promise<EventDraft[]> => {
    noticePrivate(line);
    if (isRepeated(last) || hasOriginal(line)) return [];
    const { session, ts = "", cwd, branch, opens } = last;
    const time = Date.parse(ts);
    const belonging = cwd === undefined ? undefined : folders.of(cwd);
    if (!belonging || cwd === undefined || session === undefined || Number.isNaN(time)) {
      report.notRecorded.unplaced += 1;
      return [];
    }
    if (!belonging.isOurs) count(report.elsewhere, belonging.worktree);
    else if (privateSessions.has(session)) report.notRecorded.private += 1;
    else if (!mayRecord(consent(), { at: time, until: Date.parse(frame?.until ?? ts), session }))
      report.notRecorded[whyNot(consent(), time, session)] += 1;
    else {
      const place = { worktree: belonging.worktree, cwd, ...known({ branch }) };
      const placed = {
        line,
        session,
        ts,
        place,
        transcript: path,
        at,
        recall,
        ...known({ parent: opens?.parent }),
      };
      const events = withDistinctTimes(eventsOf(placed, state, reader), ts, state);
      if (line.copiedFrom !== undefined)
        for (const event of events.filter(isSaid)) report.copies.add(event);
      return events;
    }
    state.hasUnrecorded = true;
    return [];
  };

  for (const at of [state.placedAt, state.turnAt])
    if (at !== undefined) for (const line of recall(at)) noticePlace(line, undefined);
  return {
    hasMissed: () => hasMissed,
    /** The events of a line; of one that is not UTF-8 what can be read. */
    async draftsOf(
      at: number,
      { text, isUtf8 }: Pick<WholeLine, "text" | "isUtf8">,
    ): Promise<EventDraft[]> {
      const all = text === undefined ? [TOO_LONG] : reader.readLine(text);
      const readings: LineReading[] = [];
      for (const reading of all) if (lineIds.isNew(reading.line)) readings.push(reading);
      for (const reading of readings) {
        const { version = last.opens?.version ?? "unknown" } = last;
        report.countReading(reading, reader, reading.version ?? version);
        hasMissed ||= reading.isConversation && reading.unknown.length > 0;
      }
      const isDamaged = readings.some(({ unknown }) => unknown.includes(DAMAGED));
      if (!isUtf8 && !isDamaged) count(report.unknown, DAMAGED);
      const drafts: EventDraft[] = [];
      for (const line of remember(readings, at)) {
        noticePlace(line, at);
        const { childAgent, version } = last.opens ?? {};
        const opened = { ...known({ childAgent, version }), ...line };
        if (line.says.length > 0) drafts.push(...(await draftsOfLine(at, opened)));
      }
      report.countSpeakers(drafts, reader, last.version ?? last.opens?.version ?? "unknown");
      return drafts;
    },
  };
}

/** The ids of the lines of a transcript, those before a reading too: they are looked up for the first line that may repeat one. */
function idsOfLines(file: ReadableFile, reader: TranscriptReader, from: number) {
  const ids = new Set<string>();
  let isComplete = from === 0;
  const addEarlier = () => {
    isComplete = true;
    for (const { start, text = "" } of wholeLines(file, 0, LONGEST_LINE_BYTES)) {
      if (start >= from) return;
      for (const { line } of reader.readLine(text)) if (line) ids.add(line.id);
    }
  };
  return {
    /** Whether the line says what none before it said; it counts as one of them from now on. */
    isNew(line: TranscriptLine | undefined): boolean {
      if (line?.isRepetition && !isComplete) addEarlier();
      const isNew = !(line?.isRepetition && ids.has(line.id));
      if (line) ids.add(line.id);
      return isNew;
    },
  };
}

/** The start of a fork is its own, also where it comes with the first line that was copied. */
const isSaid = ({ kind, content }: EventDraft): boolean =>
  kind !== "session" || (content.event !== "start" && content.event !== "resume");

function whyNot(
  consent: LogManifest,
  at: number,
  session: string,
): "skipped" | "before" | "whileOff" {
  if (consent.skipped.includes(session)) return "skipped";
  return at < (firstOn(consent) ?? Number.POSITIVE_INFINITY) ? "before" : "whileOff";
}

/**
 * Events of a line in order, each a millisecond after the one before where both have one time: ids begin with it.
 * @param ts of their line, ISO 8601; an event with another time keeps it. @param state of the lines before; afterwards, of these events too.
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
