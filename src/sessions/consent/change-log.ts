/** Changes a project's session log: turns recording on or off, skips a session, allows a past span, or removes the log. */
import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import { present } from "../../ground/core/text.ts";
import { isUlid, ulid } from "../../ground/core/ulid.ts";
import { fileError, patiently } from "../../ground/files/file-errors.ts";
import { alone, changeUserFile } from "../../ground/files/private-file.ts";
import { logsFolder, MANIFEST_NAME } from "../../ground/project/context-folder.ts";
import {
  type DaemonLog,
  type FoundLog,
  findLog,
  firstOn,
  type Interval,
  isOn,
  type LogManifest,
  type LogProblem,
  manifestText,
  notRecorded,
  type ProjectLog,
  parseManifest,
  RECORD_FORMAT,
} from "./find-log.ts";
import { readLastCapture } from "./last-capture.ts";
import { type Home, homeOf, readLogId, writeLogId } from "./log-id.ts";
import { type Environment, readPlaces, writePlaces } from "./places.ts";

interface TurnOn {
  /** In ms since 1970. */
  readonly now: number;
  /** The daemon to keep the session log at. The default is not to move the log. */
  readonly daemon?: DaemonLog | undefined;
  /** Continues the session log of a project that was moved here. */
  readonly continues?: boolean | undefined;
}

/**
 * Turns recording on, if it isn't already. Creates the session log if it's missing, and a separate one for a copy of a project.
 * @throws SentinelError `newer_format`, `not_recorded`, or the reason a file can't be written.
 */
export async function turnOn(
  folder: string,
  env: Environment,
  { now, daemon, continues = false }: TurnOn,
): Promise<ProjectLog> {
  await writePlaces(env);
  return alone(join(logsFolder(readPlaces(env)), "record-on"), async () => {
    const found = await findLog(folder, env);
    mustFit(found, continues);
    const { record: before, home } = found;
    if (before) {
      await change(before, (manifest) => {
        const here = found.status === "moved" ? movedTo(home, manifest, before.folder) : manifest;
        return turnedOn(here, now, daemon);
      });
    } else {
      await makeLog(found, folder, now, daemon);
    }
    const { record, problems } = await findLog(folder, env);
    if (record) {
      return record;
    }
    throw notMade(problems.at(-1));
  });
}

/** @throws SentinelError `not_recorded` if a moved project needs `--continue`, or if no log exists to continue. */
function mustFit({ status, problems }: FoundLog, continues: boolean): void {
  if (status === "moved" && !continues) {
    throw notMade(problems.at(-1));
  }
  if (continues && (status === "copy" || status === "never")) {
    throw new SentinelError(
      "not_recorded",
      present(problems.at(-1)?.what, "This folder has no session log to continue.").join(" "),
      "To start a session log for this folder: sentinel-memory sessions on",
    );
  }
}

/** Turns recording off. Recorded events stay. @throws SentinelError `newer_format`. */
export async function turnOff(record: NamedLog, now: number): Promise<void> {
  await change(record, (manifest) => turnedOff(manifest, now));
}

type NamedLog = Pick<ProjectLog, "folder" | "id">;

/** Excludes a session from recording, permanently. */
export async function skipSession(record: NamedLog, session: string): Promise<void> {
  await change(record, (manifest) => ({
    ...manifest,
    skipped: [...new Set([...manifest.skipped, session])],
  }));
}

interface PastSpan {
  /** In ms since 1970. */
  readonly from: number;
  readonly now: number;
  readonly alsoWhileOff: boolean;
}

/** Allows importing one past span, up to the first `on`, or with `alsoWhileOff` up to now. It replaces an earlier one. */
export async function agreeToPast(
  record: NamedLog,
  { from, now, alsoWhileOff }: PastSpan,
): Promise<void> {
  await change(record, (manifest) => {
    const to = alsoWhileOff ? now : (firstOn(manifest) ?? now);
    if (from >= to) {
      return manifest;
    }
    const past: Interval = { on: instant(from), off: instant(to), past: true };
    const others = manifest.intervals.filter((interval) => !interval.past);
    return { ...manifest, intervals: [...others, past] };
  });
}

/** Raises the format of a log whose old events were moved away. Call it before writing to the log, because events of an old log are never read. */
export async function noteFormat(record: ProjectLog): Promise<void> {
  if (record.manifest.format === RECORD_FORMAT) {
    return;
  }
  await change(record, (manifest) => ({ ...manifest, format: RECORD_FORMAT }));
}

