/** The state of capturing for `sessions status` and `doctor`: the daemon, unrecorded transcripts, and silent failures. */
import { type Problem, problemOf, type SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import { CAN_UNPACK, COMPRESSED } from "../../ground/files/readable-file.ts";
import { daemonOf } from "../consent/daemon-log.ts";
import { type FoundLog, firstOn, mustBeOn, type ProjectLog } from "../consent/find-log.ts";
import { readLastCapture } from "../consent/last-capture.ts";
import type { Places } from "../consent/places.ts";
import { type CallerOfToken, mustRecordIn, ONCE, whoCalls } from "../remote/call-daemon.ts";
import { changedAt, leftToRead, readCaptureState } from "./capture-state.ts";
import { findSources, type ReaderHere, readersOf, spoolReader } from "./sources.ts";

type DaemonProblem = Problem & Pick<SentinelError, "code">;

const REFUSED = ["unauthorised", "not_allowed"];
/** Problems that don't pass by themselves. */
const LASTING = [
  ...REFUSED,
  "bad_argument",
  "newer_format",
  "not_private",
  "old_format",
  "schema_outdated",
];
const ANOTHER_TOKEN =
  "Get another token from the daemon's operator, then SENTINEL_TOKEN=… sentinel-memory sessions on";

/** Asks a daemon once whether it accepts captures. @returns whose token it is, or the problem. Undefined for a session log in files. */
export async function askDaemon(
  logFolder: string,
): Promise<CallerOfToken | DaemonProblem | undefined> {
  try {
    const daemon = daemonOf(logFolder);
    if (!daemon) {
      return undefined;
    }
    const holder = await whoCalls(daemon, ONCE);
    mustRecordIn(daemon.channel, holder);
    return holder;
  } catch (error) {
    const problem = problemOf(error);
    return REFUSED.includes(problem.code) ? { ...problem, fix: ANOTHER_TOKEN } : problem;
  }
}

/** Whether the next captures may record what this one couldn't. */
export const mayPass = ({ code }: DaemonProblem): boolean => !LASTING.includes(code);

export interface Waiting {
  readonly transcripts: number;
  readonly bytes: number;
}

/**
 * Counts the transcripts and bytes that no capture has recorded yet, of those that changed since recording was first turned on. Files of the
 * spool count too. @throws SentinelError `not_recorded` if recording is not on.
 */
export async function waitingIn(found: FoundLog): Promise<Waiting> {
  const { record, home } = mustBeOn(found);
  const readers = [...readersOf(found.places), spoolReader(record.folder)];
  const { transcripts } = await findSources({ record, home, readers });
  return leftToRead(record.folder, transcripts, firstOn(record.manifest));
}

export function waitingInWords({ transcripts, bytes }: Waiting): string {
  return transcripts === 0
    ? "nothing waits to be recorded"
    : `${plural(bytes, "byte")} in ${plural(transcripts, "transcript")} wait to be recorded`;
}

/** Paths of compressed transcripts that this Node can't unpack. They may be of any project, because only their contents show it. */
export async function packedTranscripts(readers: readonly ReaderHere[]): Promise<string[]> {
  if (CAN_UNPACK) {
    return [];
  }
  const found = readers.map(
    async ({ reader, clientFolder }) => (await reader.findCompressed?.(clientFolder)) ?? [],
  );
  return (await Promise.all(found)).flat();
}

/** Counts the compressed transcripts that no capture has read to the end. @param logFolder of the session log. */
export async function countUnread(
  logFolder: string,
  readers: readonly ReaderHere[],
): Promise<number> {
  const { cursors } = readCaptureState(logFolder);
  const packed = await packedTranscripts(readers);
  return packed.filter((path) => cursors[path.slice(0, -COMPRESSED.length)]?.stamp === undefined)
    .length;
}

/** Undefined if the count is 0. */
export function unreadProblem(count: number): Problem | undefined {
  if (count === 0) {
    return undefined;
  }
  return {
    what: `${plural(count, "compressed rollout")} of Codex, of this or another project, cannot be read by Node ${process.versions.node}.`,
    fix: "Run sentinel-memory sessions capture with Node 22.15 or later, or at least once a week: Codex compresses a rollout after seven days.",
  };
}

const QUIET_DAYS = 3;

interface Circumstances {
  readonly places: Places;
  /** Whether the hooks that start captures are installed. */
  readonly hasHooks: boolean;
  /** In ms since 1970. */
  readonly now: number;
}

/**
 * Reports that no transcript of the project was found for days, although hooks are installed or captures ran. Without the report, it would
 * look as if the project were idle. Undefined while recording is off.
 */
export function quietProblem(
  { folder, manifest }: ProjectLog,
  { places, hasHooks, now }: Circumstances,
): Problem | undefined {
  const on = manifest.intervals.find(({ off }) => off === undefined)?.on;
  if (on === undefined) {
    return undefined;
  }
  const { cursors, understood } = readCaptureState(folder);
  const { succeeded, failed } = readLastCapture(folder);
  // Failed captures are reported elsewhere, with a fix.
  if (failed) {
    return undefined;
  }
  // A spool leaves no cursor behind.
  const spooled = `${spoolReader(folder).reader.name} `;
  if (Object.keys(understood).some((client) => client.startsWith(spooled))) {
    return undefined;
  }
  const ours = Object.values(cursors).filter(({ state }) => state.isStarted);
  const lastMs = Math.max(Date.parse(on), ...ours.map((cursor) => changedAt(cursor) ?? now));
  // If there was no session for days, no hook ran either. Only captures that ran since show that a session is missing.
  const untilMs = ours.length === 0 && hasHooks ? now : Date.parse(succeeded ?? on);
  if (untilMs - lastMs < QUIET_DAYS * DAY_MS) {
    return undefined;
  }
  return {
    what: `No transcript of this project was found since ${dateOf(new Date(lastMs).toISOString())}, though recording is on.`,
    fix: `After a session in this folder, call sentinel-memory sessions capture. If it reads none, the client writes elsewhere than ${places.claude} or ${places.codex}: set CLAUDE_CONFIG_DIR or CODEX_HOME to its folder, then sentinel-memory sessions on.`,
  };
}
