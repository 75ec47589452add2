/** Reads events in pages under the policies, and finds them by id. */
import { type Event, readEventId, readShortEventId } from "../../sessions/kinds/event.ts";
import type { EventQuery } from "../../sessions/store.ts";
import { readTime } from "../../sessions/storing/check-draft.ts";
import { inOrder } from "../../sessions/storing/event-order.ts";
import type { Database } from "./database.ts";
import { EVENT_COLUMNS, type EventRow, eventOf } from "./event-row.ts";
import { readRows } from "./read-rows.ts";
import { fromStorable, toStorable } from "./storable-text.ts";

const PAGE = 1_000;
/** The size of the first page when reading backwards, because most such callers only want the last events. */
const LAST_PAGE = 250;

/** Reads events in order of time. Pages are read on demand, and no connection is kept between pages. */
export async function* readEvents(database: Database, query: EventQuery): AsyncGenerator<Event> {
  const { conditions, values } = conditionsOf(query);
  const isBackwards = query.newestFirst === true;
  const [beyond, order] = isBackwards ? ["<", "desc"] : [">", "asc"];
  let last: EventRow | undefined;
  let rest: EventRow[] = [];
  do {
    const from = last && [new Date(last.ms).toISOString(), last.owner, last.key];
    const [ts, owner, key] = [1, 2, 3].map((at) => `$${values.length + at}`);
    const after = from && `(ts, owner, key) ${beyond} (${ts}::timestamptz, ${owner}, ${key})`;
    const most = isBackwards && last === undefined ? LAST_PAGE : PAGE;
    const where = [...conditions, ...(after ? [after] : [])].join(" and ") || "true";
    const rows = await database.reading((read) =>
      readRows<EventRow>(
        read,
        database.identity,
        `select ${EVENT_COLUMNS} from sentinel.events where ${where}
         order by events.ts ${order}, events.owner ${order}, events.key ${order} limit ${most}`,
        [...values, ...(from ?? [])],
      ),
    );
    last = rows.length < most ? undefined : rows.at(-1);
    // The next page may contain more events of the last millisecond.
    const whole = [...rest, ...rows];
    rest = whole.filter(({ ms }) => ms === last?.ms);
    yield* given(whole.slice(0, whole.length - rest.length), isBackwards);
  } while (last);
}

function given(rows: readonly EventRow[], isBackwards: boolean): Event[] {
  const events = inOrder([...rows].sort((a, b) => a.seq - b.seq).map(eventOf));
  return isBackwards ? events.reverse() : events;
}

function conditionsOf({ from, to, session, kinds, refs }: EventQuery) {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const where = (condition: (value: string) => string, value: unknown): void => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (from !== undefined) where((value) => `ts >= ${value}::timestamptz`, timeOf("from", from));
  if (to !== undefined) where((value) => `ts < ${value}::timestamptz`, timeOf("to", to));
  if (session !== undefined)
    where(
      (value) =>
        `session_no = hashtextextended(${value}, 0) and session = ${value}::text collate "C"`,
      toStorable(session),
    );
  if (kinds !== undefined) where((value) => `kind = any (${value}::text[])`, kinds);
  if (refs !== undefined) where((value) => `refs && ${value}::text[]`, refs.map(toStorable));
  return { conditions, values };
}

const timeOf = (field: string, text: string): string =>
  new Date(readTime(field, text)).toISOString();

const FIND = `select ${EVENT_COLUMNS} from sentinel.events_named($1, $2)`;

/** Returns the events with the identity of one of these ids, or whose id ends with a short id, in order of time. */
export async function findEvents(
  database: Database,
  ids: readonly string[],
): Promise<readonly Event[]> {
  const wanted = ids.flatMap((id) => readEventId(id)?.identity ?? []);
  const ends = ids.flatMap((id) => readShortEventId(id) ?? []);
  if (wanted.length + ends.length === 0) return [];
  // A short id comes from the caller and may contain any characters.
  const values = [wanted.map(toStorable), ends.map(toStorable)];
  return given(
    await database.reading((read) => readRows<EventRow>(read, database.identity, FIND, values)),
    false,
  );
}

const ARTIFACT = "select text from sentinel.artifacts where id = $1 limit 1";

/** Returns the text of an artifact. Undefined if the reader may not see it. */
export async function findArtifact(database: Database, id: string): Promise<string | undefined> {
  const [artifact] = await database.reading((read) =>
    read<{ text: string }>(ARTIFACT, [toStorable(id)]),
  );
  return artifact && fromStorable(artifact.text);
}
