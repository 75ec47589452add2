/** Checks the session log: whether it's on, whether its daemon answers, and whether captures run and understand the transcripts. */
import { problemOf } from "../../ground/core/errors.ts";
import { DAY_MS, dateOf, minuteOf } from "../../ground/core/time.ts";
import { isRefused } from "../../ground/files/file-errors.ts";
import { readCaptureState } from "../../sessions/capture/capture-state.ts";
import { versionsNotUnderstood } from "../../sessions/capture/report.ts";
import { findSources, readersOf } from "../../sessions/capture/sources.ts";
import {
  askDaemon,
  countUnread,
  mayPass,
  quietProblem,
  unreadProblem,
  waitingIn,
  waitingInWords,
} from "../../sessions/capture/status.ts";
import { type FoundLog, findLog, type ProjectLog } from "../../sessions/consent/find-log.ts";
import { readLastCapture } from "../../sessions/consent/last-capture.ts";
import { obstacleTo } from "../../sessions/consent/obstacle.ts";
import { READERS } from "../../sessions/transcripts/readers.ts";
import { missingHooks } from "../setup/session-hooks.ts";
import { type Context, type Finding, ok, warning, warningOf } from "./finding.ts";

/** Days before its end when doctor suggests rotating a token. */
const TOKEN_DAYS = 14;

const NEVER_RECORDED = ok(
  "never_recorded",
  "Recording is off: nothing was ever recorded here. sentinel-memory sessions on turns it on.",
);
const HOOKS_IN_PLACE = ok("session_hooks", "The hooks that start captures are in place.");

export async function checkSessionLog(context: Context): Promise<Finding[]> {
  const found = await findLog(context.project.folder, context.env);
  const { status, record } = found;
  const problems = found.problems.map((problem) => warningOf("session_log_problem", problem));
  if (status === "never") {
    return [...problems, NEVER_RECORDED];
  }
  if (!record || status === "newer" || status === "moved") {
    return problems;
  }
  if (status === "off") {
    const what = `Recording is off. The recorded events are in ${record.folder}`;
    return [...problems, ok("recording_off", what)];
  }
  return [...problems, ...(await checkRecording(context, found, record))];
}

/** Checks a session log that is on. */
async function checkRecording(
  context: Context,
  found: FoundLog,
  record: ProjectLog,
): Promise<Finding[]> {
  const { manifest, folder } = record;
  const since = manifest.intervals.find(({ off }) => off === undefined)?.on;
  const findings = [ok("recording_on", `Recording is on since ${dateOf(since)}: ${folder}`)];
  const missing = await missingHooks(context.project.folder, context);
  findings.push(missing ? warningOf("session_hooks_missing", missing) : HOOKS_IN_PLACE);
  const hasHooks = missing === undefined;
  const quiet = quietProblem(record, { places: found.places, hasHooks, now: Date.now() });
  if (quiet) {
    findings.push(warningOf("no_transcript_found", quiet));
  }
  findings.push(...(await checkDaemon(record, found)));
  const failure = await captureFailure(context, record);
  if (failure) {
    findings.push(failure);
  }
  findings.push(...(await checkTranscripts(record, found)));
  return findings;
}

/** Checks whether the daemon answers and accepts the token, and counts the events still to be sent. Empty for a log in files. */
async function checkDaemon({ folder, manifest }: ProjectLog, found: FoundLog): Promise<Finding[]> {
  const answer = await askDaemon(folder);
  if (!answer || !manifest.daemon) {
    return [];
  }
  const { url, channel } = manifest.daemon;
  const waiting = waitingInWords(await waitingIn(found));
  if ("fix" in answer) {
    const what = `Nothing reaches the daemon at ${url}, and ${waiting}: ${answer.what}`;
    const level = mayPass(answer) ? "warning" : "broken";
    return [{ id: answer.code, level, what, fix: answer.fix }];
  }
  const { owner, tenant, expiresAt = null } = answer;
  const taken = `The daemon at ${url} takes what ${owner} of ${tenant} records as ${channel}; ${waiting}.`;
  const reached = ok("daemon", taken);
  if (expiresAt === null || Date.parse(expiresAt) > Date.now() + TOKEN_DAYS * DAY_MS) {
    return [reached];
  }
  const what = `The token for the daemon at ${url} ends on ${dateOf(expiresAt)}.`;
  const fix = `SENTINEL_TOKEN=… sentinel-memory daemon token rotate --url ${url} --overlap 24, then SENTINEL_TOKEN=… sentinel-memory sessions on with the new one.`;
  return [reached, warning("token_ends", what, fix)];
}

/** Returns why the last capture failed, or why the next one would. Captures run in the background, so nothing else reports this. */
async function captureFailure(
  { project, readPrivacy }: Context,
  { folder }: ProjectLog,
): Promise<Finding | undefined> {
  const { failed } = readLastCapture(folder);
  const { files } = await readPrivacy();
  const problems = files.flatMap((file) => file.problems);
  const isPrivacyBroken = problems.some(({ isIgnored }) => !isIgnored);
  if (!failed) {
    const obstacle = isPrivacyBroken ? undefined : await obstacleTo(project, folder);
    return obstacle && warningOf("capture_blocked", obstacle);
  }
  const what = `The last capture failed (${minuteOf(failed.at)} UTC)`;
  // Broken privacy files have their own finding, which contains the fix.
  if (isPrivacyBroken && failed.code === "privacy_unreadable") {
    return warning("capture_failed", `${what}: own words cannot be read, see above.`);
  }
  return warning("capture_failed", `${what}: ${failed.what}`, failed.fix);
}

/** Finds transcripts that captures skip or can't parse. */
async function checkTranscripts(
  record: ProjectLog,
  { places, home }: FoundLog,
): Promise<Finding[]> {
  const { folder } = record;
  const findings: Finding[] = [];
  const versions = versionsNotUnderstood(readCaptureState(folder).understood, READERS);
  if (versions.length > 0) {
    const what = `A tenth or more of their lines are not understood: ${versions.join(", ")}.`;
    const fix = "Update sentinel-memory; it reads them again then.";
    findings.push(warning("transcripts_not_understood", what, fix));
  }
  const readers = readersOf(places);
  try {
    const { transcripts } = await findSources({ record, home, readers });
    const fix = "Give this user the right to read it; the next capture records it.";
    for (const { path } of transcripts) {
      if (isRefused(path)) {
        findings.push(warning("transcript_unreadable", `${path} cannot be read.`, fix));
      }
    }
  } catch (error) {
    const problem = problemOf(error);
    // If the last capture failed for the same reason, that is already reported.
    if (readLastCapture(folder).failed?.what !== problem.what) {
      findings.push(warningOf("transcripts_unreadable", problem));
    }
  }
  const unread = unreadProblem(await countUnread(folder, readers));
  if (unread) {
    findings.push(warningOf("transcripts_compressed", unread));
  }
  return findings;
}
