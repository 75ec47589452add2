/** The store of a session log in files (docs/design/sessions.md, "The session log"). */

import { countEach, groupBy } from "../../ground/core/collections.ts";
import type { SentinelError } from "../../ground/core/errors.ts";
import { linesWith } from "../../ground/files/append-log.ts";
import { faultPoint } from "../../ground/files/fault-points.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import { folderSize } from "../../ground/files/read-files.ts";
import {
  type Event,
  earliestOfEach,
  identityIn,
  inOrder,
  readEventId,
  readShortEventId,
  SHORT_LENGTH,
} from "../kinds/event.ts";
import type { EventQuery, EventStore, Statistics } from "../store.ts";
import { readTime } from "../storing/check-draft.ts";
import { type Prepared, prepare } from "../storing/prepare.ts";
import { REDACTED, type Redactor } from "../storing/redactor.ts";
import { type KnownBriefs, readBriefs } from "./briefs.ts";
import { type DayFiles, dayOf } from "./day-files.ts";
import { eventsOf, identityInLine, writeEventLine, writeJson } from "./event-line.ts";
import { SearchIndex, searchLog } from "./index/search-index.ts";
import { type LogFiles, logFiles } from "./log-files.ts";
import { withLogLock } from "./log-lock.ts";
import { exclusively, purge, retain, toPurge } from "./purge.ts";
import { countPurged, purgedBy } from "./purged-list.ts";

export interface JsonlEventStoreOptions {
  /** The session log's folder, which need not exist. */
  readonly folder: string;
  readonly redactor: Redactor;
  /** Ms since 1970. */
  readonly now: () => number;
}

/** Opens and reads nothing until it's used. */
export function jsonlEventStore({ folder, redactor, now }: JsonlEventStoreOptions): EventStore {
  const files = logFiles(folder);
  const index = new SearchIndex(files);
  const briefs: KnownBriefs = {};
  const readError = (error: unknown): SentinelError =>
    fileError(error, "read_failed", `reading the session log in ${folder}`);
  const readFailed = (error: unknown): never => {
    throw readError(error);
  };
  const writeFailed = (error: unknown): never => {
    throw fileError(error, "write_failed", `writing the session log in ${folder}`);
  };
  const readArtifact = async (id: string) => files.artifacts.read(id);
  return {
    location: folder,
    async append(drafts) {
      const at = now();
      const prepared = drafts.map((draft) => prepare(draft, redactor, at));
      const append = () => appendEvents(files, prepared, at);
      return withLogLock(folder, append).catch(writeFailed);
    },
    async *read(query = {}) {
      try {
        yield* readEvents(files, query);
      } catch (error) {
        throw readError(error);
      }
    },
    find: (ids) => findEvents(files, ids).catch(readFailed),
    search: (query) => searchLog(index, query).catch(readFailed),
    prepareSearch: () => index.update().catch(writeFailed),
    brief: (window) => readBriefs(folder, window, now(), briefs).catch(readFailed),
    artifact: (id) => readArtifact(id).catch(readFailed),
    toPurge: (target) => toPurge(files, target).catch(readFailed),
    purge: (target) => exclusively(files, () => purge(files, target, now())).catch(writeFailed),
    retain: (limits) => exclusively(files, () => retain(files, limits, now())).catch(writeFailed),
    statistics: () => statisticsOf(files, index).catch(readFailed),
  };
}

/** Events in order of time, each once. @throws SentinelError `bad_argument` for an invalid time. */
async function* readEvents({ days, purged }: LogFiles, query: EventQuery): AsyncGenerator<Event> {
  const matches = matcher(query);
  const inRange = days.days().filter(matches.day);
  if (query.newestFirst) {
    inRange.reverse();
  }
  const given = new Set<string>();
  for (const day of inRange) {
    const isPending = purgedBy((await purged.read()).pending);
    const found = eventsOf(await linesOfDay(days, day, query.session));
    const events = inOrder(earliest(found, isPending)).filter(matches.event);
    if (query.newestFirst) {
      events.reverse();
    }
    for (const event of events) {
      const identity = identityIn(event.id);
      if (given.has(identity)) {
        continue;
      }
      given.add(identity);
      yield event;
    }
  }
}

