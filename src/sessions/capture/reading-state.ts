/** The next line needs this of those before. It reaches the disk, so it holds places, ids and hashes, and no word. */
import { createHash } from "node:crypto";

export interface ReadingState {
  /** Where the last line stands that names session, time, folder and branch. */
  placedAt?: number;
  /** Where the last line after it stands that begins a turn. */
  turnAt?: number;
  /** The time of the last event, and when what was said without a pause before it began; in ms since 1970. */
  moment?: { readonly from: number; readonly last: number };
  /** Whether the session's first event was made. */
  isStarted?: true;
  hasUnrecorded?: true;
  /** The session from whose transcript the first lines were copied. */
  parent?: string;
  /** Whether any request was read; only the first can take a session out. */
  hasRequest?: true;
  /** Where the calls without an answer stand, by their id, oldest first. */
  calls: Record<string, number>;
  /** The calls whose work went on in the background, and where each stands, by the ids of the call and of the task. */
  background?: Record<string, readonly [call: string, at: number]>;
  /** Hashes of what was said of their end: the client may say it three times. */
  ended?: Record<string, true>;
  /** The events of failures that nothing has settled, by the hash of their call's normal form. */
  failures: Record<string, string>;
  /** The list of tasks that the agent last wrote: hashes of what it said, by the hash of the title. */
  todos: Record<string, string>;
  /** Where the requests stand that wait, in order. */
  queue: readonly number[];
  /** Hashes of requests that were delivered: the client may say so twice, in the queue and in what it attached. */
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

/** Adds an entry; the oldest give way. */
export function addEntry<T>(entries: Record<string, T>, key: string, value: T): void {
  delete entries[key];
  entries[key] = value;
  const keys = Object.keys(entries);
  if (keys.length > MOST) delete entries[keys[0] as string];
}

/** Takes an entry out and gives it. */
export function takeEntry<T>(entries: Record<string, T>, key: string): T | undefined {
  const value = entries[key];
  delete entries[key];
  return value;
}

/** The last ones of a list with one more. */
export const withLast = <T>(list: readonly T[], value: T): readonly T[] => [
  ...list.slice(1 - MOST),
  value,
];

/** Stands for a text where only sameness counts. A letter first, so that keys keep their order. */
export const hashOf = (text: string): string =>
  `h${createHash("sha256").update(text).digest("hex").slice(0, 20)}`;
