/** Removes events and artifacts from the session log permanently. (docs/design/sessions.md, "Purge and retention") */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { countEach, sumBy } from "../../ground/core/collections.ts";
import { linesOf } from "../../ground/files/append-log.ts";
import { faultPoint } from "../../ground/files/fault-points.ts";
import { STAGING } from "../../ground/files/replace-file.ts";
import { type Event, identityIn } from "../kinds/event.ts";
import type { Purged, PurgeTarget, Retained, RetentionLimits } from "../store.ts";
import { artifactsOf } from "../storing/event-texts.ts";
import { artifactsOver, firstDayToKeep, nonBlank, purgeMatcher } from "../storing/removal.ts";
import type { Artifact, Artifacts } from "./artifacts.ts";
import { forgetBriefs } from "./briefs.ts";
import type { DayFiles } from "./day-files.ts";
import { eventsOf, identityInLine, readEventLine } from "./event-line.ts";
import { GivenBundles } from "./given-bundles.ts";
import { removeSegmentsOfDays, removeStaleSegments } from "./index/update.ts";
import type { LogFiles } from "./log-files.ts";
import { mustHoldLogLock, withLogLock } from "./log-lock.ts";
import { purgedBy } from "./purged-list.ts";

/** The ids of the artifacts that the events of each day have. */
type ArtifactsByDay = ReadonlyMap<string, readonly string[]>;

const ARTIFACT_ID = /art_[0-9a-f]{64}/g;

/** Counts the events and artifacts that a purge would remove. Changes nothing. @throws SentinelError `bad_argument` for a blank text. */
export async function toPurge(files: LogFiles, target: PurgeTarget): Promise<Purged> {
  return (await planPurge(files, target)).purged;
}

/** Removes the events and artifacts of a target, and all damaged lines. Call it within `exclusively`. @param now ms since 1970. @throws SentinelError `bad_argument` for a blank text. */
export async function purge(files: LogFiles, target: PurgeTarget, now: number): Promise<Purged> {
  const { events, purged } = await planPurge(files, target);
  if (events.length === 0) {
    new GivenBundles(files.folder).clear();
    return purged;
  }
  const session = "session" in target ? target.session : undefined;
  files.purged.begin(events, session, new Date(now).toISOString());
  faultPoint("purge-noted");
  await finishPurges(files);
  return purged;
}

/** Runs an act under the session log's lock, after finishing purges that were interrupted. */
export function exclusively<Result>(
  files: LogFiles,
  act: () => Promise<Result>,
  patienceMs?: number,
): Promise<Result> {
  const finishAndAct = async () => {
    await finishPurges(files);
    return act();
  };
  return withLogLock(files.folder, finishAndAct, patienceMs);
}

/** Finds the events that a purge removes. */
async function planPurge(
  files: LogFiles,
  target: PurgeTarget,
): Promise<{ readonly events: readonly Event[]; readonly purged: Purged }> {
  const withText = "text" in target ? artifactsWith(target.text, files.artifacts) : undefined;
  const matches = purgeMatcher(target, withText);
  const found = new Map<string, Event>();
  const taken = new Set<string>();
  const others = new Set<string>();
  for (const day of files.days.days()) {
    for (const event of eventsOf(await files.days.lines(day))) {
      const isTaken = matches(event);
      if (isTaken) {
        found.set(identityIn(event.id), event);
      }
      const ids = isTaken ? taken : others;
      for (const id of artifactsOf(event)) {
        ids.add(id);
      }
    }
  }
  const events = [...found.values()];
  const kinds = Object.fromEntries(countEach(events.map(({ kind }) => kind)));
  const artifacts = [...taken].filter((id) => !others.has(id) && files.artifacts.has(id));
  return { events, purged: { events: events.length, kinds, artifacts: artifacts.length } };
}

