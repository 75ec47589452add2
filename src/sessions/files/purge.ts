/** Taking events out of the session log for good (docs/design/sessions.md, "Purge and retention"). */
import { countEach } from "../../ground/core/count-each.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { faultPoint } from "../../ground/files/fault-points.ts";
import { type Event, identityIn, readEventId } from "../kinds/event.ts";
import type { Purged, PurgeTarget } from "../store.ts";
import { artifactsOf, mentions } from "../storing/mentions.ts";
import { dayOf } from "./day-files.ts";
import { eventLinesOf, readEventLine } from "./event-line.ts";
import { GivenBundles } from "./given-bundles.ts";
import { removeStale } from "./index/update.ts";
import { type LogFiles, withLogLock } from "./log-files.ts";
import { purgedBy } from "./purged-list.ts";
import { forgetRecent } from "./recent-file.ts";
import { finishRewriting, type Rewriting, removeStagings, rewriteDay } from "./rewrite-day.ts";
import { sweepArtifacts } from "./sweep-artifacts.ts";

/** What a purge would take. */
export async function planPurge(files: LogFiles, target: PurgeTarget): Promise<Purged> {
  const matchesPurge = await matcherOf(files, target);
  const found = new Map<string, Event>();
  const taken = new Set<string>();
  const others = new Set<string>();
  let damaged = 0;
  for (const day of files.days.days()) {
    for (const event of await readDay(files, day)) {
      if (event === undefined) damaged++;
      else if (matchesPurge(event)) found.set(identityIn(event.id), event);
      for (const id of event ? artifactsOf(event) : [])
        (event && matchesPurge(event) ? taken : others).add(id);
    }
  }
  const artifacts = [...taken].filter((id) => !others.has(id) && files.artifacts.has(id)).length;
  return { ...countByKind(found), artifacts, damaged: found.size > 0 ? damaged : 0 };
}

/** Call it within `exclusively`. */
export async function purge(files: LogFiles, target: PurgeTarget, at: string): Promise<Purged> {
  const matchesPurge = await matcherOf(files, target);
  const noted = new Map<string, Event>();
  const session = "session" in target ? target.session : undefined;
  const note = (events: Iterable<Event>): void => {
    const fresh = [...events].filter(({ id }) => !noted.has(identityIn(id)));
    if (fresh.length > 0) files.purged.begin(fresh, session, at);
    for (const event of fresh) noted.set(identityIn(event.id), event);
  };
  const daysToRewrite: string[] = [];
  const found: Event[] = [];
  for (const day of files.days.days()) {
    const events = await readDay(files, day);
    const matches = events.filter((event) => event !== undefined && matchesPurge(event)) as Event[];
    if (matches.length > 0 || events.includes(undefined)) daysToRewrite.push(day);
    found.push(...matches);
  }
  const bundles = new GivenBundles(files.folder);
  if (found.length === 0) {
    bundles.purge(target);
    return { ...countByKind(noted), artifacts: 0, damaged: 0 };
  }
  note(found);
  bundles.purge(target);
  faultPoint("purge-noted");
  const damaged = await rewriteDays(files, daysToRewrite, { matchesPurge, onRemove: note });
  const artifacts = await finishSweep(files);
  return { ...countByKind(noted), artifacts, damaged };
}

/** Does something under the session log's lock. First finishes purges that were killed half-way. */
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

/** Takes out events that were purged while they were appended. Call it within `exclusively`. */
export async function takeOut(files: LogFiles, events: readonly Event[]): Promise<void> {
  const matchesPurge = purgedBy((await files.purged.read()).purges);
  await rewriteDays(files, [...new Set(events.map(dayOf))], { matchesPurge });
  await finishSweep(files);
}

async function finishPurges(files: LogFiles): Promise<void> {
  removeStagings(files.days.folder);
  removeStagings(files.artifacts.folder);
  const { pending } = await files.purged.read();
  const matchesPurge = purgedBy(pending);
  const halfWay = new Set(
    files.days.list().flatMap(({ day, next }) => (next === undefined ? [] : day)),
  );
  for (const day of halfWay) finishRewriting(files.days, day, { matchesPurge });
  if (halfWay.size > 0) await removeStale(files);
  if (pending.length === 0) return;
  for (const day of files.days.days()) {
    const isMeant = (await readDay(files, day)).some(
      (event) => event === undefined || matchesPurge(event),
    );
    if (isMeant) await rewriteDays(files, [day], { matchesPurge });
  }
  await finishSweep(files);
}

/** @returns how many lines went because nobody could read them. */
async function rewriteDays(
  { days }: LogFiles,
  names: readonly string[],
  how: Rewriting,
): Promise<number> {
  return names.reduce((damaged, day) => damaged + rewriteDay(days, day, how), 0);
}

/** @returns how many artifacts went. */
async function finishSweep(files: LogFiles): Promise<number> {
  faultPoint("days-rewritten");
  await removeStale(files);
  const swept = await sweepArtifacts(files);
  const isGone = purgedBy((await files.purged.read()).pending);
  new GivenBundles(files.folder).purgeReferences(
    isGone,
    swept.map(({ id }) => id),
  );
  faultPoint("artifacts-swept");
  forgetRecent(files.folder);
  await files.purged.finish();
  faultPoint("purge-noted-done");
  return swept.length;
}

/** Undefined stands for a line that nobody can read. */
async function readDay({ days }: LogFiles, day: string): Promise<(Event | undefined)[]> {
  const lines = (await days.read(day)).flatMap(({ bytes }) => eventLinesOf(bytes));
  return lines.map((line) => readEventLine(line.toString()));
}

async function matcherOf(
  { artifacts }: LogFiles,
  target: PurgeTarget,
): Promise<(event: Event) => boolean> {
  if ("session" in target) return ({ session }) => session === target.session;
  if ("ids" in target) {
    const identities = new Set(target.ids.flatMap((id) => readEventId(id)?.identity ?? []));
    return ({ id }) => identities.has(identityIn(id));
  }
  const { text } = target;
  // Every event holds the empty text.
  if (text.trim() === "")
    throw new SentinelError("bad_argument", "The text is blank.", "Give the text that is to go.");
  const withText = new Set<string>();
  for (const { id } of artifacts.list()) if (artifacts.read(id)?.includes(text)) withText.add(id);
  return (event) => mentions(event, text) || artifactsOf(event).some((id) => withText.has(id));
}

function countByKind(events: ReadonlyMap<string, Event>): Pick<Purged, "events" | "kinds"> {
  const kinds = countEach([...events.values()].map(({ kind }) => kind));
  return { events: events.size, kinds: Object.fromEntries(kinds) };
}
