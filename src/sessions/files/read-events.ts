/** Reads the day files. An event can be in them twice, after a retry or a second capture. The earliest copy counts. */
import { linesWith } from "../../ground/files/append-log.ts";
import {
  type Event,
  identityIn,
  readEventId,
  readShortEventId,
  SHORT_LENGTH,
} from "../kinds/event.ts";
import type { EventQuery } from "../store.ts";
import { readTime } from "../storing/check-draft.ts";
import { earliestOfEach, inOrder } from "../storing/event-order.ts";
import { type DayFiles, dayOf } from "./day-files.ts";
import { eventsOf, identityInLine, writeJson } from "./event-line.ts";
import type { LogFiles } from "./log-files.ts";
import { purgedBy } from "./purged-list.ts";

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
  const isWanted = (line: Buffer) => {
    const identity = identityInLine(line) ?? "";
    return wanted.has(identity) || ends.has(identity.slice(-SHORT_LENGTH));
  };
  const namedDays = new Set(named.map(({ time }) => dayOf({ ts: new Date(time).toISOString() })));
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
