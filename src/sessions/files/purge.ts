/** Removes events from the session log permanently. (docs/design/sessions.md, "Purge and retention") */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { countEach } from "../../ground/core/collections.ts";
import { faultPoint } from "../../ground/files/fault-points.ts";
import { STAGING } from "../../ground/files/replace-file.ts";
import { type Event, identityIn } from "../kinds/event.ts";
import type { Purged, PurgeTarget } from "../store.ts";
import { artifactsOf } from "../storing/mentions.ts";
import { nonBlank, purgeMatcher } from "../storing/purge-target.ts";
import type { Artifacts } from "./artifacts.ts";
import { forgetBriefs } from "./briefs.ts";
import type { DayFiles } from "./day-files.ts";
import { readEventLine } from "./event-line.ts";
import { GivenBundles } from "./given-bundles.ts";
import { removeStale } from "./index/update.ts";
import type { LogFiles } from "./log-files.ts";
import { withLogLock } from "./log-lock.ts";
import { purgedBy } from "./purged-list.ts";
import { sweepArtifacts } from "./retain.ts";

/** The end of the name of an artifact that a purge of an earlier build had set aside. No event has it, or it was stored again. */
const PARTED = ".parted";

/** The events that a purge removes, and the days to rewrite. */
interface Plan {
  readonly matches: (event: Event) => boolean;
  readonly events: readonly Event[];
  /** The days with any of these events, or with damaged lines. */
  readonly days: readonly string[];
  readonly purged: Purged;
}

/** Counts the events and artifacts that a purge would remove. Changes nothing. @throws SentinelError `bad_argument` for a blank text. */
export async function toPurge(files: LogFiles, target: PurgeTarget): Promise<Purged> {
  return (await planPurge(files, target)).purged;
}

/** Call it within `exclusively`. @throws SentinelError `bad_argument` for a blank text. */
export async function purge(files: LogFiles, target: PurgeTarget, at: string): Promise<Purged> {
  const { matches, events, days, purged } = await planPurge(files, target);
  if (events.length === 0) {
    new GivenBundles(files.folder).clear();
    return purged;
  }
  files.purged.begin(events, "session" in target ? target.session : undefined, at);
  faultPoint("purge-noted");
  for (const day of days) rewriteDay(files.days, day, matches);
  await removeTraces(files);
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

async function planPurge(files: LogFiles, target: PurgeTarget): Promise<Plan> {
  const withText = "text" in target ? artifactsWith(target.text, files.artifacts) : undefined;
  const matches = purgeMatcher(target, withText);
  const found = new Map<string, Event>();
  const days: string[] = [];
  const taken = new Set<string>();
  const others = new Set<string>();
  for (const day of files.days.days()) {
    const events = await readDay(files, day);
    const readable = events.filter((event) => event !== undefined);
    const doomed = new Set(readable.filter(matches));
    for (const event of doomed) found.set(identityIn(event.id), event);
    for (const event of readable)
      for (const id of artifactsOf(event)) (doomed.has(event) ? taken : others).add(id);
    if (doomed.size > 0 || readable.length < events.length) days.push(day);
  }
  const events = [...found.values()];
  const kinds = Object.fromEntries(countEach(events.map(({ kind }) => kind)));
  const artifacts = [...taken].filter((id) => !others.has(id) && files.artifacts.has(id));
  return {
    matches,
    events,
    days,
    purged: { events: events.length, kinds, artifacts: artifacts.length },
  };
}

function artifactsWith(text: string, artifacts: Artifacts): ReadonlySet<string> {
  nonBlank(text);
  const ids = artifacts.list().map(({ id }) => id);
  return new Set(ids.filter((id) => artifacts.read(id)?.includes(text)));
}

async function finishPurges(files: LogFiles): Promise<void> {
  removeLeftovers(files.days.folder);
  removeLeftovers(files.artifacts.folder);
  const { pending } = await files.purged.read();
  if (pending.length === 0) return;
  const matches = purgedBy(pending);
  for (const day of files.days.days()) {
    const events = await readDay(files, day);
    if (events.some((event) => event === undefined || matches(event)))
      rewriteDay(files.days, day, matches);
  }
  await removeTraces(files);
}

/** Removes the files that killed processes were writing. */
function removeLeftovers(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (name.includes(STAGING) || name.endsWith(PARTED))
      rmSync(join(folder, name), { force: true });
}

/** Removes events and damaged lines, which may contain purged text. */
function rewriteDay(days: DayFiles, day: string, matches: (event: Event) => boolean): void {
  const isKept = (line: Buffer) => {
    const event = readEventLine(line);
    return event !== undefined && !matches(event);
  };
  days.rewrite(day, isKept);
}

/** Removes the traces of removed events and marks the purge as done. */
async function removeTraces(files: LogFiles): Promise<void> {
  faultPoint("days-rewritten");
  await removeStale(files);
  await sweepArtifacts(files);
  new GivenBundles(files.folder).clear();
  faultPoint("artifacts-swept");
  forgetBriefs(files.folder);
  await files.purged.finish();
  faultPoint("purge-noted-done");
}

/** The events of a day. A damaged line is undefined. */
async function readDay({ days }: LogFiles, day: string): Promise<(Event | undefined)[]> {
  return (await days.lines(day)).map(readEventLine);
}
