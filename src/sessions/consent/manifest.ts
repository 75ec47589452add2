/**
 * The manifest of a session log, in the user's data folder. It contains the project and the user's consent to recording. No other file can
 * turn recording on.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { hasCode } from "../../ground/files/file-errors.ts";
import { MANIFEST_NAME } from "../../ground/project/context-folder.ts";

/** Session logs with a higher format are read-only. Logs in files with a lower one can't be read. */
export const RECORD_FORMAT = 4;

/** The daemon that keeps a session log. */
export interface DaemonLog {
  readonly url: string;
  /** The channel of captured events. */
  readonly channel: "private" | "team";
  /** The tenant and person of the first token. Tokens of other people are refused, even after the first one expires. */
  readonly tenant: string;
  readonly person: string;
}

/** A span with consent, from `on` until just before `off`. */
export interface Interval {
  readonly on: string;
  /** Absent while recording is on. */
  readonly off?: string;
  /** Set if the span was already over at the time of consent, as for an import. A manifest has at most one such span. */
  readonly past?: true;
}

export interface LogManifest {
  readonly format: number;
  readonly id: string;
  /** The repository's folder, or the project's without git. */
  readonly project: string;
  /** Sorted by the time of consent. */
  readonly intervals: readonly Interval[];
  /** The client's ids of sessions that are never recorded. */
  readonly skipped: readonly string[];
  /** Absent if the session log is in files next to the manifest. */
  readonly daemon?: DaemonLog;
}

/** The manifest in a session log's folder. Undefined if it doesn't exist, `unreadable` if it's invalid. */
export function readManifest(folder: string): LogManifest | "unreadable" | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, MANIFEST_NAME), "utf8");
  } catch (error) {
    return hasCode(error, "ENOENT", "ENOTDIR") ? undefined : "unreadable";
  }
  return parseManifest(text) ?? "unreadable";
}

/** Undefined for an invalid manifest. */
export function parseManifest(text: string): LogManifest | undefined {
  const value: Partial<LogManifest> | null = tryOr(() => JSON.parse(text), null);
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const { format, id, project, intervals, skipped, daemon } = value;
  if (typeof format !== "number" || typeof id !== "string" || typeof project !== "string") {
    return undefined;
  }
  if (!Array.isArray(intervals) || !intervals.every(isInterval)) {
    return undefined;
  }
  if (!Array.isArray(skipped) || !skipped.every((session) => typeof session === "string")) {
    return undefined;
  }
  const manifest = { format, id, project, intervals, skipped };
  if (daemon === undefined) {
    return manifest;
  }
  return isDaemon(daemon) ? { ...manifest, daemon } : undefined;
}

function isDaemon({ url, channel, tenant, person }: DaemonLog): boolean {
  const texts = [url, tenant, person];
  return (
    texts.every((text) => typeof text === "string") && (channel === "private" || channel === "team")
  );
}

/** How to convert a session log that an earlier build wrote. Its manifest and its list of purges stay in use. */
export const OLD_FORMAT_FIX =
  "Write it to a file with the build of commit ce84a9fd: sentinel-memory sessions export FILE. Then move the folders events and artifacts out of the log's folder, and call sentinel-memory sessions import FILE. Or only move them out, and read the transcripts again: sentinel-memory sessions capture --again";

/** Whether an earlier build wrote events into this folder. */
export const isOldFormat = ({ format, daemon }: LogManifest, folder: string): boolean =>
  daemon === undefined && format < RECORD_FORMAT && existsSync(join(folder, "events"));

export const manifestText = (manifest: LogManifest): string =>
  `${JSON.stringify(manifest, null, 2)}\n`;

/** Whether recording is on now. */
export function isOn({ intervals }: Pick<LogManifest, "intervals">): boolean {
  return intervals.some(({ off }) => off === undefined);
}

/** A line of a transcript, or a span of time that may only be recorded as a whole. Times are in ms since 1970. */
interface Moment {
  /** NaN is never allowed. */
  readonly at: number;
  /** The end of the span. The default is `at`. */
  readonly until?: number;
  readonly session: string;
}

/** Whether the user agreed to record a line. */
export function mayRecord(
  { intervals, skipped }: LogManifest,
  { at, until = at, session }: Moment,
): boolean {
  return !skipped.includes(session) && cover(intervals, at, Math.max(at, until));
}

/** When recording was first turned on, in ms since 1970. Undefined if never. */
export function firstOn({ intervals }: LogManifest): number | undefined {
  const times = intervals.filter(({ past }) => !past).map(({ on }) => Date.parse(on));
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** The past span with consent, as a text to compare. Undefined without one. */
export function pastSpan({ intervals }: LogManifest): string | undefined {
  const past = intervals.find((interval) => interval.past);
  return past && `${past.on}/${past.off}`;
}

/** Adjacent intervals count as one. */
function cover(intervals: readonly Interval[], from: number, until: number): boolean {
  return intervals.some((interval) => {
    if (!contains(interval, from)) {
      return false;
    }
    return contains(interval, until) || cover(intervals, Date.parse(interval.off ?? ""), until);
  });
}

/** Whether an interval contains a time in ms since 1970. */
function contains({ on, off }: Interval, at: number): boolean {
  return at >= Date.parse(on) && (off === undefined || at < Date.parse(off));
}

function isInterval(value: unknown): value is Interval {
  const { on, off } = { ...(value as Partial<Interval> | null) };
  return isInstant(on) && (off === undefined || isInstant(off));
}

const isInstant = (value: unknown): boolean =>
  typeof value === "string" && !Number.isNaN(Date.parse(value));
