/** Reads the files of days. What stands there twice, from a retry or a second capture, is one event, the earliest. */

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
import { eventLinesOf, eventsOf, identityInLine, sessionName, writeJson } from "./event-line.ts";
import type { LogFiles } from "./log-files.ts";
import { purgedBy } from "./purged-list.ts";

/** Events in order of time, each once. */
export async function* readEvents(files: LogFiles, query: EventQuery): AsyncGenerator<Event> {
  const matches = matcher(query);
  const inRange = files.days.days().filter(matches.day);
  if (query.newestFirst) inRange.reverse();
  const given = new Set<string>();
  const { session, newestFirst, mostBytes } = query;
  let left = newestFirst && mostBytes !== undefined ? mostBytes : Number.POSITIVE_INFINITY;
  for (const day of inRange) {
    if (left <= 0) return;
    const found = new Map<string, Event>();
    if (session === undefined) await collect(files, day, eventLinesOf, found);
    else left -= await collectLast(files, day, session, left, found);
    const events = inOrder(found.values()).filter(matches.event);
    if (query.newestFirst) events.reverse();
    for (const event of events) {
      const identity = identityIn(event.id);
      if (given.has(identity)) continue;
      given.add(identity);
      yield event;
    }
  }
}

/** Events by an id's identity, or its end in a short id, in order of time. @param options.onDaysOfIds looks only on the day that an id names. */
export async function findEvents(
  files: LogFiles,
  ids: readonly string[],
  { onDaysOfIds }: { readonly onDaysOfIds: boolean },
): Promise<readonly Event[]> {
  const named = ids.flatMap((id) => readEventId(id) ?? []);
  const wanted = new Set(named.map(({ identity }) => identity));
  const found = new Map<string, Event>();
  const ends = new Set(ids.flatMap((id) => readShortEventId(id) ?? []));
  const isWanted = (line: Buffer) => {
    const identity = identityInLine(line) ?? "";
    return wanted.has(identity) || ends.has(identity.slice(-SHORT_LENGTH));
  };
  const wantedLines = (bytes: Buffer) => eventLinesOf(bytes).filter(isWanted);
  const namedDays = new Set(named.map(({ time }) => dayOf({ ts: new Date(time).toISOString() })));
  const isNamed = (day: string) => !onDaysOfIds || ends.size > 0 || namedDays.has(day);
  if (wanted.size + ends.size > 0)
    for (const day of files.days.days().filter(isNamed))
      await collect(files, day, wantedLines, found);
  return inOrder(found.values());
}

/** Adds a day's events by their identity, of each the earliest. */
async function collect(
  { days, purged }: LogFiles,
  day: string,
  wantedLines: (bytes: Buffer) => readonly Buffer[],
  found: Map<string, Event>,
): Promise<void> {
  const isPending = purgedBy((await purged.read()).pending);
  for (const { bytes } of await days.read(day))
    addEarliest(found, eventsOf(wantedLines(bytes)), isPending);
}

/** Adds those of a session that stand in the last bytes of a day. @returns how many bytes they stand among. */
async function collectLast(
  { days, purged }: LogFiles,
  day: string,
  session: string,
  mostBytes: number,
  found: Map<string, Event>,
): Promise<number> {
  const isPending = purgedBy((await purged.read()).pending);
  const read = await days.readEach(day, ({ path }) => sessionEvents(path, session, mostBytes));
  for (const { events } of read) addEarliest(found, events, isPending);
  return read.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** An id begins with its time. */
function addEarliest(
  found: Map<string, Event>,
  events: readonly Event[],
  isPending: (event: Event) => boolean,
): void {
  for (const event of events) {
    const known = found.get(identityIn(event.id));
    if (!isPending(event) && (known === undefined || event.id < known.id))
      found.set(identityIn(event.id), event);
  }
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

/** Of a few sessions, the days of a window. */
const FILES_REMEMBERED = 16;

interface SessionEvents {
  readonly events: readonly Event[];
  /** Of the file, those that were searched. */
  readonly bytes: number;
}

const remembered = new RecentCache<SessionEvents & { readonly of: string }>(FILES_REMEMBERED);

/** @param mostBytes the last ones of the file; they may begin in the middle of a line, which is no event then. */
function sessionEvents(path: string, session: string, mostBytes: number): SessionEvents {
  return withFile(path, (file) => {
    const info = fstatSync(file, { bigint: true });
    const bytes = Math.min(Number(info.size), mostBytes);
    const of = `${fileStamp(info)} ${bytes}`;
    const key = `${path} ${session}`;
    const known = remembered.get(key);
    if (known?.of === of) return known;
    const end = readAt(file, Number(info.size) - bytes, bytes);
    countRead(end.length);
    const found = { of, bytes, events: eventsIn(end, session, path) };
    remembered.set(key, found);
    return found;
  });
}

/** Most lines are of other sessions, and need not be parsed to see that. */
function eventsIn(bytes: Buffer, session: string, path: string): Event[] {
  const named = [`","${sessionName(session)}`, writeJson(session)].flatMap((text) =>
    linesWith(bytes, Buffer.from(text)),
  );
  return eventsOf(named, path).filter((event) => event.session === session);
}
