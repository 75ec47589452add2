/** Records what agents wrote since the last time (docs/design/sessions.md, "Capture"), in turns of a second, so that others get the lock in between. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import { readConsent } from "../consent/find-log.ts";
import type { LogManifest } from "../consent/manifest.ts";
import { keepDaemonBriefs, updateBriefs } from "../files/briefs.ts";
import { logFiles } from "../files/log-files.ts";
import { exclusively } from "../files/purge.ts";
import type { CaptureLimit, CaptureRequest } from "./capture-request.ts";
import { leftToRead, readAllAgain } from "./capture-state.ts";
import { captureTurn } from "./capture-turn.ts";
import { countUnread } from "./compressed-transcripts.ts";
import { CaptureReport } from "./report.ts";
import { findSources, findSourcesAtHand } from "./sources.ts";

const TURN_MS = 1_000;
/** Longer than a process that waits for the lock sleeps between two tries. */
const PAUSE_MS = 20;

/** Reads all, or as much as its limit allows. @throws SentinelError when nothing can be written; what was stored until then stays. */
export async function capture(request: CaptureRequest): Promise<CaptureReport> {
  const report = new CaptureReport();
  const consent = consentFor(request, report);
  if (consent && request.limit) await captureSome(request, request.limit, consent, report);
  else if (consent) await captureAll(request, consent, report);
  return report;
}

async function captureAll(
  request: CaptureRequest,
  consent: LogManifest,
  report: CaptureReport,
): Promise<void> {
  const { record } = request;
  const files = logFiles(record.folder);
  const sources = await findSources(request, consent);
  const isStopped = () => request.stop?.aborted ?? false;
  const turn = () => {
    const end = performance.now() + TURN_MS;
    return captureTurn(request, sources, report, () => performance.now() >= end || isStopped());
  };
  if (request.again) await exclusively(files, () => readAllAgain(record.folder));
  // A session log that was turned off may have been removed: the lock would make its folder.
  while (consentFor(request, report) && !(await exclusively(files, turn)) && !isStopped())
    await sleep(PAUSE_MS);
  report.compressed = await countUnread(record.folder, request.readers);
  report.wasStopped = isStopped();
  if (report.wasStopped) return;
  if (!report.wasTurnedOff) {
    await retainDaily(request, report);
    await exclusively(files, () => follow(request));
  }
}

/** Reads as much as a limit allows, and nothing while others hold the log. Looks for no sessions that moved here, drops nothing over its time. */
async function captureSome(
  request: CaptureRequest,
  limit: CaptureLimit,
  consent: LogManifest,
  report: CaptureReport,
) {
  const end = performance.now() + limit.ms;
  const sources = await findSourcesAtHand(request);
  const isSpent = () => performance.now() >= end || report.bytes >= limit.bytes;
  const turn = async () => {
    await captureTurn(request, sources, report, isSpent);
    // The start of a session reads the windows, and what others recorded or removed meanwhile is at the daemon alone.
    if (consent.daemon && request.only !== undefined) await follow(request);
  };
  const files = logFiles(request.record.folder);
  await exclusively(files, turn, Math.max(0, end - performance.now())).catch(unlessBusy);
  report.left = leftToRead(request.record.folder, sources.transcripts);
}

/** A session log that was removed meanwhile stays removed. */
async function follow({ record, store, now }: CaptureRequest): Promise<void> {
  const consent = readConsent(record);
  if (!consent) return;
  if (consent.daemon) keepDaemonBriefs(record.folder, await store.brief("recent"));
  else await updateBriefs(record.folder, now);
}

/** Ignores `lock_timeout`. @throws any other error. */
function unlessBusy(error: unknown): void {
  if (!(error instanceof SentinelError && error.code === "lock_timeout")) throw error;
}

function consentFor({ record }: CaptureRequest, report: CaptureReport): LogManifest | undefined {
  const consent = readConsent(record);
  if (!consent) report.wasTurnedOff = true;
  return consent;
}

/** Drops what is over its limits, unless that was done less than a day ago. */
async function retainDaily(
  { store, record, limits, now }: CaptureRequest,
  report: CaptureReport,
): Promise<void> {
  const path = join(record.folder, "state", "retained.json");
  const age = now - lastTime(path);
  // A clock that was set back must not put it off for years.
  if (!limits || (age >= 0 && age < DAY_MS)) return;
  report.retained = await store.retain(limits);
  await changeUserFile(path, () => JSON.stringify({ at: new Date(now).toISOString() }));
}

/** In ms since 1970; 0 where nobody says when. */
const lastTime = (path: string): number =>
  tryOr(() => Date.parse(JSON.parse(readFileSync(path, "utf8")).at) || 0, 0);
