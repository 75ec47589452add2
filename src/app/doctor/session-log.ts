/** The session log: whether it is on, whether its daemon answers, and whether the hooks start its captures. */
import { problemOf } from "../../ground/core/errors.ts";
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import { isRefused } from "../../ground/files/file-errors.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { privacyOf } from "../../ground/project/privacy.ts";
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
import { readLogLimits } from "../../sessions/consent/limits.ts";
import { obstacleTo } from "../../sessions/consent/obstacle.ts";
import { READERS } from "../../sessions/transcripts/readers.ts";
import { missingHooks } from "../setup/session-hooks.ts";
import { type CheckContext, type Diagnosis, ok, warning, warningOf } from "./diagnosis.ts";

/** A token that ends within so many days has to be rotated. */
const TOKEN_DAYS = 14;

export async function checkSessionLog({ project, env, build }: CheckContext): Promise<Diagnosis[]> {
  const found = await findLog(project.folder, env);
  const problems = found.problems.map(warningOf);
  if (!found.record || found.status === "newer")
    return found.status === "never"
      ? [...problems, ok("Recording is off: nothing was ever recorded here.")]
      : problems;
  const { record } = found;
  const limits = await readLogLimits(project.folder);
  problems.push(...limits.problems.map(warningOf));
  if (found.status === "moved") return problems;
  if (found.status === "off")
    return [...problems, ok(`Recording is off. The recorded events are in ${record.folder}`)];
  const since = record.manifest.intervals.find(({ off }) => off === undefined)?.on;
  const missing = await missingHooks(project.folder, { build, env });
  const quiet = quietProblem(record, {
    places: found.places,
    hasHooks: missing === undefined,
    now: Date.now(),
  });
  return [
    ...problems,
    ok(`Recording is on since ${dateOf(since)}: ${record.folder}`),
    ...(missing ? [warningOf(missing)] : []),
    ...(quiet ? [warningOf(quiet)] : []),
    ...(await checkDaemon(record, found)),
    ...(await failing(project, record)),
    ...notUnderstood(record),
    ...(await unreadable(record, found)),
    ...(await compressed(record, found)),
  ];
}

/** Whether it can be reached and takes the token, and how much waits while it does not. */
async function checkDaemon(
  { folder, manifest }: ProjectLog,
  found: FoundLog,
): Promise<Diagnosis[]> {
  const answer = await askDaemon(folder);
  if (!answer || !manifest.daemon) return [];
  const { url, channel } = manifest.daemon;
  const waiting = waitingInWords(await waitingIn(found));
  if ("owner" in answer)
    return [
      ok(
        `The daemon at ${url} takes what ${answer.owner} of ${answer.tenant} records as ${channel}; ${waiting}.`,
      ),
      ...ending(url, answer.expiresAt),
    ];
  const what = `Nothing reaches the daemon at ${url}, and ${waiting}: ${answer.what}`;
  return [{ status: mayPass(answer) ? "warning" : "broken", what, fix: answer.fix }];
}

/** Nothing else says it before the day. */
function ending(url: string, expiresAt: string | null = null): Diagnosis[] {
  if (expiresAt === null || Date.parse(expiresAt) > Date.now() + TOKEN_DAYS * DAY_MS) return [];
  const fix = `SENTINEL_TOKEN=… sentinel-memory daemon token rotate --url ${url} --overlap 24, then SENTINEL_TOKEN=… sentinel-memory sessions on with the new one.`;
  return [warning(`The token for the daemon at ${url} ends on ${dateOf(expiresAt)}.`, fix)];
}

/** A capture that a hook started reports to nobody. */
async function failing(project: Project, { folder }: ProjectLog): Promise<Diagnosis[]> {
  const { failed } = readLastCapture(folder);
  const what = failed && `The last capture failed (${dateOf(failed.at)})`;
  // The check of these files has said what is wrong with them, with the fix.
  const isSaid = (await privacyOf(project)()).files.some(({ problems }) => problems.length > 0);
  if (isSaid && failed?.code === "privacy_unreadable")
    return [warning(`${what}: own words cannot be read, see above.`)];
  if (failed) return [warning(`${what}: ${failed.what}`, failed.fix)];
  const obstacle = isSaid ? undefined : await obstacleTo(project, folder);
  return obstacle ? [warningOf(obstacle)] : [];
}

/** A capture passes over these transcripts, and one that a hook started tells nobody. */
async function unreadable(record: ProjectLog, { places, home }: FoundLog): Promise<Diagnosis[]> {
  try {
    const { transcripts } = await findSources({ record, home, readers: readersOf(places) });
    const fix = "Give this user the right to read it; the next capture records it.";
    const refused = transcripts.filter(({ path }) => isRefused(path));
    return refused.map(({ path }) => warning(`${path} cannot be read.`, fix));
  } catch (error) {
    const problem = problemOf(error);
    // Where the last capture failed for it, that is said already.
    return readLastCapture(record.folder).failed?.what === problem.what ? [] : [warningOf(problem)];
  }
}

async function compressed({ folder }: ProjectLog, { places }: FoundLog): Promise<Diagnosis[]> {
  const problem = unreadProblem(await countUnread(folder, readersOf(places)));
  return problem ? [warningOf(problem)] : [];
}

function notUnderstood({ folder }: ProjectLog): Diagnosis[] {
  const versions = versionsNotUnderstood(readCaptureState(folder).understood, READERS);
  if (versions.length === 0) return [];
  const what = `A tenth or more of their lines are not understood: ${versions.join(", ")}.`;
  return [warning(what, "Update sentinel-memory; it reads them again then.")];
}