/** Removes a session log with all files. It disappears at once and is deleted when this returns. */
export function removeLog(folder: string): void {
  const doomed = `${folder}.deleted`;
  try {
    rmSync(doomed, { recursive: true, force: true });
    if (existsSync(folder)) {
      patiently(() => renameSync(folder, doomed));
    }
    rmSync(doomed, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw fileError(error, "write_failed", `Removing ${folder}`);
  }
}

async function makeLog(
  found: FoundLog,
  folder: string,
  now: number,
  daemon: DaemonLog | undefined,
): Promise<void> {
  const home = homeOf(folder);
  const present = readLogId(folder);
  const isValid = present !== undefined && isUlid(present);
  if (found.status === "unclear" && isValid) {
    throw notMade(found.problems.at(-1));
  }
  // Keeps an id without a session log on this machine, because the folder may be in use elsewhere, such as in a container.
  const id = isValid && found.status === "never" ? present : ulid(now, randomBytes(10));
  const path = join(logsFolder(found.places), id);
  const empty = { format: RECORD_FORMAT, id, project: home.path, intervals: [], skipped: [] };
  const manifest = turnedOn(empty, now, daemon);
  // Writes the id first. An id without a log has no effect and the next call repairs it, but a log without an id would stay forever.
  if (id !== present) {
    await writeLogId(home, id);
  }
  await changeUserFile(join(path, MANIFEST_NAME), () => manifestText(manifest));
}

/** Changes the current manifest under a lock, so changes by other processes are kept. */
async function change(
  { folder, id }: NamedLog,
  work: (manifest: LogManifest) => LogManifest,
): Promise<void> {
  // The lock would create the folder of a removed session log.
  if (!existsSync(folder)) {
    throw gone(folder);
  }
  await changeUserFile(join(folder, MANIFEST_NAME), (text) => {
    const manifest = parseManifest(text ?? "");
    if (manifest?.id !== id) {
      throw gone(folder);
    }
    if (manifest.format > RECORD_FORMAT) {
      throw new SentinelError(
        "newer_format",
        `A newer release made this session log (format ${manifest.format}). Nothing was changed.`,
        "Update sentinel-memory in this project.",
      );
    }
    const after = manifestText(work(manifest));
    return after === text ? undefined : after;
  });
}

function turnedOn(manifest: LogManifest, now: number, daemon: DaemonLog | undefined): LogManifest {
  const intervals = isOn(manifest)
    ? manifest.intervals
    : [...manifest.intervals, { on: instant(now) }];
  const on = { ...manifest, format: RECORD_FORMAT, intervals };
  return daemon ? { ...on, daemon } : on;
}

function turnedOff(manifest: LogManifest, now: number): LogManifest {
  const off = instant(now);
  const intervals = manifest.intervals.map((interval) =>
    interval.off === undefined ? { ...interval, off } : interval,
  );
  return { ...manifest, intervals };
}

/**
 * The manifest of a project that was moved. The last interval ends with the last capture, which ran at the old path, because the user
 * hadn't agreed to record sessions at the new path before now.
 */
function movedTo({ path }: Home, manifest: LogManifest, logFolder: string): LogManifest {
  const moved = { ...manifest, project: path };
  const open = manifest.intervals.find(({ off }) => off === undefined);
  if (!open) {
    return moved;
  }
  const { succeeded = "", failed } = readLastCapture(logFolder);
  const times = [open.on, succeeded, failed?.at ?? ""].map((text) => Date.parse(text) || 0);
  return turnedOff(moved, Math.max(...times));
}

/** Whether to notify the user that the project moved to this path. True only the first time, because the call notes it. */
export async function isFirstNotice(record: NamedLog, path: string): Promise<boolean> {
  let isFirst = false;
  await changeUserFile(join(record.folder, "state", "moved-to"), (told) => {
    isFirst = told !== path;
    return isFirst ? path : undefined;
  });
  return isFirst;
}

const instant = (time: number): string => new Date(time).toISOString();

const notMade = (problem: LogProblem = NOT_MADE): SentinelError => notRecorded(problem);

const NOT_MADE: LogProblem = {
  what: "The session log was made, but cannot be found.",
  fix: "sentinel-memory sessions status shows the expected folder.",
};

function gone(folder: string): SentinelError {
  return new SentinelError(
    "not_recorded",
    `There is no manifest in ${folder} any more. Nothing was changed.`,
    "sentinel-memory sessions on starts a session log.",
  );
}
