/**
 * Finds a project's session log and whether recording is on. The manifest in the log's folder, in the user's data folder, contains the
 * project and the user's consent. No other file can turn recording on. Writes nothing.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ErrorCode,
  type Problem,
  parseJson,
  SentinelError,
  tryOr,
} from "../../ground/core/errors.ts";
import { isUlid } from "../../ground/core/ulid.ts";
import { hasCode, isRefused } from "../../ground/files/file-errors.ts";
import { namesIn } from "../../ground/files/read-files.ts";
import { logsFolder, MANIFEST_NAME, placesFile } from "../../ground/project/context-folder.ts";
import { namesProject } from "../../ground/project/repository.ts";
import { type Home, homeOf, readLogId, stillHolds } from "./log-id.ts";
import { type Environment, type ResolvedPlaces, readPlaces } from "./places.ts";

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

export interface ProjectLog {
  readonly id: string;
  /** Absolute path of `records/<id>`. */
  readonly folder: string;
  /** As read once. `readConsent` reads it again. */
  readonly manifest: LogManifest;
  /** False if a newer release wrote it. */
  readonly isWritable: boolean;
}

export interface FoundLog {
  /**
   * - `never`: recording was never turned on here.
   * - `on`, `off`: the user's last choice.
   * - `moved`: the project was moved here. The log can be read, and `sessions on --continue` turns recording on again.
   * - `copy`: the project is a copy. The log belongs to the other folder, which still exists.
   * - `newer`: a newer release made the session log. It can only be read.
   * - `unclear`: the id or the manifest is invalid, or an earlier build wrote the log. Nothing is recorded.
   */
  readonly status: "never" | "on" | "off" | "moved" | "copy" | "newer" | "unclear";
  /** Present for `on`, `off`, `moved` and `newer`. */
  readonly record?: ProjectLog;
  readonly places: ResolvedPlaces;
  readonly home: Home;
  readonly problems: readonly LogProblem[];
}

/** A problem with the code of its error, if that isn't `not_recorded`. */
export type LogProblem = Problem & { readonly code?: ErrorCode };

/** Finds the session log of a project. @param folder the project's. */
export async function findLog(folder: string, env: Environment): Promise<FoundLog> {
  const places = readPlaces(env);
  const home = homeOf(folder);
  const { problem, ...found } = logOf(home, places);
  const problems: LogProblem[] = [];
  if (places.isFileBroken) {
    problems.push(brokenPlaces());
  }
  if (problem) {
    problems.push(problem);
  }
  return { ...found, places, home, problems };
}

/** Whether a project is recorded. False if anything is unusual. @param folder the project's. */
export function isRecorded(folder: string, env: Environment): boolean {
  const places = readPlaces(env);
  if (places.isFileBroken) {
    return false;
  }
  return tryOr(() => logOf(homeOf(folder), places).status === "on", false);
}

/** The session log, if recording is on. @throws SentinelError `not_recorded`. */
export function mustBeOn({ status, record, home, problems }: FoundLog): {
  record: ProjectLog;
  home: Home;
} {
  if (status === "on" && record) {
    return { record, home };
  }
  const problem = status === "moved" ? problems.at(-1) : undefined;
  throw notRecorded(problem ?? NOT_ON);
}

const NOT_ON: Problem = {
  what: "Recording is not on here, so nothing was read or stored.",
  fix: "For details: sentinel-memory sessions status. To turn it on: sentinel-memory sessions on",
};

/** The error for a problem that prevents recording. */
export function notRecorded({ code = "not_recorded", what, fix }: LogProblem): SentinelError {
  return new SentinelError(code, what, fix);
}

/** The problem that prevents recording. Undefined if recording was never turned on, or the user turned it off. */
export function obstacleIn({ status, problems }: Pick<FoundLog, "status" | "problems">) {
  return ["unclear", "moved", "copy"].includes(status) ? problems.at(-1) : undefined;
}

/**
 * The user's current consent. Capture reads it before every batch. Undefined if the session log is off, missing, unreadable, newer, or
 * belongs to another folder by now.
 */
export function readConsent({
  folder,
  id,
  manifest: before,
}: Pick<ProjectLog, "folder" | "id" | "manifest">): LogManifest | undefined {
  const manifest = readManifest(folder);
  if (typeof manifest !== "object" || manifest.format > RECORD_FORMAT) {
    return undefined;
  }
  if (isOldFormat(manifest, folder)) {
    return undefined;
  }
  const isSame = manifest.id === id && manifest.project === before.project;
  return isSame && isOn(manifest) ? manifest : undefined;
}

type Found = Pick<FoundLog, "status" | "record"> & { readonly problem?: LogProblem };

