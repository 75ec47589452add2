/**
 * What has to be known of the lines before to read the next one of a transcript. Plain data, because a transcript is read in
 * pieces, by one process after the other; bounded, because some sessions last for weeks.
 */
import type { Fields } from "../clients/transcript.ts";

export interface OpenCall {
  readonly tool: string;
  readonly input: Fields;
  /** The id of the call's event. */
  readonly event: string;
}

export interface ReadingState {
  session?: string;
  /** Of the last line that had one. */
  ts?: string;
  cwd?: string;
  branch?: string;
  /** Whether the session's first event was made. */
  isStarted?: true;
  /** Whether lines came before that were not recorded. */
  hasUnrecorded?: true;
  /** Whether any request was read; only the first can take a session out. */
  hasRequest?: true;
  /** Calls without an answer, oldest first. */
  calls: Record<string, OpenCall>;
  /** The events of failures that nothing has settled, by the normal form of their call. */
  failures: Record<string, string>;
  /** The list that the agent last wrote, by title. */
  todos: Record<string, string>;
  /** Requests that wait, in order. */
  queue: readonly string[];
  /** Requests that were delivered, which the client may say twice: by the queue, and by what it attached. */
  delivered: readonly { readonly text: string; readonly by: "queue" | "attachment" }[];
}

const MOST = 200;
/** Longer inputs are kept only as far as their meaning needs. */
const MOST_INPUT = 16_384;
const MOST_TEXT = 2_000;

export function newState(): ReadingState {
  return { calls: {}, failures: {}, todos: {}, queue: [], delivered: [] };
}

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
export function withLast<T>(list: readonly T[], value: T): readonly T[] {
  return [...list.slice(1 - MOST), value];
}

/** An input that is long without most of its texts. */
export function boundedInput(input: Fields): Fields {
  if (JSON.stringify(input).length <= MOST_INPUT) return input;
  const texts = Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(texts.map(([key, text]) => [key, text.slice(0, MOST_TEXT)]));
}
