/** Counts the lines and events that a capture stored or left out, so that nothing gets lost unnoticed. */
import type { Event, EventDraft, Kind } from "../kinds/event.ts";
import type { Retained } from "../store.ts";
import { UNKNOWN_SPEAKER } from "../transcripts/parts.ts";
import type { LineReading, TranscriptReader } from "../transcripts/transcript.ts";

/** Counts of lines of conversation, all and understood. */
export interface Understood {
  readonly lines: number;
  readonly understood: number;
  /** The revision of the reader that read them. */
  readonly revision: number;
}

type ReaderName = Pick<TranscriptReader, "name" | "revision">;

/** If fewer lines than this share are understood, the client's format has probably changed. */
const LEAST_UNDERSTOOD = 0.9;

export class CaptureReport {
  /** Transcripts that were read to their end, and transcripts without new lines. */
  readonly transcripts = { read: 0, unchanged: 0 };
  /** Transcripts that this user may not read. The next capture tries them again. */
  readonly unreadable: string[] = [];
  /** Compressed transcripts that this Node can't unpack and no capture has read. */
  compressed = 0;
  bytes = 0;
  lines = 0;
  /** Counts of all captures by client and version, under the names that users see. */
  understood: Record<string, Understood> = {};
  readonly events: Partial<Record<Kind, number>> = {};
  /** Lines and parts of lines that the reader doesn't know, by type. */
  readonly unknown: Record<string, number> = {};
  /** Lines of other projects, by their folder. */
  readonly elsewhere: Record<string, number> = {};
  /** Lines that weren't recorded, by reason. `before`: older than the first time recording was turned on. `unplaced`: without time or folder. */
  readonly notRecorded = { before: 0, whileOff: 0, skipped: 0, private: 0, unplaced: 0 };
  /** Events that a fork copied from a transcript which doesn't exist here. */
  readonly copies = new Set<EventDraft>();
  /** Whether the capture ended because recording was turned off. */
  wasTurnedOff = false;
  /** Whether the user stopped it. Events stored until then stay. */
  wasStopped = false;
  /** Counts of what retention removed. Absent if it ran less than a day ago. */
  retained?: Retained;
  /** Whether all transcripts were read, as far as this user may. */
  isDone = false;

  /** @param version of the client. */
  countReading(reading: LineReading, { name, revision }: ReaderName, version: string): void {
    const { unknown, isConversation } = reading;
    for (const type of unknown) {
      count(this.unknown, type);
    }
    if (!isConversation) {
      return;
    }
    const client = `${name} ${version}`;
    const before = this.understood[client];
    // A newer reader starts at zero, because it reads the lines again that the older one didn't understand.
    const sum = before?.revision === revision ? before : { lines: 0, understood: 0 };
    // A message without a known speaker is understood itself.
    const isUnderstood = unknown.every((type) => type === UNKNOWN_SPEAKER);
    const understood = sum.understood + (isUnderstood ? 1 : 0);
    this.understood[client] = { lines: sum.lines + 1, understood, revision };
  }

  countEvents(stored: readonly (Event | undefined)[]): void {
    for (const event of stored) {
      if (event) {
        count(this.events as Record<string, number>, event.kind);
      }
    }
  }
}

/** The clients, each with its version, whose lines the current reader mostly doesn't understand. Their format has probably changed. */
export function versionsNotUnderstood(
  counts: Readonly<Record<string, Understood>>,
  readers: readonly ReaderName[],
): string[] {
  const isCurrent = (version: string, revision: number) =>
    readers.some(({ name, revision: now }) => version.startsWith(`${name} `) && revision === now);
  return Object.entries(counts)
    .filter(([version, { revision }]) => isCurrent(version, revision))
    .filter(([, { lines, understood }]) => understood < lines * LEAST_UNDERSTOOD)
    .map(([version]) => version);
}

export function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