function logOf(home: Home, places: ResolvedPlaces): Found {
  const id = readLogId(home.folder);
  if (id === undefined) {
    return { status: "never" };
  }
  if (!isUlid(id)) {
    return unclear(...invalidId(home));
  }
  const folder = join(logsFolder(places), id);
  const manifest = readManifest(folder);
  if (manifest === undefined) {
    return { status: "never" };
  }
  if (manifest === "unreadable" || manifest.id !== id) {
    return unclear(...unreadable(folder));
  }
  const { format, project } = manifest;
  const isHere = namesProject(project, home.folder);
  if (!isHere && stillHolds(project, id)) {
    return {
      status: "copy",
      problem: {
        what: `This is a copy of ${project}, which has its own session log. Recording is off here.`,
        fix: "To start a session log for this folder: sentinel-memory sessions on",
      },
    };
  }
  if (isOldFormat(manifest, folder)) {
    const what = `An earlier build wrote the session log, so nothing is read or recorded: ${folder}`;
    return { status: "unclear", problem: { code: "old_format", what, fix: OLD_FORMAT_FIX } };
  }
  const record = { id, folder, manifest, isWritable: format <= RECORD_FORMAT };
  if (!record.isWritable) {
    return {
      status: "newer",
      record,
      problem: {
        what: `A newer release made this session log (format ${format}). This release can read it, but records nothing.`,
        fix: "Update sentinel-memory in this project.",
      },
    };
  }
  if (isHere) {
    return { status: isOn(manifest) ? "on" : "off", record };
  }
  return {
    status: "moved",
    record,
    problem: {
      what: `Recording is off: this project moved from ${project}.`,
      fix: "sentinel-memory sessions on --continue",
    },
  };
}

function unclear(what: string, fix: string): Found {
  return { status: "unclear", problem: { what, fix } };
}

function invalidId({ hasGit }: Home): [what: string, fix: string] {
  const place = hasGit
    ? "sentinelMemory.record in the git configuration"
    : ".context/.local/record";
  return [
    `${place} is not the id of a session log. It's ignored.`,
    "Remove it, or turn recording on: sentinel-memory sessions on",
  ];
}

function unreadable(folder: string): [what: string, fix: string] {
  if (isRefused(join(folder, MANIFEST_NAME))) {
    return [
      `This user may not read the session log, so nothing is recorded: ${folder}`,
      "Give this user the right to read and write that folder and its files. Don't move it away.",
    ];
  }
  return [
    `The manifest of the session log cannot be read, so nothing is recorded: ${folder}`,
    "Restore manifest.json there, or move that folder away and call sentinel-memory sessions on.",
  ];
}

function brokenPlaces(): Problem {
  return {
    what: `${placesFile()} cannot be read, so the folders from this environment are used instead.`,
    fix: "Restore it. Or remove it and call sentinel-memory sessions on, in the shell in which you called it first.",
  };
}

export interface KeptLog {
  readonly id: string;
  /** Absolute path. */
  readonly folder: string;
  /** Undefined if it can't be read. */
  readonly manifest: LogManifest | undefined;
  /** Whether the project still exists at its recorded path. */
  readonly isThere: boolean;
}

/** All logs, the oldest first. @throws SentinelError if the logs can't be read. */
export async function allLogs(env: Environment): Promise<KeptLog[]> {
  const root = logsFolder(readPlaces(env));
  const ids = (await namesIn(root)).filter(isUlid);
  return ids.map((id) => {
    const folder = join(root, id);
    const manifest = readManifest(folder);
    if (typeof manifest !== "object") {
      return { id, folder, manifest: undefined, isThere: false };
    }
    return { id, folder, manifest, isThere: stillHolds(manifest.project, id) };
  });
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
  const value = parseJson<Partial<LogManifest> | null>(text);
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

function isInterval(value: unknown): value is Interval {
  const { on, off } = { ...(value as Partial<Interval> | null) };
  return isInstant(on) && (off === undefined || isInstant(off));
}

const isInstant = (value: unknown): boolean =>
  typeof value === "string" && !Number.isNaN(Date.parse(value));

/** How to convert a session log that an earlier build wrote. Its manifest and its list of purges stay in use. */
const OLD_FORMAT_FIX =
  "Write it to a file with the build of commit ce84a9fd: sentinel-memory sessions export FILE. Then move the folders events and artifacts out of the log's folder, and call sentinel-memory sessions import FILE. Or only move them out, and read the transcripts again: sentinel-memory sessions capture --again";

/** Whether an earlier build wrote events into this folder. */
const isOldFormat = ({ format, daemon }: LogManifest, folder: string): boolean =>
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
