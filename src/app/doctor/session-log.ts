/** The session log: whether it is on, whether its daemon answers, and whether the hooks start its captures. */
import { dateOf } from "../../ground/core/time.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { privacyOf } from "../../ground/project/privacy.ts";
import { readCaptureState } from "../../sessions/capture/capture-state.ts";
import { lostInWords } from "../../sessions/capture/lost-days.ts";
import { versionsNotUnderstood } from "../../sessions/capture/report.ts";
import { findLog, type ProjectLog } from "../../sessions/consent/find-log.ts";
import { readLastCapture } from "../../sessions/consent/last-capture.ts";
import { readLogLimits } from "../../sessions/consent/limits.ts";
import { obstacleTo } from "../../sessions/consent/obstacle.ts";
import { lostDays } from "../../sessions/files/noted-days.ts";
import { READERS } from "../../sessions/transcripts/readers.ts";
import { missingHooks } from "../setup/missing-hooks.ts";
import type { Installation } from "../setup/session-hooks.ts";
import { checkDaemon } from "./daemon.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";
import { checkTranscripts } from "./transcripts.ts";

export async function checkSessionLog({ project, env, build }: CheckContext): Promise<Diagnosis[]> {
  const found = await findLog(project.folder, env);
  const problems = found.problems.map(({ what, fix }): Diagnosis => ({ status: "warning", what, fix }));
  if (!found.record || found.status === "newer")
    return found.status === "never" ? [...problems, ok("Recording is off: nothing was ever recorded here.")] : problems;
  const { record } = found;
  const limits = await readLogLimits(project.folder);
  problems.push(...limits.problems.map(({ what, fix }): Diagnosis => ({ status: "warning", what, fix })));
  if (found.status === "off") return [...problems, ok(`Recording is off; what was recorded is in ${record.folder}`)];
  const since = record.manifest.intervals.find(({ off }) => off === undefined)?.on;
  return [
    ...problems,
    ok(`Recording is on since ${dateOf(since)}: ${record.folder}`),
    ...moved(record),
    ...(await withoutHooks(project.folder, { build, env })),
    ...(await checkDaemon(record, found)),
    ...(await failing(project, record)),
    ...lost(record),
    ...notUnderstood(record),
    ...(await checkTranscripts(record, found)),
  ];
}

function moved({ movedFrom }: ProjectLog): Diagnosis[] {
  if (movedFrom === undefined) return [];
  const fix = "sentinel-memory record capture writes the new place down.";
  return [{ status: "note", what: `The project was at ${movedFrom}, and its session log came along.`, fix }];
}

/** A capture that a hook started reports to nobody. */
async function failing(project: Project, { folder }: ProjectLog): Promise<Diagnosis[]> {
  const { failed } = readLastCapture(folder);
  const what = failed && `The last capture failed (${dateOf(failed.at)})`;
  // The check of these files has said what is wrong with them, with the fix.
  const isSaid = (await privacyOf(project)()).files.some(({ problems }) => problems.length > 0);
  if (isSaid && failed?.code === "privacy_unreadable")
    return [{ status: "warning", what: `${what}: own words cannot be read, see above.` }];
  if (failed) return [{ status: "warning", what: `${what}: ${failed.what}`, fix: failed.fix }];
  const obstacle = isSaid ? undefined : await obstacleTo(project, folder);
  return obstacle ? [{ status: "warning", ...obstacle }] : [];
}

function lost({ folder }: ProjectLog): Diagnosis[] {
  try {
    const days = lostDays(folder);
    return days.length === 0 ? [] : [{ status: "warning", ...lostInWords(days) }];
  } catch (error) {
    const { message, fix } = fileError(error, "read_failed", `Reading the session log in ${folder}`);
    return [{ status: "warning", what: message, fix }];
  }
}

async function withoutHooks(folder: string, installation: Installation): Promise<Diagnosis[]> {
  const missing = await missingHooks(folder, installation);
  return missing ? [{ status: "warning", ...missing }] : [];
}

function notUnderstood({ folder }: ProjectLog): Diagnosis[] {
  const versions = versionsNotUnderstood(readCaptureState(folder).understood, READERS);
  if (versions.length === 0) return [];
  const what = `A tenth or more of what they write is not understood: ${versions.join(", ")}.`;
  return [{ status: "warning", what, fix: "Update sentinel-memory; it reads them again then." }];
}
