/** What a capture did, and what it left out. Everything is counted, so that nothing gets lost unnoticed. */
import type { Event, EventDraft, Kind } from "../kinds/event.ts";
import type { Retained } from "../store.ts";
import type { LineReading, TranscriptReader } from "../transcripts/transcript.ts";
import { UNKNOWN_SPEAKER } from "../transcripts/voices.ts";

/** Lines of conversation, and how many of them the reader understood. */
export interface Understood {
  readonly lines: number;
  readonly understood: number;
  /** Messages whose speaker is unknown. */
  readonly unknownSpeakers: number;
  /** Of the reader that read them. */
  readonly revision: number;
}

type ReaderName = Pick<TranscriptReader, "name" | "revision">;

/** Below this share a client's format has probably changed. */
const LEAST_UNDERSTOOD = 0.9;

export class CaptureReport {
  /** Those that were read to their end, and those without anything new. */
  readonly transcripts = { read: 0, unchanged: 0 };
  /** Transcripts that this user may not read. The next capture tries them again. */
  readonly unreadable: string[] = [];
  /** Compressed ones that this Node cannot unpack and no capture read before. */
  compressed = 0;
  bytes = 0;
  lines = 0;
  /** By client and version, as users call them. */
  readonly conversation: Record<string, Understood> = {};
  readonly events: Partial<Record<Kind, number>> = {};
  /** Lines and parts of lines that are left out on purpose, by type. */
  readonly leftOut: Record<string, number> = {};
  /** Those that the reader does not know, by type. */
  readonly unknown: Record<string, number> = {};
  /** Lines of other projects, by their folder. */
  readonly elsewhere: Record<string, number> = {};
  /** Lines from before recording was first turned on, from while it was off, of excluded or private sessions, and without time or place. */
  readonly notRecorded = { before: 0, whileOff: 0, skipped: 0, private: 0, unplaced: 0 };
  /** Events that a fork copied from a transcript which doesn't exist here. */
  readonly copies = new Set<EventDraft>();
  /** Whether the capture ended because recording was turned off meanwhile. */
  wasTurnedOff = false;
  /** Whether the user stopped it. What was stored until then stays. */
  wasStopped = false;
  /** What retention dropped. Absent if retention ran less than a day ago. */
  retained?: Retained;
  /** What is not read yet, if the capture had a limit. */
  left?: { readonly transcripts: number; readonly bytes: number };
  /** Counts that aren't in the stored state yet. */
  #uncounted: Record<string, Understood> = {};

  /** @param version of the client. */
  countReading(reading: LineReading, { name, revision }: ReaderName, version: string): void {
    const { leftOut, unknown, isConversation } = reading;
    for (const type of leftOut) count(this.leftOut, type);
    for (const type of unknown) count(this.unknown, type);
    if (!isConversation) return;
    // A message without a known speaker is understood itself. `countSpeakers` counts it.
    const isUnderstood = unknown.every((type) => type === UNKNOWN_SPEAKER);
    const one = { lines: 1, understood: isUnderstood ? 1 : 0, unknownSpeakers: 0, revision };
    const client = `${name} ${version}`;
    addTo(this.conversation, client, one);
    addTo(this.#uncounted, client, one);
  }

  countSpeakers(
    drafts: readonly EventDraft[],
    { name, revision }: ReaderName,
    version: string,
  ): void {
    const unknown = drafts.filter(
      ({ kind, actor }) => kind === "message" && actor.id === "unknown",
    );
    if (unknown.length === 0) return;
    const more = { lines: 0, understood: 0, unknownSpeakers: unknown.length, revision };
    addTo(this.#uncounted, `${name} ${version}`, more);
  }

  countEvents(stored: readonly (Event | undefined)[]): void {
    for (const event of stored) if (event) count(this.events as Record<string, number>, event.kind);
  }

  /** The counts of earlier captures, with those of this one since the last call. */
  withUnderstood(before: Readonly<Record<string, Understood>>): Record<string, Understood> {
    const sums = { ...before };
    for (const [client, counts] of Object.entries(this.#uncounted)) addTo(sums, client, counts);
    this.#uncounted = {};
    return sums;
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

/** Adds to the counts of a client. A newer reader starts again, because it reads again what the older one did not understand. */
function addTo(counts: Record<string, Understood>, client: string, more: Understood): void {
  const sum = counts[client];
  if (sum?.revision !== more.revision) {
    counts[client] = more;
    return;
  }
  counts[client] = {
    lines: sum.lines + more.lines,
    understood: sum.understood + more.understood,
    unknownSpeakers: sum.unknownSpeakers + more.unknownSpeakers,
    revision: sum.revision,
  };
}

export function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
