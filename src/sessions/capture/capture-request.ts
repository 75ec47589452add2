import type { ProjectLog } from "../consent/find-log.ts";
import type { Home } from "../consent/log-id.ts";
import type { EventStore, RetentionLimits } from "../store.ts";
import type { ReaderHere } from "./sources.ts";
import type { ToldSessions } from "./told.ts";

/** How to capture. Without any, all transcripts are read from where the last capture ended. */
export interface CaptureOptions {
  /** Reads transcripts from their beginnings, to recover events that were lost or dropped. */
  readonly again?: boolean | undefined;
  /** A session that has ended, as a hook reports. */
  readonly ended?: EndedSession | undefined;
  /** The session that a hook reported when it started the capture. */
  readonly told?: ToldSessions | undefined;
  /** The one transcript to read, for a session that waits. */
  readonly only?: string | undefined;
  /** How much to read for an agent that waits. */
  readonly limit?: CaptureLimit | undefined;
  /** Stops the capture after the current line. The next one continues. */
  readonly stop?: AbortSignal | undefined;
  /** Called with how many transcripts were looked at, and how many there are. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

interface EndedSession {
  readonly session: string;
  readonly transcript: string;
  readonly reason: string;
}

export interface CaptureRequest extends CaptureOptions {
  readonly record: ProjectLog;
  readonly home: Home;
  readonly store: EventStore;
  /** In ms since 1970. */
  readonly now: number;
  readonly readers: readonly ReaderHere[];
  /** Limits of retention, which is done once a day. Nothing is dropped without. */
  readonly limits?: RetentionLimits | undefined;
}

export interface CaptureLimit {
  readonly ms: number;
  readonly bytes: number;
}

/** An agent doesn't notice a capture of this length. The last line is read to its end. */
export const QUICKLY: CaptureLimit = { ms: 500, bytes: 8 * 1024 * 1024 };