/** Finds events by whole ids on the days that these name, and by short ids on every day. @returns them in order of time. */
async function findEvents(
  { days, purged }: LogFiles,
  ids: readonly string[],
): Promise<readonly Event[]> {
  const named = ids.map(readEventId).filter((id) => id !== undefined);
  const wanted = new Set(named.map(({ identity }) => identity));
  const ends = new Set(ids.map(readShortEventId).filter((end) => end !== undefined));
  if (wanted.size + ends.size === 0) {
    return [];
  }
  const isWanted = (line: Buffer) => {
    const identity = identityInLine(line) ?? "";
    return wanted.has(identity) || ends.has(identity.slice(-SHORT_LENGTH));
  };
  const times = named.map(({ time }) => new Date(time).toISOString());
  const namedDays = new Set(times.map((ts) => dayOf({ ts })));
  const found: Event[] = [];
  for (const day of days.days()) {
    if (ends.size > 0 || namedDays.has(day)) {
      found.push(...eventsOf((await days.lines(day)).filter(isWanted)));
    }
  }
  return inOrder(earliest(found, purgedBy((await purged.read()).pending)));
}

/** The lines of a day, or only those that contain the session's name: most lines belong to other sessions, and needn't be parsed. */
async function linesOfDay(
  days: DayFiles,
  day: string,
  session: string | undefined,
): Promise<readonly Buffer[]> {
  if (session === undefined) {
    return days.lines(day);
  }
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
 * @param now ms since 1970. @returns the events in order, undefined for purged ones. @internal
 */
export async function appendEvents(
  { days, artifacts, purged }: LogFiles,
  prepared: readonly Prepared[],
  now: number,
): Promise<readonly (Event | undefined)[]> {
  const isPurged = purgedBy((await purged.read()).purges);
  const accepted = prepared.filter(({ event }) => !isPurged(event));
  // Artifacts first, so that a kill leaves no event without its whole text.
  for (const { artifacts: texts } of accepted) {
    for (const [id, text] of texts) {
      artifacts.keep(id, text, now);
    }
  }
  for (const [day, ofDay] of groupBy(accepted, ({ event }) => dayOf(event))) {
    days.append(day, ofDay.map(writeEventLine));
  }
  faultPoint("acknowledging");
  const stored = new Set(accepted);
  return prepared.map((one) => (stored.has(one) ? one.event : undefined));
}

/** Counts the contents of the session log. Reads all of it. */
async function statisticsOf(
  { days, artifacts, purged }: LogFiles,
  index: Pick<SearchIndex, "onDisk">,
): Promise<Statistics> {
  const { purges, pending } = await purged.read();
  const isPending = purgedBy(pending);
  const counted = new Map<string, Pick<Event, "ts" | "tags">>();
  let damaged = 0;
  for (const day of days.days()) {
    const lines = await days.lines(day);
    const events = eventsOf(lines);
    damaged += lines.length - events.length;
    for (const { id, ts, tags } of earliest(events, isPending)) {
      if (!counted.has(identityIn(id))) {
        counted.set(identityIn(id), { ts, tags });
      }
    }
  }
  const events = [...counted.values()];
  const tags = events.flatMap((event) => event.tags).filter((tag) => tag.startsWith(REDACTED));
  return {
    events: events.length,
    bytes: folderSize(days.folder),
    artifactBytes: folderSize(artifacts.folder),
    days: new Set(events.map(dayOf)).size,
    damaged,
    redacted: Object.fromEntries(countEach(tags.map((tag) => tag.slice(REDACTED.length)))),
    purged: countPurged(purges),
    indexed: index.onDisk(),
  };
}
