/** The record: whether it is on, whether its daemon answers, whether the hooks start its captures, and whether transcripts expire before they are read. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readCaptureState } from "../capture/capture-state.ts";
import { stampOf } from "../capture/cursor.ts";
import { lostInWords } from "../capture/lost-days.ts";
import { versionsNotUnderstood } from "../capture/report.ts";
import { claudeCodeReader } from "../clients/transcripts/claude-code-reader.ts";
import { READERS } from "../clients/transcripts/readers.ts";
import { plural } from "../core/text.ts";
import { DAY_MS, dateOf } from "../core/time.ts";
import { lostDays } from "../events/jsonl/noted-days.ts";
import type { Project } from "../project/find-project.ts";
import { privacyOf } from "../project/privacy.ts";
import { type FoundRecord, findRecord, type ProjectRecord } from "../project/record/find-record.ts";
import { readLastCapture } from "../project/record/last-capture.ts";
import { readRecordLimits } from "../project/record/limits.ts";
import { firstOn } from "../project/record/manifest.ts";
import { obstacleTo } from "../project/record/obstacle.ts";
import { missingHooks } from "../setup/missing-hooks.ts";
import type { Installation } from "../setup/record-hooks.ts";
import { checkDaemon } from "./daemon.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

/** When Claude Code removes a transcript, unless its settings say otherwise. */
const DAYS_KEPT = 30;
/** So long before that, a transcript that was not read is reported. */
const WARNED_DAYS = 7;

export async function checkRecord({ project, env, build }: CheckContext): Promise<Diagnosis[]> {
  const found = await findRecord(project.folder, env);
  const problems = found.problems.map(({ what, fix }): Diagnosis => ({ status: "warning", what, fix }));
  if (!found.record || found.status === "newer")
    return found.status === "never" ? [...problems, ok("Recording is off: nothing was ever recorded here.")] : problems;
  const { record } = found;
  const limits = await readRecordLimits(project.folder);
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
    ...(await expiring(record, found)),
  ];
}

function moved({ movedFrom }: ProjectRecord): Diagnosis[] {
  if (movedFrom === undefined) return [];
  const fix = "sentinel-memory record capture writes the new place down.";
  return [{ status: "note", what: `The project was at ${movedFrom}, and its record came along.`, fix }];
}

/** A capture that a hook started reports to nobody. */
async function failing(project: Project, { folder }: ProjectRecord): Promise<Diagnosis[]> {
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

function lost({ folder }: ProjectRecord): Diagnosis[] {
  const days = lostDays(folder);
  return days.length === 0 ? [] : [{ status: "warning", ...lostInWords(days) }];
}

async function withoutHooks(folder: string, installation: Installation): Promise<Diagnosis[]> {
  const missing = await missingHooks(folder, installation);
  return missing ? [{ status: "warning", ...missing }] : [];
}

function notUnderstood({ folder }: ProjectRecord): Diagnosis[] {
  const versions = versionsNotUnderstood(readCaptureState(folder).understood, READERS);
  if (versions.length === 0) return [];
  const what = `A tenth or more of what they write is not understood: ${versions.join(", ")}.`;
  return [{ status: "warning", what, fix: "Update sentinel-memory; it reads them again then." }];
}

/** Transcripts that the client removes soon, with something in them that was agreed to and not read. */
async function expiring(record: ProjectRecord, { places, home }: FoundRecord): Promise<Diagnosis[]> {
  const began = firstOn(record.manifest);
  if (began === undefined || !home) return [];
  const { cursors, worktrees } = readCaptureState(record.folder);
  const keptMs = daysKept(places.claude) * DAY_MS;
  const ends = (await claudeCodeReader.find(places.claude, [home.path, ...worktrees])).flatMap((path) => {
    const info = statSync(path, { throwIfNoEntry: false });
    if (!info || info.mtimeMs < began || cursors[path]?.stamp === stampOf(info)) return [];
    return [info.mtimeMs + keptMs];
  });
  const soon = ends.filter((end) => end - Date.now() < WARNED_DAYS * DAY_MS);
  if (soon.length === 0) return [];
  const first = new Date(Math.min(...soon)).toISOString();
  return [
    {
      status: "warning",
      what: `${plural(soon.length, "transcript")} not read yet: Claude Code removes the first on ${dateOf(first)}.`,
      fix: "sentinel-memory record capture",
    },
  ];
}

/** What the person's settings of Claude Code say. */
function daysKept(claudeFolder: string): number {
  try {
    const { cleanupPeriodDays } = JSON.parse(readFileSync(join(claudeFolder, "settings.json"), "utf8"));
    return typeof cleanupPeriodDays === "number" ? cleanupPeriodDays : DAYS_KEPT;
  } catch {
    return DAYS_KEPT;
  }
}