function artifactsWith(text: string, artifacts: Artifacts): ReadonlySet<string> {
  nonBlank(text);
  const ids = artifacts.list().map(({ id }) => id);
  return new Set(ids.filter((id) => artifacts.read(id)?.includes(text)));
}

/** Removes the events of pending purges, and damaged lines, which may contain purged text. */
async function finishPurges(files: LogFiles): Promise<void> {
  removeLeftovers(files.days.folder);
  removeLeftovers(files.artifacts.folder);
  const { pending } = await files.purged.read();
  if (pending.length === 0) {
    return;
  }
  const isPurged = purgedBy(pending);
  const isKept = (line: Buffer) => {
    const event = readEventLine(line);
    return event !== undefined && !isPurged(event);
  };
  for (const day of files.days.days()) {
    const lines = await files.days.lines(day);
    if (!lines.every(isKept)) {
      files.days.rewrite(day, isKept);
    }
  }
  await removeTraces(files);
}

/** Removes the files that killed processes were writing. */
function removeLeftovers(folder: string): void {
  if (!existsSync(folder)) {
    return;
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (name.includes(STAGING)) {
      rmSync(join(folder, name), { force: true });
    }
  }
}

/** Removes the traces of removed events and marks the purge as done. */
async function removeTraces(files: LogFiles): Promise<void> {
  faultPoint("days-rewritten");
  await removeStaleSegments(files);
  removeUnneeded(files.artifacts, await artifactsByDay(files.days));
  new GivenBundles(files.folder).clear();
  faultPoint("artifacts-swept");
  forgetBriefs(files.folder);
  await files.purged.finish();
  faultPoint("purge-noted-done");
}

/** Call it within `exclusively`. @param now ms since 1970. */
export async function retain(
  files: LogFiles,
  limits: RetentionLimits,
  now: number,
): Promise<Retained> {
  const days = dropDays(files.days, firstDayToKeep(limits, now));
  if (days.events > 0) {
    forgetBriefs(files.folder);
  }
  const byDay = await artifactsByDay(files.days);
  const unneeded = removeUnneeded(files.artifacts, byDay);
  const old = artifactsOver(files.artifacts.list(), limits, now);
  files.artifacts.remove(old);
  const oldIds = new Set(old.map(({ id }) => id));
  const changed = new Set<string>();
  for (const [day, ids] of byDay) {
    if (ids.some((id) => oldIds.has(id))) {
      changed.add(day);
    }
  }
  await removeSegmentsOfDays(files, changed);
  const gone = [...unneeded, ...old];
  return {
    events: days.events,
    artifacts: gone.length,
    bytes: days.bytes + sumBy(gone, ({ bytes }) => bytes),
  };
}

/** Removes artifacts that no event has: those of purged events, and of writers that were killed before they appended the event. */
function removeUnneeded(artifacts: Artifacts, byDay: ArtifactsByDay): readonly Artifact[] {
  const named = new Set([...byDay.values()].flat());
  const unneeded = artifacts.list().filter(({ id }) => !named.has(id));
  artifacts.remove(unneeded);
  return unneeded;
}

function dropDays(days: DayFiles, from: string): { events: number; bytes: number } {
  const removed = new Set<string | undefined>();
  let bytes = 0;
  for (const { day, path } of days.list()) {
    if (day >= from) {
      break;
    }
    const content = readFileSync(path);
    for (const line of linesOf(content)) {
      removed.add(identityInLine(line));
    }
    bytes += content.length;
    mustHoldLogLock();
    rmSync(path);
  }
  removed.delete(undefined);
  return { events: removed.size, bytes };
}

async function artifactsByDay(days: DayFiles): Promise<ArtifactsByDay> {
  const byDay = new Map<string, string[]>();
  for (const day of days.days()) {
    const files = await days.read(day);
    const ids = files.flatMap((bytes) => bytes.toString("latin1").match(ARTIFACT_ID) ?? []);
    byDay.set(day, ids);
  }
  return byDay;
}
