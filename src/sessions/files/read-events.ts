/** Reads the day files. An event can be in them twice, after a retry or a second capture. The earliest copy counts. */
import { fstatSync } from "node:fs";
import { RecentCache } from "../../ground/core/recent-cache.ts";
import { linesWith } from "../../ground/files/append-log.ts";
import { fileStamp } from "../../ground/files/file-stamp.ts";
import { readAt, withFile } from "../../ground/files/open-file.ts";
import { countRead } from "../../ground/files/read-count.ts";
import {
  type Event,
  identityIn,
  readEventId,
  readShortEventId,
  SHORT_LENGTH,
} from "../kinds/event.ts";
import type { EventQuery } from "../store.ts";
import { readTime } from "../storing/check-draft.ts";
import { inOrder } from "../storing/event-order.ts";
import { dayOf } from "./day-files.ts";
import { eventsOf, identityInLine, writeJson } from "./event-line.ts";
import type { LogFiles } from "./log-files.ts";
import { purgedBy } from "./purged-list.ts";

/** Events in order of time, each once. @throws SentinelError `bad_argument` for an invalid time, or `old_format`. */
export async function* readEvents(files: LogFiles, query: EventQuery): AsyncGenerator<Event> {
  const matches = matcher(query);
  const inRange = files.days.days().filter(matches.day);
  if (query.newestFirst) inRange.reverse();
  const given = new Set<string>();
  const { session, newestFirst, mostBytes } = query;
  let left = newestFirst && mostBytes !== undefined ? mostBytes : Number.POSITIVE_INFINITY;
  for (const day of inRange) {
    if (left <= 0) return;
    const isPending = purgedBy((await files.purged.read()).pending);
    let found: readonly Event[];
    if (session === undefined) found = eventsOf(await files.days.lines(day));
    else {
      const last = await lastOfSession(files, day, session, left);
      found = last.events;
      left -= last.bytes;
    }
    const events = inOrder(earliest(found, isPending)).filter(matches.event);
    if (newestFirst) events.reverse();
    for (const event of events) {
      const identity = identityIn(event.id);
      if (given.has(identity)) continue;
      given.add(identity);
      yield event;
    }
  }
}

/** Finds events by whole ids on the days that these name, and by short ids on every day. @returns them in order of time. @throws SentinelError `old_format`. */
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

/** The earliest copy of each event, without those that a purge is removing. */
function earliest(events: readonly Event[], isPending: (event: Event) => boolean): Iterable<Event> {
  const found = new Map<string, Event>();
  for (const event of events) {
    const known = found.get(identityIn(event.id));
    // An id begins with its time.
    if (!isPending(event) && (known === undefined || event.id < known.id))
      found.set(identityIn(event.id), event);
  }
  return found.values();
}

function matcher({ from, to, kinds, refs }: EventQuery) {
  const first = from === undefined ? "" : new Date(readTime("from", from)).toISOString();
  const end = to === undefined ? "\uffff" : new Date(readTime("to", to)).toISOString();
  return {
    day: (day: string) => day >= dayOf({ ts: first }) && day < end,
    event: (event: Event) =>
      event.ts >= first &&
      event.ts < end &&
      (kinds === undefined || kinds.includes(event.kind)) &&
      (refs === undefined || event.refs.some((ref) => refs.includes(ref))),
  };
}

interface SessionEvents {
  readonly events: readonly Event[];
  /** The number of bytes searched. */
  readonly bytes: number;
}

/** Enough for the days of some sessions. */
const MAX_CACHED_FILES = 16;
const cache = new RecentCache<SessionEvents & { readonly stamp: string }>(MAX_CACHED_FILES);

/** The events of a session in the last bytes of each of a day's files. */
async function lastOfSession(
  { days }: LogFiles,
  day: string,
  session: string,
  mostBytes: number,
): Promise<SessionEvents> {
  const read = await days.readEach(day, ({ path }) => lastInFile(path, session, mostBytes));
  return {
    events: read.flatMap(({ events }) => events),
    bytes: read.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function lastInFile(path: string, session: string, mostBytes: number): SessionEvents {
  return withFile(path, (file) => {
    const info = fstatSync(file, { bigint: true });
    const bytes = Math.min(Number(info.size), mostBytes);
    const stamp = `${fileStamp(info)} ${bytes}`;
    const key = `${path} ${session}`;
    const known = cache.get(key);
    if (known?.stamp === stamp) return known;
    const end = readAt(file, Number(info.size) - bytes, bytes);
    countRead(end.length);
    // Most lines belong to other sessions, which shows without parsing them.
    const isWhole = bytes === Number(info.size);
    const lines = linesWith(isWhole ? end : withoutFirstLine(end), Buffer.from(writeJson(session)));
    const events = eventsOf(lines).filter((event) => event.session === session);
    const found = { stamp, bytes, events };
    cache.set(key, found);
    return found;
  });
}

/** The bytes after the first line, which may be only the end of a line. */
function withoutFirstLine(bytes: Buffer): Buffer {
  const end = bytes.indexOf("\n");
  return end < 0 ? bytes.subarray(bytes.length) : bytes.subarray(end + 1);
}
