import type { ProjectLog } from "../consent/find-log.ts";
import type { Home } from "../consent/log-id.ts";
import type { EventStore, RetentionLimits } from "../store.ts";
import type { ReaderHere } from "./sources.ts";
import type { ToldSessions } from "./told.ts";

/** How to capture. By default, a capture reads all transcripts from the position at which the last one ended. */
export interface CaptureOptions {
  /** Reads transcripts from their beginnings, to recover events that were lost or dropped. */
  readonly again?: boolean | undefined;
  /** A session that has ended, as a hook reports. */
  readonly ended?: EndedSession | undefined;
  /** The sessions reported by the hook that started the capture. */
  readonly told?: ToldSessions | undefined;
  /** The only transcript to read, for a session that waits. */
  readonly only?: string | undefined;
  /** The most to read while an agent waits. */
  readonly limit?: CaptureLimit | undefined;
  /** Stops the capture after the current line. The next one continues. */
  readonly stop?: AbortSignal | undefined;
  /** Called with the number of transcripts done and their total. */
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
  /** Limits of retention, which runs once a day. Without limits, nothing is removed. */
  readonly limits?: RetentionLimits | undefined;
}

export interface CaptureLimit {
  readonly ms: number;
  readonly bytes: number;
}

/** A limit short enough that an agent doesn't notice. The line being read is still read to its end. */
export const QUICKLY: CaptureLimit = { ms: 500, bytes: 8 * 1024 * 1024 };
