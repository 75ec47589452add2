/** Captures the sessions of a project (docs/design/sessions.md, "Capture"). Used by commands, hooks and waiting agents. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../../ground/core/errors.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { changeUserFile } from "../../ground/files/private-file.ts";
import { readJson } from "../../ground/files/read-files.ts";
import type { Project } from "../../ground/project/find-project.ts";
import type { ReadPrivacy } from "../../ground/project/privacy.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { noteFormat } from "../consent/change-log.ts";
import { type FoundLog, mustBeOn, type ProjectLog, readConsent } from "../consent/find-log.ts";
import { noteCapture } from "../consent/last-capture.ts";
import { readLogLimits } from "../consent/limits.ts";
import { keepDaemonBriefs, updateBriefs } from "../files/briefs.ts";
import { logFiles } from "../files/log-files.ts";
import { exclusively } from "../files/purge.ts";
import type { EventStore } from "../store.ts";
import { readAllAgain } from "./capture-state.ts";
import { type CaptureOptions, type CaptureRequest, captureTurn } from "./capture-turn.ts";
import { CaptureReport } from "./report.ts";
import { emptySpool, findSources, readersOf, type Sources, spoolReader } from "./sources.ts";
import { countUnread } from "./status.ts";

/** The project and the functions that the caller of a capture provides. */
export interface CaptureParts {
  readonly project: Project;
  /** Opens the events of a session log. @param folder the session log's. @param words that are never stored, to append events. */
  readonly openEvents: (folder: string, words?: OwnWords) => EventStore;
  readonly readPrivacy: ReadPrivacy;
}

/** The time that a turn keeps the lock of the session log. Other processes get it between turns. */
const TURN_MS = 1_000;
/** Longer than the pause between two tries of a process that waits for the lock. */
const PAUSE_MS = 20;

/** Captures, indexes and notes the result. @throws SentinelError `not_recorded`, `privacy_unreadable`, and the errors of a capture. */
export async function captureHere(
  { project, openEvents, readPrivacy }: CaptureParts,
  found: FoundLog,
  options: CaptureOptions = {},
): Promise<CaptureReport> {
  const { record, home } = mustBeOn(found);
  const { folder } = record;
  try {
    const words = (await readPrivacy()).forStoring();
    await noteFormat(record);
    const { limits } = await readLogLimits(project.folder);
    const store = openEvents(folder, words);
    const readers = [...readersOf(found.places), spoolReader(folder)];
    const request = { ...options, record, home, store, now: Date.now(), readers, limits };
    const report = await capture(request);
    emptySpool(folder);
    if (report.wasTurnedOff) {
      return report;
    }
    while (
      options.patienceMs === undefined &&
      !isStopped(options) &&
      (await store.prepareSearch())
    ) {}
    report.wasStopped ||= isStopped(options);
    await noteCapture(folder, undefined, Date.now());
    return report;
  } catch (error) {
    // A log that was deleted meanwhile must not come back. If the note can't be written, the caller still gets the error.
    if (error instanceof SentinelError && existsSync(folder)) {
      await noteCapture(folder, error, Date.now()).catch(() => undefined);
    }
    throw error;
  }
}

/** Captures in turns. @throws SentinelError if a write fails. Events stored until then stay. @internal */
export async function capture(request: CaptureRequest): Promise<CaptureReport> {
  const report = new CaptureReport();
  const { record, patienceMs, readers } = request;
  const consent = readConsent(record);
  if (!consent) {
    report.wasTurnedOff = true;
    return report;
  }
  const end = performance.now() + (patienceMs ?? Number.POSITIVE_INFINITY);
  // While an agent waits, there is no time to search the transcripts of other projects.
  const sources = await findSources(request, patienceMs === undefined ? consent : undefined);
  if (request.again) {
    await alone(record, () => readAllAgain(record.folder), end);
  }
  await readInTurns(request, sources, report, end);
  report.compressed = await countUnread(record.folder, readers);
  if (!report.wasTurnedOff && !report.wasStopped) {
    await finish(request, report, end);
  }
  return report;
}

/** @param end when an agent stops waiting, in ms of `performance.now()`. */
async function readInTurns(
  request: CaptureRequest,
  sources: Sources,
  report: CaptureReport,
  end: number,
): Promise<void> {
  const { record } = request;
  const isSpentAt = (time: number) => performance.now() >= time || isStopped(request);
  const turn = () => {
    const turnEnd = Math.min(end, performance.now() + TURN_MS);
    return captureTurn(request, sources, report, () => isSpentAt(turnEnd));
  };
  for (;;) {
    // The lock would create the folder of a session log that was removed.
    report.wasTurnedOff = !readConsent(record);
    if (report.wasTurnedOff || (await alone(record, turn, end)) || isSpentAt(end)) {
      break;
    }
    await sleep(PAUSE_MS);
  }
  report.isDone = sources.transcripts.length === 0;
  report.wasStopped = isStopped(request);
}

const isStopped = ({ stop }: CaptureOptions): boolean => stop?.aborted ?? false;

/**
 * Runs an act under the lock of the session log. If an agent waits and another process has the lock, skips the act.
 * @param end when the agent stops waiting, in ms of `performance.now()`. @throws SentinelError `lock_timeout` if no agent waits.
 */
async function alone<Result>(
  { folder }: ProjectLog,
  act: () => Promise<Result>,
  end: number,
): Promise<Result | undefined> {
  const files = logFiles(folder);
  if (!Number.isFinite(end)) {
    return exclusively(files, act);
  }
  try {
    return await exclusively(files, act, Math.max(0, end - performance.now()));
  } catch (error) {
    if (error instanceof SentinelError && error.code === "lock_timeout") {
      return undefined;
    }
    throw error;
  }
}

/** Applies the limits of retention, and updates the recent events that the start of a session reads. */
async function finish(request: CaptureRequest, report: CaptureReport, end: number): Promise<void> {
  const { record, patienceMs, only } = request;
  const isWhole = patienceMs === undefined;
  if (isWhole) {
    await retainDaily(request, report);
  }
  // A session that waits also needs the events that others recorded or removed at the daemon.
  const isNeeded = isWhole || (only !== undefined && record.manifest.daemon !== undefined);
  if (isNeeded) {
    await alone(record, () => follow(request), end);
  }
}

/** Updates the recent events, unless the session log was removed during the capture. */
async function follow({ record, store, now }: CaptureRequest): Promise<void> {
  const consent = readConsent(record);
  if (!consent) {
    return;
  }
  if (consent.daemon) {
    keepDaemonBriefs(record.folder, await store.brief("recent"));
  } else {
    await updateBriefs(record.folder, now);
  }
}

/** Applies the limits of retention, unless that was done less than a day ago. */
async function retainDaily(
  { store, record, limits, now }: CaptureRequest,
  report: CaptureReport,
): Promise<void> {
  const path = join(record.folder, "state", "retained.json");
  const age = now - (Date.parse(readJson(path)?.at) || 0);
  // A negative age means that the clock was set back. That must not delay retention for years.
  if (!limits || (age >= 0 && age < DAY_MS)) {
    return;
  }
  report.retained = await store.retain(limits);
  const at = new Date(now).toISOString();
  await changeUserFile(path, () => JSON.stringify({ at }));
}
