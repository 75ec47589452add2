/** Removes days and artifacts beyond their limits. (docs/design/sessions.md, "Purge and retention") */
import { readFileSync, rmSync } from "node:fs";
import { linesOf } from "../../ground/files/append-log.ts";
import type { Retained, RetentionLimits } from "../store.ts";
import { artifactsOver, firstDayToKeep } from "../storing/retention.ts";
import type { Artifact } from "./artifacts.ts";
import { forgetBriefs } from "./briefs.ts";
import type { DayFiles } from "./day-files.ts";
import { identityInLine } from "./event-line.ts";
import { removeDays, removeStale } from "./index/update.ts";
import type { LogFiles } from "./log-files.ts";
import { mustHoldLogLock } from "./log-lock.ts";

const ARTIFACT_ID = /art_[0-9a-f]{64}/g;

/** Call it within `exclusively`. @param now ms since 1970. */
export async function retain(
  files: LogFiles,
  limits: RetentionLimits,
  now: number,
): Promise<Retained> {
  const days = dropDays(files.days, firstDayToKeep(limits, now));
  await removeStale(files);
  if (days.events > 0) forgetBriefs(files.folder);
  const unneeded = await sweepArtifacts(files);
  const old = artifactsOver(files.artifacts.list(), limits, now);
  files.artifacts.remove(old);
  if (old.length > 0) await removeDays(files, await daysNaming(files.days, old));
  const gone = [...unneeded, ...old];
  return {
    events: days.events,
    artifacts: gone.length,
    bytes: days.bytes + gone.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Removes artifacts that no event has: those of purged events, and of writers that were killed before they appended the event. */
export async function sweepArtifacts({ days, artifacts }: LogFiles): Promise<readonly Artifact[]> {
  const named = new Set<string>();
  for (const day of days.days()) for (const id of await namedOn(days, day)) named.add(id);
  const unneeded = artifacts.list().filter(({ id }) => !named.has(id));
  artifacts.remove(unneeded);
  return unneeded;
}

function dropDays(days: DayFiles, from: string): { events: number; bytes: number } {
  const removed = new Set<string | undefined>();
  let bytes = 0;
  for (const { day, path } of days.list()) {
    if (day >= from) break;
    const content = readFileSync(path);
    for (const line of linesOf(content)) removed.add(identityInLine(line));
    bytes += content.length;
    mustHoldLogLock();
    rmSync(path);
  }
  removed.delete(undefined);
  return { events: removed.size, bytes };
}

/** The days with events that have any of these artifacts. */
async function daysNaming(days: DayFiles, artifacts: readonly Artifact[]): Promise<Set<string>> {
  const ids = new Set(artifacts.map(({ id }) => id));
  const naming = new Set<string>();
  for (const day of days.days())
    if ((await namedOn(days, day)).some((id) => ids.has(id))) naming.add(day);
  return naming;
}

async function namedOn(days: DayFiles, day: string): Promise<string[]> {
  const files = await days.read(day);
  return files.flatMap((bytes) => bytes.toString("latin1").match(ARTIFACT_ID) ?? []);
}
