/** State that reading the next line needs from earlier ones. It's written to the disk, so it contains only positions, ids and hashes, never text. */
import { hash } from "node:crypto";

export interface ReadingState {
  /** The start of the last line with session, time and folder. */
  placedAt?: number;
  /** The start of the last line that starts a turn. */
  turnAt?: number;
  /** `last` is the time given to the last event, `from` the transcript's time for the first of the events spaced with it. In ms since 1970. */
  moment?: { readonly from: number; readonly last: number };
  /** Whether the session's first event was made. */
  isStarted?: true;
  hasUnrecorded?: true;
  /** The session from whose transcript the first lines were copied. */
  parent?: string;
  /** Whether a request was read. Only the first one can exclude a session. */
  hasRequest?: true;
  /** The lines of unanswered calls, by the call's id, oldest first. */
  calls: Record<string, number>;
  /** Calls that continue in the background, each with the start of its line, by the ids of the call and of the task. */
  background?: Record<string, readonly [call: string, at: number]>;
  /** The agent's last list of tasks. Hashes of their contents, by the hash of the title. */
  todos: Record<string, string>;
  /** The starts of the lines with waiting requests, in order. */
  queue: readonly number[];
  /** Hashes of requests that were delivered. The client may report one twice, in the queue and in an attachment. */
  delivered: readonly { readonly text: string; readonly by: "queue" | "attachment" }[];
}

const MOST = 200;

export const newState = (): ReadingState => ({
  calls: {},
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

/** A hash for a text that is only compared. It begins with a letter, because objects sort keys that look like numbers. */
export const hashOf = (text: string): string => `h${hash("sha256", text).slice(0, 20)}`;
