/** What a capture did, and what it left: nothing gets lost without being counted. */
import type { LineReading } from "../clients/transcript.ts";
import type { Event, Kind } from "../events/event.ts";
import type { Retained } from "../events/store.ts";

/** Lines of conversation, and how many of them the reader understood. */
export interface Understood {
  readonly lines: number;
  readonly understood: number;
}

/** Below this share a client's format has probably changed. */
const LEAST_UNDERSTOOD = 0.9;
/** Versions of a client that are remembered. */
const MOST_VERSIONS = 5;

export class CaptureReport {
  readonly transcripts = { read: 0, unchanged: 0 };
  /** Of the transcripts that were read. */
  bytes = 0;
  lines = 0;
  /** By the client's version. */
  readonly conversation: Record<string, Understood> = {};
  /** Events that were stored, by kind. */
  readonly events: Partial<Record<Kind, number>> = {};
  /** Lines and parts of lines that are left out on purpose, by type. */
  readonly leftOut: Record<string, number> = {};
  /** Those that the reader does not know, by type. */
  readonly unknown: Record<string, number> = {};
  /** Lines of other projects, by their folder. */
  readonly elsewhere: Record<string, number> = {};
  /** Lines that were said while nothing was to be recorded, in sessions that were taken out, and without time or place. */
  readonly notRecorded = { outside: 0, private: 0, unplaced: 0 };
  /** Whether the capture ended because recording was turned off meanwhile. */
  wasTurnedOff = false;
  /** What was over its time or limit and went; absent where that was looked for less than a day ago. */
  retained?: Retained;
  #version = "unknown";

  countReading({ leftOut, unknown, isConversation, version }: LineReading): void {
    for (const type of leftOut) count(this.leftOut, type);
    for (const type of unknown) count(this.unknown, type);
    this.#version = version ?? this.#version;
    if (!isConversation) return;
    const { lines, understood } = this.conversation[this.#version] ?? { lines: 0, understood: 0 };
    this.conversation[this.#version] = { lines: lines + 1, understood: understood + (unknown.length === 0 ? 1 : 0) };
  }

  countEvents(stored: readonly (Event | undefined)[]): void {
    for (const event of stored) if (event) count(this.events as Record<string, number>, event.kind);
  }

  /** With what earlier captures understood; the versions that were met last. */
  understoodSince(before: Readonly<Record<string, Understood>>): Record<string, Understood> {
    const sums = { ...before };
    for (const [version, { lines, understood }] of Object.entries(this.conversation)) {
      const sum = sums[version] ?? { lines: 0, understood: 0 };
      delete sums[version];
      sums[version] = { lines: sum.lines + lines, understood: sum.understood + understood };
    }
    return Object.fromEntries(Object.entries(sums).slice(-MOST_VERSIONS));
  }
}

/** The versions of a client of whose lines a reader understands too little: their format has probably changed. */
export function versionsNotUnderstood(conversation: Readonly<Record<string, Understood>>): string[] {
  return Object.entries(conversation).flatMap(([version, { lines, understood }]) =>
    understood < lines * LEAST_UNDERSTOOD ? [version] : [],
  );
}

export function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
