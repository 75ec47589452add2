/**
 * What a store of events promises, whatever it keeps them in: files on this machine, or a database.
 *
 * - An event that was accepted is durable: it survives the end of any process, until it is purged or its time is over.
 * - What has one origin, or one key, is one event, however often it is appended and by which process. The earliest counts.
 * - No text reaches the disk before it was redacted.
 * - What was purged does not come back when its origin is read again.
 * - Any number of processes append, read and purge at once.
 *
 * Every failure is a SentinelError.
 */
import type { BriefEvent, Event, EventDraft, Kind } from "./kinds/event.ts";

export interface EventStore {
  /** Where the session log is, for people. */
  readonly location: string;

  /**
   * Redacts, cuts and stores events. Where it fails some may be stored; appended again, what has an origin or a key is the same event.
   * @returns the events as stored, in the order of the drafts; undefined for one that was purged earlier.
   * @throws SentinelError `bad_argument` for a draft that is not one; `disk_full`, `read_only`, `write_failed`.
   */
  append(drafts: readonly EventDraft[]): Promise<readonly (Event | undefined)[]>;

  /** Events in order of time; of one millisecond as they were stored, what refers to another one after it. Each is given once. */
  read(query?: EventQuery): AsyncIterable<Event>;

  /** The events with these ids, in any order: by the last 16 characters, whatever the time; a short id (`evt_` and 8 more) names all that have it. */
  find(ids: readonly string[]): Promise<readonly Event[]>;

  /** The best matches of a text among all that was acknowledged before, but for a backlog that is large. */
  search(query: SearchQuery): Promise<SearchResult>;

  /** Does a part of what searches need to find everything at once. @returns whether this process can do more of it. */
  prepareSearch(): Promise<boolean>;

  /** Events in brief, in order of time, for the projections: of the last days, or of some kinds at any time. Of very many, the last ones. */
  brief(window: Window): Promise<readonly BriefEvent[]>;

  /** The whole of a text that was cut, redacted; undefined where there is none, or its time is over. */
  artifact(id: string): Promise<string | undefined>;

  /** What a purge would take, changing nothing. */
  toPurge(target: PurgeTarget): Promise<Purged>;

  /** Takes events out for good, with the artifacts that no other event has. They are not accepted again. */
  purge(target: PurgeTarget): Promise<Purged>;

  /** Drops what is over its time or limit. */
  retain(limits: RetentionLimits): Promise<Retained>;

  statistics(): Promise<Statistics>;
}

export type Window = "recent" | "ledger";

/** All conditions have to hold; none means everything. */
export interface EventQuery {
  /** ISO 8601; included. */
  readonly from?: string;
  /** ISO 8601; excluded. */
  readonly to?: string;
  readonly session?: string;
  readonly kinds?: readonly Kind[];
  readonly refs?: readonly string[];
  readonly newestFirst?: boolean;
  /** With `newestFirst` and a session: nothing older is needed than about so many bytes of files hold. A database may give all. */
  readonly mostBytes?: number;
}

export interface SearchQuery {
  /** Any words; what holds more of them, and rarer ones, comes first. */
  readonly text: string;
  /** How many hits at most; 10 where it is absent. */
  readonly limit?: number;
  /** Whether a hit comes with what stands next to its event, which takes three times the reading. */
  readonly withNeighbours?: boolean;
}

export interface SearchResult {
  /** Best first; of equal ones the newer first. An event comes once, with the part of it that matches best. */
  readonly hits: readonly SearchHit[];
  /** How many chunks were searched. */
  readonly chunks: number;
  /** What is recorded and was not searched, the newest day first. */
  readonly notIndexed: { readonly days: readonly string[]; readonly bytes: number };
  /** Which limits were met: there may be more to find. */
  readonly limits: readonly SearchLimit[];
}

/** The most that one answer has: as many as fill the largest bundle with short messages. */
export const MOST_HITS = 1_000;

/** `hits`: no answer has more than `MOST_HITS`. `terms`: words that very many chunks hold did not count. `bytes`: of the events that were read. */
export type SearchLimit = "hits" | "terms" | "bytes";

/** A part of an event, see `chunks.ts`. */
export interface FoundChunk {
  readonly id: string;
  readonly event: Event;
  readonly text: string;
}

export interface SearchHit extends FoundChunk {
  /** From 0 to 1: of the best that any chunk could reach for the query. */
  readonly score: number;
  /** What stands next to its event in the session, where that was asked for. */
  readonly before?: FoundChunk;
  readonly after?: FoundChunk;
}

/** Which events a purge takes: those with these ids, all of a session, or all that hold a text, whole artifacts included. */
export type PurgeTarget =
  | { readonly ids: readonly string[] }
  | { readonly session: string }
  | { readonly text: string };

export interface Purged {
  readonly events: number;
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
  readonly artifacts: number;
  /** Lines that could not be read and stood in the same files: nobody can say what they hold, so they go as well. */
  readonly damaged: number;
}

export interface RetentionLimits {
  /** Events older than so many days go; all stay where it is absent. */
  readonly eventsDays?: number;
  /** Artifacts older than so many days go. */
  readonly artifactsDays: number;
  /** The oldest artifacts go until the others take at most so many bytes on disk. */
  readonly artifactsBytes: number;
}

export interface Retained {
  readonly events: number;
  readonly artifacts: number;
  /** By which the session log became smaller on disk. */
  readonly bytes: number;
}

export interface Statistics {
  readonly events: number;
  /** Of the events, on disk. */
  readonly bytes: number;
  readonly artifacts: { readonly count: number; readonly bytes: number };
  /** First and last day with an event, and how many days have any, in UTC; absent where there is none. */
  readonly days?: { readonly first: string; readonly last: string; readonly count: number };
  /** Lines that could not be read. */
  readonly damaged: number;
  /** Events from which a secret was taken out, by its kind. */
  readonly redacted: Readonly<Record<string, number>>;
  readonly purged: number;
  /** Chunks that searches find at once, and the bytes of events that are still to be indexed. */
  readonly indexed: { readonly chunks: number; readonly missingBytes: number };
}
