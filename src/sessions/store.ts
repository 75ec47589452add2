/**
 * The interface of an event store, which keeps its events in files on this machine or in a database. Its guarantees:
 *
 * - An accepted event is durable. It survives the end of any process, until it's purged or its retention period ends.
 * - Drafts with the same origin or the same key are one event, however often and by whichever process they're appended. The first one is stored.
 * - Text is redacted before it reaches the disk.
 * - A purged event isn't stored again when its origin is read again.
 * - Any number of processes can append, read and purge concurrently.
 *
 * Every failure is a SentinelError.
 */
import type { BriefEvent, Event, EventDraft, Kind } from "./kinds/event.ts";

export interface EventStore {
  /** The place of the session log, for messages to the user. */
  readonly location: string;

  /**
   * Redacts, cuts and stores events. If it fails, some may be stored. Appending them again is safe for drafts with an origin or a key.
   * @returns the events as stored, in the order of the drafts. Undefined for an event that was purged earlier.
   * @throws SentinelError `bad_argument` for an invalid draft, `disk_full`, `read_only`, `write_failed` or `lock_timeout`.
   */
  append(drafts: readonly EventDraft[]): Promise<readonly (Event | undefined)[]>;

  /** Yields each event once, by time. Events of the same millisecond keep the order of storing. */
  read(query?: EventQuery): AsyncIterable<Event>;

  /**
   * The events with these ids, in any order. Only the last 16 characters of an id are compared, but a store may look only at the day in the
   * id. A short id (`evt_` and 8 more) finds all events that match it.
   */
  find(ids: readonly string[]): Promise<readonly Event[]>;

  /** The best matches of a text among all events accepted so far, except a large backlog that isn't indexed yet. */
  search(query: SearchQuery): Promise<SearchResult>;

  /** Indexes a part of the backlog for searches. @returns whether this process can index more. */
  prepareSearch(): Promise<boolean>;

  /** Brief events by time, for the projections: those of the last days, or those of some kinds at any time. Only the newest if there are too many. */
  brief(window: Window): Promise<readonly BriefEvent[]>;

  /** The whole redacted text of one that was cut. Undefined if it doesn't exist or has expired. */
  artifact(id: string): Promise<string | undefined>;

  /** Counts the events and artifacts that a purge would remove, and changes nothing. */
  toPurge(target: PurgeTarget): Promise<Purged>;

  /** Permanently removes events, and the artifacts that no other event refers to. They aren't accepted again. */
  purge(target: PurgeTarget): Promise<Purged>;

  /** Removes events and artifacts that exceed the limits of retention. */
  retain(limits: RetentionLimits): Promise<Retained>;

  statistics(): Promise<Statistics>;
}

export type Window = "recent" | "ledger";

/** An event must meet all conditions. An empty query matches every event. */
export interface EventQuery {
  /** ISO 8601, inclusive. */
  readonly from?: string;
  /** ISO 8601, exclusive. */
  readonly to?: string;
  readonly session?: string;
  readonly kinds?: readonly Kind[];
  readonly refs?: readonly string[];
  readonly newestFirst?: boolean;
}

export interface SearchQuery {
  /** Any words. Chunks with more of them, or with rarer ones, rank higher. */
  readonly text: string;
  /** The most hits to return. The default is 10. */
  readonly limit?: number;
  /** Whether to return each hit with the events before and after it, which takes three times as much reading. */
  readonly withNeighbours?: boolean;
}

export interface SearchResult {
  /** Best first, and the newer of two with equal scores first. Each event appears once, with its best matching part. */
  readonly hits: readonly SearchHit[];
  /** The number of chunks searched. */
  readonly chunks: number;
  /** Recorded events that were not searched, the newest day first. */
  readonly notIndexed: { readonly days: readonly string[]; readonly bytes: number };
  /** Whether a limit was reached, so there may be more to find. */
  readonly isCut: boolean;
}

/** The most hits of a search. This many short messages fill the largest bundle. */
export const MOST_HITS = 1_000;

/** A part of an event, as `chunks.ts` cuts it. */
export interface FoundChunk {
  readonly id: string;
  readonly event: Event;
  readonly text: string;
}

export interface SearchHit extends FoundChunk {
  /** From 0 to 1, relative to the best possible score for the query. */
  readonly score: number;
  /** The chunks before and after it in the session, if requested. */
  readonly before?: FoundChunk;
  readonly after?: FoundChunk;
}

/** The events to purge: by id, by session, or by a text that they or their artifacts contain. */
export type PurgeTarget =
  | { readonly ids: readonly string[] }
  | { readonly session: string }
  | { readonly text: string };

export interface Purged {
  readonly events: number;
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
  readonly artifacts: number;
}

export interface RetentionLimits {
  /** Removes events older than this many days. The default is to keep all. */
  readonly eventsDays?: number;
  /** Removes artifacts older than this many days. */
  readonly artifactsDays: number;
  /** Removes the oldest artifacts until the others take at most this many bytes on disk. */
  readonly artifactsBytes: number;
}

export interface Retained {
  readonly events: number;
  readonly artifacts: number;
  /** Bytes freed on disk. */
  readonly bytes: number;
}

export interface Statistics {
  readonly events: number;
  /** The size of the events on disk. */
  readonly bytes: number;
  /** The size of the artifacts on disk. */
  readonly artifactBytes: number;
  /** The number of days with events, in UTC. */
  readonly days: number;
  /** The number of damaged lines. */
  readonly damaged: number;
  /** The number of events from which a secret was redacted, by kind of secret. */
  readonly redacted: Readonly<Record<string, number>>;
  readonly purged: number;
  /** The number of indexed chunks, and the bytes of events that aren't indexed yet. */
  readonly indexed: { readonly chunks: number; readonly missingBytes: number };
}
