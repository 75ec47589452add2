/** The manifest of a session log, in the person's own folder: the project, and what of it may be recorded. Nothing else turns recording on. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { hasCode } from "../../ground/files/file-errors.ts";
import { MANIFEST_NAME } from "../../ground/project/context-folder.ts";

/** A session log of a higher format is read and never written. */
export const RECORD_FORMAT = 3;
/** Of one that a daemon keeps: what knows no daemon must not write files for it, and what knows one may call it. */
const DAEMON_FORMAT = 2;

/** Where a session log is that a daemon keeps. */
export interface DaemonLog {
  readonly url: string;
  /** In which what is captured is recorded. */
  readonly channel: "private" | "team";
  /** Whose session log it is there, as the first token said: another one's token is refused, also when that one is not valid any more. */
  readonly tenant: string;
  readonly person: string;
}

/** A time in which recording is agreed to: from `on`, up to and without `off`. */
export interface Interval {
  readonly on: string;
  /** Absent while recording is on. */
  readonly off?: string;
  /** Whether it lay in the past when it was agreed to, for an import. */
  readonly past?: true;
}

export interface LogManifest {
  readonly format: number;
  readonly id: string;
  /** The repository's folder; without git the project's. */
  readonly project: string;
  /** In the order in which they were agreed to. */
  readonly intervals: readonly Interval[];
  /** Sessions that are never recorded, by the id that their client gives them. */
  readonly skipped: readonly string[];
  /** Absent where the session log is in files beside the manifest. */
  readonly daemon?: DaemonLog;
}

/** The manifest in a session log's folder; undefined where there is none, `unreadable` where it is not one. */
export function readManifest(folder: string): LogManifest | "unreadable" | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, MANIFEST_NAME), "utf8");
  } catch (error) {
    return hasCode(error, "ENOENT", "ENOTDIR") ? undefined : "unreadable";
  }
  return parseManifest(text) ?? "unreadable";
}

/** Undefined for a text that is not a manifest. */
export function parseManifest(text: string): LogManifest | undefined {
  const value: Partial<LogManifest> | null = tryOr(() => JSON.parse(text), null);
  if (typeof value !== "object" || value === null) return undefined;
  const { format, id, project, intervals, skipped, daemon } = value;
  if (typeof format !== "number" || typeof id !== "string" || typeof project !== "string")
    return undefined;
  if (!Array.isArray(intervals) || !intervals.every(isInterval)) return undefined;
  if (!Array.isArray(skipped) || !skipped.every((session) => typeof session === "string"))
    return undefined;
  if (daemon !== undefined && !isDaemon(daemon)) return undefined;
  return { format, id, project, intervals, skipped, ...(daemon && { daemon }) };
}

function isDaemon({ url, channel, tenant, person }: DaemonLog): boolean {
  const texts = [url, tenant, person];
  return (
    texts.every((text) => typeof text === "string") && (channel === "private" || channel === "team")
  );
}

/** In files an event had a line of its own up to format 1: what cannot read this one must not purge in it. */
export const formatOf = (daemon: DaemonLog | undefined): number =>
  daemon ? DAEMON_FORMAT : RECORD_FORMAT;

export const manifestText = (manifest: LogManifest): string =>
  `${JSON.stringify(manifest, null, 2)}\n`;

/** Whether recording is on now, and not only for times that are over. */
export function isOn({ intervals }: Pick<LogManifest, "intervals">): boolean {
  return intervals.some(({ off }) => off === undefined);
}

/** Whether the person agreed to record a line. @param line.at ms since 1970; NaN is in no interval. @param line.until the end of a span, all of it agreed. */
export function mayRecord(
  { intervals, skipped }: LogManifest,
  {
    at,
    until = at,
    session,
  }: { readonly at: number; readonly until?: number; readonly session: string },
): boolean {
  return !skipped.includes(session) && cover(intervals, at, Math.max(at, until));
}

/** With a time of the past. What overlaps another one, or follows at once, becomes one with it. */
export function withPast(intervals: readonly Interval[], past: Required<Interval>): Interval[] {
  const [start, end] = [Date.parse(past.on), Date.parse(past.off)];
  const touched = intervals.filter(
    ({ on, off = "", past: isPast }) => isPast && Date.parse(on) <= end && start <= Date.parse(off),
  );
  const times = [past, ...touched].flatMap(({ on, off = on }) => [Date.parse(on), Date.parse(off)]);
  const instant = (time: number) => new Date(time).toISOString();
  return [
    ...intervals.filter((interval) => !touched.includes(interval)),
    { on: instant(Math.min(...times)), off: instant(Math.max(...times)), past: true },
  ];
}

/** When recording was first turned on, in ms since 1970; undefined where it never was. */
export function firstOn({ intervals }: LogManifest): number | undefined {
  const times = intervals.filter(({ past }) => !past).map(({ on }) => Date.parse(on));
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** One interval may end where the next one begins. */
function cover(intervals: readonly Interval[], from: number, until: number): boolean {
  return intervals.some(
    (interval) =>
      holds(interval, from) &&
      (holds(interval, until) || cover(intervals, Date.parse(interval.off ?? ""), until)),
  );
}

/** Whether a time, in ms since 1970, lies in an interval. */
export function holds({ on, off }: Interval, at: number): boolean {
  return at >= Date.parse(on) && (off === undefined || at < Date.parse(off));
}

function isInterval(value: unknown): value is Interval {
  const { on, off } = { ...(value as Partial<Interval> | null) };
  return isInstant(on) && (off === undefined || isInstant(off));
}

const isInstant = (value: unknown): boolean =>
  typeof value === "string" && !Number.isNaN(Date.parse(value));
