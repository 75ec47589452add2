/** What a capture did, and what it left: nothing gets lost without being counted. */
import type { Event, EventDraft, Kind } from "../kinds/event.ts";
import type { Retained } from "../store.ts";
import { known } from "../transcripts/fields.ts";
import type { LineReading, TranscriptReader } from "../transcripts/transcript.ts";
import { UNKNOWN_SPEAKER } from "../transcripts/voices.ts";

/** Lines of conversation, and how many of them the reader understood. */
export interface Understood {
  readonly lines: number;
  readonly understood: number;
  /** Messages of which nobody knows who said them; earlier releases did not count them. */
  readonly unknownSpeakers?: number;
  /** Of the reader that read them. */
  readonly revision: number;
}

type ReaderName = Pick<TranscriptReader, "name" | "revision">;

/** Below this share a client's format has probably changed. */
const LEAST_UNDERSTOOD = 0.9;

export class CaptureReport {
  /** Those that were read to their end, and those in which there was nothing new. */
  readonly transcripts = { read: 0, unchanged: 0 };
  /** Transcripts that this user may not read; each is tried again in the next capture. */
  readonly unreadable: string[] = [];
  /** Compressed ones that this Node cannot unpack and no capture read before. */
  compressed = 0;
  bytes = 0;
  lines = 0;
  /** By client and version, as people call them. */
  readonly conversation: Record<string, Understood> = {};
  readonly events: Partial<Record<Kind, number>> = {};
  /** Lines and parts of lines that are left out on purpose, by type. */
  readonly leftOut: Record<string, number> = {};
  /** Those that the reader does not know, by type. */
  readonly unknown: Record<string, number> = {};
  /** Lines of other projects, by their folder. */
  readonly elsewhere: Record<string, number> = {};
  /** Lines from before recording was first turned on, from while it was off, of sessions left out or private, and without time or place. */
  readonly notRecorded = { before: 0, whileOff: 0, skipped: 0, private: 0, unplaced: 0 };
  /** Events that a fork copied from a transcript which is not here. */
  readonly copies = new Set<EventDraft>();
  /** Whether the capture ended because recording was turned off meanwhile. */
  wasTurnedOff = false;
  /** Whether somebody stopped it; what was stored until then stays. */
  wasStopped = false;
  /** What was over its time or limit and went; absent where that was looked for less than a day ago. */
  retained?: Retained;
  /** What is not read yet, where the capture had a limit. */
  left?: { readonly transcripts: number; readonly bytes: number };
  /** Of the conversation, what no state has yet. */
  #uncounted: Record<string, Understood> = {};

  /** @param version of the client. */
  countReading(
    { leftOut, unknown, isConversation }: LineReading,
    { name, revision }: ReaderName,
    version: string,
  ): void {
    for (const type of leftOut) count(this.leftOut, type);
    for (const type of unknown) count(this.unknown, type);
    if (!isConversation) return;
    // A message without a known speaker is understood itself, and counted as one by `countSpeakers`.
    const isUnderstood = unknown.every((type) => type === UNKNOWN_SPEAKER);
    const one = { lines: 1, understood: isUnderstood ? 1 : 0, revision };
    for (const counts of [this.conversation, this.#uncounted])
      addTo(counts, `${name} ${version}`, one);
  }

  countSpeakers(
    drafts: readonly EventDraft[],
    { name, revision }: ReaderName,
    version: string,
  ): void {
    const unknownSpeakers = drafts.filter(
      ({ kind, actor }) => kind === "message" && actor.id === "unknown",
    ).length;
    const more = { lines: 0, understood: 0, unknownSpeakers, revision };
    if (unknownSpeakers > 0) addTo(this.#uncounted, `${name} ${version}`, more);
  }

  countEvents(stored: readonly (Event | undefined)[]): void {
    for (const event of stored) if (event) count(this.events as Record<string, number>, event.kind);
  }

  /** What earlier captures understood, with what this one did since it was asked last. */
  withUnderstood(before: Readonly<Record<string, Understood>>): Record<string, Understood> {
    const sums = { ...before };
    for (const [client, counts] of Object.entries(this.#uncounted)) addTo(sums, client, counts);
    this.#uncounted = {};
    return sums;
  }
}

/** The clients, each with its version, of whose lines the reader as it is now understands too little: their format has probably changed. */
export function versionsNotUnderstood(
  counts: Readonly<Record<string, Understood>>,
  readers: readonly ReaderName[],
): string[] {
  return Object.entries(counts).flatMap(([version, { lines, understood, revision }]) => {
    const isCurrent = readers.some(
      (reader) => version.startsWith(`${reader.name} `) && revision === reader.revision,
    );
    return isCurrent && understood < lines * LEAST_UNDERSTOOD ? [version] : [];
  });
}

/** Adds to the counts of a client. A newer reader counts afresh: what the other one did not understand is read again. */
function addTo(counts: Record<string, Understood>, client: string, more: Understood): void {
  const sum = counts[client];
  const isSame = sum?.revision === more.revision;
  const lines = more.lines + (isSame ? sum.lines : 0);
  const understood = more.understood + (isSame ? sum.understood : 0);
  const unknownSpeakers = (more.unknownSpeakers ?? 0) + (isSame ? (sum.unknownSpeakers ?? 0) : 0);
  counts[client] = {
    lines,
    understood,
    revision: more.revision,
    ...known({ unknownSpeakers: unknownSpeakers || undefined }),
  };
}

export function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
