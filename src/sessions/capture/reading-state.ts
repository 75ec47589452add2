/** What the next line needs of those before. It's written to the disk, so it contains positions, ids and hashes, and no words. */
import { createHash } from "node:crypto";

export interface ReadingState {
  /** Where the last line begins that has session, time, folder and branch. */
  placedAt?: number;
  /** Where the last line after it begins that starts a turn. */
  turnAt?: number;
  /** The time of the last event, and of the first one of those that the transcript has at the same time. In ms since 1970. */
  moment?: { readonly from: number; readonly last: number };
  /** Whether the session's first event was made. */
  isStarted?: true;
  hasUnrecorded?: true;
  /** The session from whose transcript the first lines were copied. */
  parent?: string;
  /** Whether any request was read. Only the first one can exclude a session. */
  hasRequest?: true;
  /** Where the calls without an answer begin, by their id, oldest first. */
  calls: Record<string, number>;
  /** The calls that went on in the background, and where each begins, by the ids of the call and of the task. */
  background?: Record<string, readonly [call: string, at: number]>;
  /** Hashes of the notices of their end. The client may write each three times. */
  ended?: Record<string, true>;
  /** The events of failures that nothing has settled, by the hash of their call's normal form. */
  failures: Record<string, string>;
  /** The list of tasks that the agent last wrote: hashes of their contents, by the hash of the title. */
  todos: Record<string, string>;
  /** Where the requests begin that wait, in order. */
  queue: readonly number[];
  /** Hashes of requests that were delivered. The client may report one twice, in the queue and in an attachment. */
  delivered: readonly { readonly text: string; readonly by: "queue" | "attachment" }[];
}

const MOST = 200;

export const newState = (): ReadingState => ({
  calls: {},
  failures: {},
  todos: {},
  queue: [],
  delivered: [],
});

/** Adds an entry. Removes the oldest if there are too many. */
export function addEntry<T>(entries: Record<string, T>, key: string, value: T): void {
  delete entries[key];
  entries[key] = value;
  const keys = Object.keys(entries);
  if (keys.length > MOST) delete entries[keys[0] as string];
}

/** Removes an entry and returns it. */
export function takeEntry<T>(entries: Record<string, T>, key: string): T | undefined {
  const value = entries[key];
  delete entries[key];
  return value;
}

/** The last entries of a list, with one more. */
export const withLast = <T>(list: readonly T[], value: T): readonly T[] => [
  ...list.slice(1 - MOST),
  value,
];

/** Replaces a text that is only compared. Begins with a letter, so that keys keep their order. */
export const hashOf = (text: string): string =>
  `h${createHash("sha256").update(text).digest("hex").slice(0, 20)}`;
