/** Reads, appends and counts the events in the day files. An event can be in them twice, after a retry. The earliest copy counts. */
import { countEach, groupBy } from "../../ground/core/collections.ts";
import { linesWith } from "../../ground/files/append-log.ts";
import { faultPoint } from "../../ground/files/fault-points.ts";
import {
  type Event,
  identityIn,
  readEventId,
  readShortEventId,
  SHORT_LENGTH,
} from "../kinds/event.ts";
import type { EventQuery, Statistics } from "../store.ts";
import { readTime } from "../storing/check-draft.ts";
import { earliestOfEach, inOrder } from "../storing/event-order.ts";
import type { Prepared } from "../storing/prepare.ts";
import { REDACTED } from "../storing/redact-draft.ts";
import { type DayFiles, dayOf } from "./day-files.ts";
import { eventsOf, identityInLine, writeEventLine, writeJson } from "./event-line.ts";
import type { LogFiles } from "./log-files.ts";
import { countPurged, purgedBy } from "./purged-list.ts";

/** Events in order of time, each once. @throws SentinelError `bad_argument` for an invalid time. */
export async function* readEvents(
  { days, purged }: LogFiles,
  query: EventQuery,
): AsyncGenerator<Event> {
  const matches = matcher(query);
  const inRange = days.days().filter(matches.day);
  if (query.newestFirst) inRange.reverse();
  const given = new Set<string>();
  for (const day of inRange) {
    const isPending = purgedBy((await purged.read()).pending);
    const found = eventsOf(await linesOfDay(days, day, query.session));
    const events = inOrder(earliest(found, isPending)).filter(matches.event);
    if (query.newestFirst) events.reverse();
    for (const event of events) {
      const identity = identityIn(event.id);
      if (given.has(identity)) continue;
      given.add(identity);
      yield event;
    }
  }
}

/** Finds events by whole ids on the days that these name, and by short ids on every day. @returns them in order of time. */
export async function findEvents(
  { days, purged }: LogFiles,
  ids: readonly string[],
): Promise<readonly Event[]> {
  const named = ids.map(readEventId).filter((id) => id !== undefined);
  const wanted = new Set(named.map(({ identity }) => identity));
  const ends = new Set(ids.map(readShortEventId).filter((end) => end !== undefined));
  if (wanted.size + ends.size === 0) return [];
  const isWanted = (line: Buffer) => {
    const identity = identityInLine(line) ?? "";
    return wanted.has(identity) || ends.has(identity.slice(-SHORT_LENGTH));
  };
  const times = named.map(({ time }) => new Date(time).toISOString());
  const namedDays = new Set(times.map((ts) => dayOf({ ts })));
  const found: Event[] = [];
  for (const day of days.days())
    if (ends.size > 0 || namedDays.has(day))
      found.push(...eventsOf((await days.lines(day)).filter(isWanted)));
  return inOrder(earliest(found, purgedBy((await purged.read()).pending)));
}

/** The lines of a day, or only those that contain the session's name: most lines belong to other sessions, and needn't be parsed. */
async function linesOfDay(
  days: DayFiles,
  day: string,
  session: string | undefined,
): Promise<readonly Buffer[]> {
  if (session === undefined) return days.lines(day);
  const name = Buffer.from(writeJson(session));
  const files = await days.read(day);
  return files.flatMap((bytes) => linesWith(bytes, name));
}

/** The earliest copy of each event, without those that a purge is removing. */
const earliest = (
  events: readonly Event[],
  isPending: (event: Event) => boolean,
): readonly Event[] => earliestOfEach(events.filter((event) => !isPending(event)));

function matcher({ from, to, session, kinds, refs }: EventQuery) {
  const first = from === undefined ? "" : new Date(readTime("from", from)).toISOString();
  const end = to === undefined ? "\uffff" : new Date(readTime("to", to)).toISOString();
  return {
    day: (day: string) => day >= dayOf({ ts: first }) && day < end,
    event: (event: Event) =>
      event.ts >= first &&
      event.ts < end &&
      (session === undefined || event.session === session) &&
      (kinds === undefined || kinds.includes(event.kind)) &&
      (refs === undefined || event.refs.some((ref) => refs.includes(ref))),
  };
}

/**
 * Appends events and flushes them to the disk. Call it under the session log's lock.
 * @param now ms since 1970. @returns the events in order, undefined for purged ones.
 */
export async function appendEvents(
  { days, artifacts, purged }: LogFiles,
  prepared: readonly Prepared[],
  now: number,
): Promise<readonly (Event | undefined)[]> {
  const isPurged = purgedBy((await purged.read()).purges);
  const accepted = prepared.filter(({ event }) => !isPurged(event));
  // Artifacts first, so that a kill leaves no event without its whole text.
  for (const { artifacts: texts } of accepted)
    for (const [id, text] of texts) artifacts.keep(id, text, now);
  for (const [day, ofDay] of groupBy(accepted, ({ event }) => dayOf(event)))
    days.append(day, ofDay.map(writeEventLine));
  faultPoint("acknowledging");
  const stored = new Set(accepted);
  return prepared.map((one) => (stored.has(one) ? one.event : undefined));
}

/** Counts the contents of the session log. Reads all of it. */
export async function statisticsOf({
  days,
  artifacts,
  purged,
}: LogFiles): Promise<Omit<Statistics, "indexed">> {
  const { purges, pending } = await purged.read();
  const isPending = purgedBy(pending);
  const seen = new Set<string>();
  const redactedKinds: string[] = [];
  let daysWithEvents = 0;
  let bytes = 0;
  let damaged = 0;
  for (const day of days.days()) {
    const lines = await days.lines(day);
    const events = eventsOf(lines);
    for (const line of lines) bytes += line.length + 1;
    damaged += lines.length - events.length;
    const found = earliest(events, isPending).filter(({ id }) => !seen.has(identityIn(id)));
    if (found.length > 0) daysWithEvents++;
    for (const { id, tags } of found) {
      seen.add(identityIn(id));
      const kinds = tags.filter((tag) => tag.startsWith(REDACTED));
      redactedKinds.push(...kinds.map((tag) => tag.slice(REDACTED.length)));
    }
  }
  return {
    events: seen.size,
    bytes,
    artifactBytes: artifacts.list().reduce((sum, artifact) => sum + artifact.bytes, 0),
    days: daysWithEvents,
    damaged,
    redacted: Object.fromEntries(countEach(redactedKinds)),
    purged: countPurged(purges),
  };
}
