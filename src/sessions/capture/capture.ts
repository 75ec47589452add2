/**
 * Reads what agents wrote since the last time, and records what belongs to the project and was agreed to (docs/design/sessions.md, "Capture").
 *
 * It takes turns: each holds the session log's lock for a second, and others, such as a purge, come in between. A capture that is killed
 * is made up for by the next one.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../../ground/core/errors.ts";
import { orElse } from "../../ground/core/or-else.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import { readConsent } from "../consent/find-log.ts";
import type { LogManifest } from "../consent/manifest.ts";
import { followDays, lostDays, settleLostDays } from "../files/noted-days.ts";
import { followRecent, keepRecent } from "../files/recent-file.ts";
import type { EventStore, Retained, RetentionLimits } from "../store.ts";
import type { CaptureLimit, CaptureRequest } from "./capture-request.ts";
import { readAllAgain } from "./capture-state.ts";
import { CaptureTurn } from "./capture-turn.ts";
import { leftToRead } from "./left-to-read.ts";
import { CaptureReport } from "./report.ts";
import { findSources, findSourcesAtHand, type Sources } from "./sources.ts";

const TURN_MS = 1_000;
/** Longer than a process that waits for the lock sleeps between two tries. */
const PAUSE_MS = 20;

/**
 * Reads all there is.
 * @throws SentinelError when the session log cannot be written; what was stored until then stays, and the next capture goes on.
 */
export async function capture(request: CaptureRequest): Promise<CaptureReport> {
  const { store, limits, record, now } = request;
  const report = new CaptureReport();
  const consent = consentFor(request, report);
  if (!consent) return report;
  const sources = await findSources(request, consent);
  const isStopped = () => request.stop?.aborted ?? false;
  const turn = () => {
    const end = performance.now() + TURN_MS;
    return takeTurn(request, sources, report, () => performance.now() >= end || isStopped());
  };
  if (request.again) await store.exclusively(() => readAllAgain(record.folder));
  // A session log that was turned off may have been removed: the lock would make its folder.
  while (consentFor(request, report) && !(await store.exclusively(turn)) && !isStopped()) await sleep(PAUSE_MS);
  if (isStopped()) {
    report.wasStopped = true;
    return report;
  }
  const retained = limits && !report.wasTurnedOff ? await retainDaily(store, record.folder, limits, now) : undefined;
  if (retained) report.retained = retained;
  if (!report.wasTurnedOff) await store.exclusively(() => follow(request));
  report.lostDays = lostDays(record.folder);
  return report;
}

/** A session log that was removed meanwhile stays removed. */
async function follow({ record, store, now, again }: CaptureRequest): Promise<void> {
  const consent = readConsent(record);
  if (!consent) return;
  if (consent.daemon) await keepRecent(record.folder, await store.brief("recent"));
  else await followRecent(record.folder, now);
  // What is still missing now, no transcript holds any more.
  if (again) await settleLostDays(record.folder, lostDays(record.folder));
}

/** What was lost before it must be noticed before it writes to the same day. */
async function takeTurn(
  request: CaptureRequest,
  sources: Sources,
  report: CaptureReport,
  isSpent: () => boolean,
): Promise<boolean> {
  const { folder } = request.record;
  await followDays(folder);
  const isAtEnd = await new CaptureTurn(request, sources, report, isSpent).run();
  if (!report.wasTurnedOff) await followDays(folder);
  return isAtEnd;
}

/**
 * Reads as much as a limit allows, and says what is left. It does not look for sessions that began in another folder and came here
 * since the last whole capture, and drops nothing that is over its time.
 * @throws SentinelError as `capture` does; where others are at the session log, nothing is read instead.
 */
export async function captureSome(request: CaptureRequest, limit: CaptureLimit): Promise<CaptureReport> {
  const end = performance.now() + limit.ms;
  const report = new CaptureReport();
  const consent = consentFor(request, report);
  if (!consent) return report;
  const sources = await findSourcesAtHand(request);
  const isSpent = () => performance.now() >= end || report.bytes >= limit.bytes;
  const turn = async () => {
    await takeTurn(request, sources, report, isSpent);
    // The start of a session reads the windows, and what others recorded or removed meanwhile is at the daemon alone.
    if (consent.daemon && request.only !== undefined) await follow(request);
  };
  try {
    await request.store.exclusively(turn, Math.max(0, end - performance.now()));
  } catch (error) {
    if (!(error instanceof SentinelError && error.code === "lock_timeout")) throw error;
  }
  report.left = leftToRead(request.record.folder, sources.transcripts);
  return report;
}

function consentFor({ record }: CaptureRequest, report: CaptureReport): LogManifest | undefined {
  const consent = readConsent(record);
  if (!consent) report.wasTurnedOff = true;
  return consent;
}

/** @param now in ms since 1970. @returns undefined where it was done less than a day ago. */
async function retainDaily(
  store: EventStore,
  logFolder: string,
  limits: RetentionLimits,
  now: number,
): Promise<Retained | undefined> {
  const path = join(logFolder, "state", "retained.json");
  const age = now - lastTime(path);
  // A clock that was set back must not put it off for years.
  if (age >= 0 && age < DAY_MS) return undefined;
  const retained = await store.retain(limits);
  await changeUserFile(path, () => JSON.stringify({ at: new Date(now).toISOString() }));
  return retained;
}

/** In ms since 1970; 0 where nobody says when. */
const lastTime = (path: string): number => orElse(() => Date.parse(JSON.parse(readFileSync(path, "utf8")).at) || 0, 0);
