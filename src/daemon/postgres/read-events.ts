/** Reads events under the policies: in pages, by id, and in windows (docs/design/daemon.md, "Recent events"). */
import { groupBy } from "../../ground/core/collections.ts";
import { dateOf } from "../../ground/core/time.ts";
import {
  type BriefEvent,
  type Event,
  inOrder,
  inTime,
  readEventId,
  readShortEventId,
} from "../../sessions/kinds/event.ts";
import { firstRecentDay, LEDGER, RECENT } from "../../sessions/resume/recent.ts";
import type { EventQuery, Window } from "../../sessions/store.ts";
import { readTime } from "../../sessions/storing/check-draft.ts";
import type { Database } from "./database.ts";
import { EVENT_COLUMNS, type EventRow, readRows } from "./event-rows.ts";
import { fromStorable, toStorable } from "./storable-text.ts";

const PAGE = 1_000;
/** The size of the first page when reading backwards, because most such callers only want the last events. */
const LAST_PAGE = 250;

/** Reads events in order of time. Pages are read on demand, and no connection is kept between pages. A page has all events of a millisecond. */
export async function* readEvents(database: Database, query: EventQuery): AsyncGenerator<Event> {
  const { conditions, values } = conditionsOf(query);
  const isBackwards = query.newestFirst === true;
  const order = isBackwards ? "desc" : "asc";
  const isBeyond = `ts ${isBackwards ? "<" : ">"} $${values.length + 1}::timestamptz`;
  let most = isBackwards ? LAST_PAGE : PAGE;
  let last = isBackwards ? "infinity" : "-infinity";
  for (;;) {
    const rows = await database.reading((read) =>
      readRows<EventRow>(
        read,
        database.identity,
        `select ${EVENT_COLUMNS} from sentinel.events where ${[...conditions, isBeyond].join(" and ")}
         order by ts ${order} fetch first ${most} rows with ties`,
        [...values, last],
      ),
    );
    const events = inOrderOfStoring(rows);
    yield* isBackwards ? events.reverse() : events;
    if (rows.length < most) {
      return;
    }
    last = rows.at(-1)?.event.ts ?? last;
    most = PAGE;
  }
}

function inOrderOfStoring(rows: readonly EventRow[]): Event[] {
  return inOrder([...rows].sort((a, b) => a.seq - b.seq).map(({ event }) => event));
}

function conditionsOf({ from, to, session, kinds, refs }: EventQuery) {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const where = (condition: (slot: string) => string, value: unknown): void => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (from !== undefined) {
    where((slot) => `ts >= ${slot}::timestamptz`, timeOf("from", from));
  }
  if (to !== undefined) {
    where((slot) => `ts < ${slot}::timestamptz`, timeOf("to", to));
  }
  if (session !== undefined) {
    where(
      (slot) => `session_no = hashtextextended(${slot}, 0) and session = ${slot}::text collate "C"`,
      toStorable(session),
    );
  }
  if (kinds !== undefined) {
    where((slot) => `kind = any (${slot}::text[])`, kinds);
  }
  if (refs !== undefined) {
    where((slot) => `refs && ${slot}::text[]`, refs.map(toStorable));
  }
  return { conditions, values };
}

const timeOf = (field: string, text: string): string =>
  new Date(readTime(field, text)).toISOString();

const FIND = `select ${EVENT_COLUMNS} from sentinel.events where key = any ($1::text[]) or short = any ($2::text[])`;

/** Returns the events with the identity of one of these ids, or whose id ends with a short id, in order of time. */
export async function findEvents(
  database: Database,
  ids: readonly string[],
): Promise<readonly Event[]> {
  const wanted = ids.flatMap((id) => readEventId(id)?.identity ?? []);
  const ends = ids.flatMap((id) => readShortEventId(id) ?? []);
  if (wanted.length + ends.length === 0) {
    return [];
  }
  // A short id comes from the caller and may contain any characters.
  const values = [wanted.map(toStorable), ends.map(toStorable)];
  const rows = await database.reading((read) =>
    readRows<EventRow>(read, database.identity, FIND, values),
  );
  return inOrderOfStoring(rows);
}

const ARTIFACT = "select text from sentinel.artifacts where id = $1 limit 1";

/** Returns the text of an artifact. Undefined if the reader may not see it. */
export async function findArtifact(database: Database, id: string): Promise<string | undefined> {
  const [artifact] = await database.reading((read) =>
    read<{ text: string }>(ARTIFACT, [toStorable(id)]),
  );
  return artifact && fromStorable(artifact.text);
}

/** The most events of the reader, and also of all others. In the ledger, the limit is per kind. */
const MOST_READ = { recent: 2_000, ledger: 5_000 };

const OWN = "owner = $1";
const OTHERS = "owner <> $1 and channel in ('team', 'public')";

/** Selects the newest events of the reader or of other people. Row-level security hides the events that the reader may not see. */
function newest(whose: string, where: string, most: number): string {
  return `(select ${EVENT_COLUMNS} from sentinel.events where ${whose} and ${where} order by ts desc limit ${most})`;
}

const SINCE = "ts >= $2::timestamptz";
/** Repeats the condition of the partial index in schema.sql word for word, because PostgreSQL doesn't use the index otherwise. */
const OF_LEDGER = "kind in ('decision', 'task_update', 'pin', 'handoff')";
const RECENT_EVENTS = `${newest(OWN, SINCE, MOST_READ.recent)} union all ${newest(OTHERS, SINCE, MOST_READ.recent)}`;
const WANTED = `${OF_LEDGER} and kind = wanted`;
/** Limits each kind separately, because task updates far outnumber decisions. */
const LEDGER_EVENTS = `select found.* from unnest(array['decision', 'task_update', 'pin', 'handoff']) as wanted
  cross join lateral (
    ${newest(OWN, WANTED, MOST_READ.ledger)}
    union all ${newest(OTHERS, WANTED, MOST_READ.ledger)}) as found`;

/** Returns a window of the session log by the file store's rules, in order of time. @param now in ms since 1970. */
export async function readWindow(
  database: Database,
  window: Window,
  now: number,
): Promise<readonly BriefEvent[]> {
  const { identity } = database;
  const from = `${firstRecentDay(now)}T00:00:00.000Z`;
  const rows = await database.reading((read) =>
    window === "ledger"
      ? readRows<EventRow>(read, identity, LEDGER_EVENTS, [identity.owner])
      : readRows<EventRow>(read, identity, RECENT_EVENTS, [identity.owner, from]),
  );
  const { briefOf, keep } = window === "recent" ? RECENT : LEDGER;
  const kept: BriefEvent[] = [];
  for (const segment of groupBy(rows, segmentOf).values()) {
    const briefs = segment
      .map(({ event }) => briefOf(event))
      .filter((event) => event !== undefined);
    kept.push(...keep(briefs));
  }
  return inTime(kept);
}

/** Returns the person, session and day of an event. Limits per segment keep a teammate's decisions from displacing the reader's. */
function segmentOf({ owner, event }: EventRow): string {
  return JSON.stringify([dateOf(event.ts), owner, event.session]);
}
