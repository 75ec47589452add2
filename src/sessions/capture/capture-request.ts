import type { ProjectLog } from "../consent/find-log.ts";
import type { Home } from "../consent/log-id.ts";
import type { EventStore, RetentionLimits } from "../store.ts";
import type { ReaderHere } from "./readers.ts";
import type { ToldSessions } from "./told-sessions.ts";

export interface CaptureRequest {
  readonly record: ProjectLog;
  readonly home: Home;
  readonly store: EventStore;
  /** Ms since 1970. */
  readonly now: number;
  /** Each with the folder in which its client keeps its own files. */
  readonly readers: readonly ReaderHere[];
  /** What is dropped afterwards, once a day; nothing without. */
  readonly limits?: RetentionLimits;
  /** Whether transcripts are read from their beginnings, for what was recorded and was lost or dropped since. */
  readonly again?: boolean;
  /** A session that has ended, as a hook says. */
  readonly ended?: {
    readonly session: string;
    readonly transcript: string;
    readonly reason: string;
  };
  /** The session that a hook reported when it started the capture. */
  readonly told?: ToldSessions;
  /** The one transcript that is read, for a session that waits; all of them without. */
  readonly only?: string;
  /** For an agent that waits; everything is read without. */
  readonly limit?: CaptureLimit;
  /** Ends the capture before its time; the next one goes on. */
  readonly stop?: AbortSignal;
  /** Called with the transcripts that were looked at, and how many there are. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** A capture on which an agent waits takes so much of time and of transcripts, which it does not notice; the last line is read to its end. */
export const QUICKLY = { ms: 500, bytes: 8 * 1024 * 1024 };
export type CaptureLimit = Readonly<typeof QUICKLY>;
