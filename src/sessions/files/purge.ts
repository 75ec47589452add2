/** Removes events from the session log permanently. (docs/design/sessions.md, "Purge and retention") */
import { countEach } from "../../ground/core/count-each.ts";
import { faultPoint } from "../../ground/files/fault-points.ts";
import { type Event, identityIn } from "../kinds/event.ts";
import type { Purged, PurgeTarget } from "../store.ts";
import { artifactsOf } from "../storing/mentions.ts";
import { nonBlank, purgeMatcher } from "../storing/purge-target.ts";
import type { Artifacts } from "./artifacts.ts";
import { forgetBriefs } from "./briefs.ts";
import { dayOf } from "./day-files.ts";
import { readEventLine } from "./event-line.ts";
import { GivenBundles } from "./given-bundles.ts";
import { removeStale } from "./index/update.ts";
import { type LogFiles, withLogLock } from "./log-files.ts";
import { purgedBy } from "./purged-list.ts";
import { finishRewriting, type Rewriting, removeStagings, rewriteDay } from "./rewrite-day.ts";
import { sweepArtifacts } from "./sweep-artifacts.ts";

/** The events, days and artifacts that a purge removes. */
interface Plan {
  readonly matches: (event: Event) => boolean;
  /** By identity. */
  readonly events: ReadonlyMap<string, Event>;
  /** The days with any of these events, or with damaged lines. */
  readonly days: readonly string[];
  /** The ids of artifacts that no other event has. */
  readonly artifacts: readonly string[];
}

/** Counts the events and artifacts that a purge would remove. Changes nothing. @throws SentinelError `bad_argument` for a blank text. */
export async function toPurge(files: LogFiles, target: PurgeTarget): Promise<Purged> {
  const { events, artifacts } = await planPurge(files, target);
  const stored = artifacts.filter((id) => files.artifacts.has(id)).length;
  return { ...countByKind(events), artifacts: stored };
}

/** Call it within `exclusively`. @throws SentinelError `bad_argument` for a blank text. */
export async function purge(files: LogFiles, target: PurgeTarget, at: string): Promise<Purged> {
  const plan = await planPurge(files, target);
  const noted = new Map<string, Event>();
  const session = "session" in target ? target.session : undefined;
  const note = (events: Iterable<Event>): void => {
    const fresh = [...events].filter(({ id }) => !noted.has(identityIn(id)));
    if (fresh.length > 0) files.purged.begin(fresh, session, at);
    for (const event of fresh) noted.set(identityIn(event.id), event);
  };
  const bundles = new GivenBundles(files.folder);
  if (plan.events.size === 0) {
    bundles.clear();
    return { ...countByKind(noted), artifacts: 0 };
  }
  note(plan.events.values());
  bundles.clear();
  faultPoint("purge-noted");
  const rewriting = { matchesPurge: plan.matches, onRemove: note };
  rewriteDays(files, plan.days, rewriting);
  const artifacts = await removeTraces(files);
  return { ...countByKind(noted), artifacts };
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

/** Removes events that were purged while they were appended. Call it within `exclusively`. */
export async function removePurged(files: LogFiles, events: readonly Event[]): Promise<void> {
  const matchesPurge = purgedBy((await files.purged.read()).purges);
  rewriteDays(files, [...new Set(events.map(dayOf))], { matchesPurge });
  await removeTraces(files);
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
    const doomed = readable.filter(matches);
    for (const event of doomed) found.set(identityIn(event.id), event);
    const isDoomed = new Set(doomed);
    for (const event of readable)
      for (const id of artifactsOf(event)) (isDoomed.has(event) ? taken : others).add(id);
    if (doomed.length > 0 || readable.length < events.length) days.push(day);
  }
  const artifacts = [...taken].filter((id) => !others.has(id));
  return { matches, events: found, days, artifacts };
}

function artifactsWith(text: string, artifacts: Artifacts): ReadonlySet<string> {
  nonBlank(text);
  const ids = artifacts.list().map(({ id }) => id);
  return new Set(ids.filter((id) => artifacts.read(id)?.includes(text)));
}

async function finishPurges(files: LogFiles): Promise<void> {
  removeStagings(files.days.folder);
  removeStagings(files.artifacts.folder);
  const { pending } = await files.purged.read();
  const matchesPurge = purgedBy(pending);
  const closed = files.days.list().filter(({ next }) => next !== undefined);
  const halfWay = new Set(closed.map(({ day }) => day));
  for (const day of halfWay) finishRewriting(files.days, day, { matchesPurge });
  if (halfWay.size > 0) await removeStale(files);
  if (pending.length === 0) return;
  for (const day of files.days.days()) {
    const events = await readDay(files, day);
    if (events.some((event) => event === undefined || matchesPurge(event)))
      rewriteDays(files, [day], { matchesPurge });
  }
  await removeTraces(files);
}

/** @returns the number of damaged lines removed. */
function rewriteDays({ days }: LogFiles, names: readonly string[], how: Rewriting): number {
  return names.reduce((damaged, day) => damaged + rewriteDay(days, day, how), 0);
}

/** Removes traces of removed events from the index, the briefs and the artifacts. @returns the number of removed artifacts. */
async function removeTraces(files: LogFiles): Promise<number> {
  faultPoint("days-rewritten");
  await removeStale(files);
  const swept = await sweepArtifacts(files);
  faultPoint("artifacts-swept");
  forgetBriefs(files.folder);
  await files.purged.finish();
  faultPoint("purge-noted-done");
  return swept.length;
}

/** The events of a day. A damaged line is undefined. */
async function readDay({ days }: LogFiles, day: string): Promise<(Event | undefined)[]> {
  return (await days.lines(day)).map(readEventLine);
}

function countByKind(events: ReadonlyMap<string, Event>): Pick<Purged, "events" | "kinds"> {
  const kinds = countEach([...events.values()].map(({ kind }) => kind));
  return { events: events.size, kinds: Object.fromEntries(kinds) };
}
