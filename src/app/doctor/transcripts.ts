/** What a session log is made from: whether every transcript can be read, and is, before its client removes it. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { problemOf } from "../../ground/core/errors.ts";
import { orElse } from "../../ground/core/or-else.ts";
import { plural } from "../../ground/core/text.ts";
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import { isRefused } from "../../ground/files/file-errors.ts";
import { readCaptureState } from "../../sessions/capture/capture-state.ts";
import { stampOf } from "../../sessions/capture/cursor.ts";
import { readersOf } from "../../sessions/capture/readers.ts";
import { findSourcesAtHand } from "../../sessions/capture/sources.ts";
import type { FoundLog, ProjectLog } from "../../sessions/consent/find-log.ts";
import { readLastCapture } from "../../sessions/consent/last-capture.ts";
import { firstOn } from "../../sessions/consent/manifest.ts";
import { claudeCodeReader } from "../../sessions/transcripts/readers.ts";
import { type Diagnosis, warning, warningOf } from "./diagnosis.ts";

/** When Claude Code removes a transcript, unless its settings say otherwise. */
const DAYS_KEPT = 30;
/** So long before that, a transcript that was not read is reported. */
const WARNED_DAYS = 7;

export async function checkTranscripts(record: ProjectLog, found: FoundLog): Promise<Diagnosis[]> {
  try {
    return [...(await unreadable(record, found)), ...(await expiring(record, found))];
  } catch (error) {
    const problem = problemOf(error);
    // Where the last capture failed for it, that is said already.
    return readLastCapture(record.folder).failed?.what === problem.what ? [] : [warningOf(problem)];
  }
}

/** A capture passes over them, and one that a hook started tells nobody. */
async function unreadable(record: ProjectLog, { places, home }: FoundLog): Promise<Diagnosis[]> {
  if (!home) return [];
  const { transcripts } = await findSourcesAtHand({ record, home, readers: readersOf(places) });
  const fix = "Give this user the right to read it; the next capture records it.";
  const refused = transcripts.filter(({ path }) => isRefused(path));
  return refused.map(({ path }) => warning(`${path} cannot be read.`, fix));
}

/** Transcripts that the client removes soon, with something in them that was agreed to and not read. */
async function expiring(record: ProjectLog, { places, home }: FoundLog): Promise<Diagnosis[]> {
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
  const what = `${plural(soon.length, "transcript")} not read yet: Claude Code removes the first on ${dateOf(first)}.`;
  return [warning(what, "sentinel-memory record capture")];
}

/** What the person's settings of Claude Code say. */
function daysKept(claudeFolder: string): number {
  const settings = orElse(() => JSON.parse(readFileSync(join(claudeFolder, "settings.json"), "utf8")), undefined);
  const days = settings?.cleanupPeriodDays;
  return typeof days === "number" ? days : DAYS_KEPT;
}
