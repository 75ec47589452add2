/**
 * What has changed since a cursor. Transactions end in another order than they begin, so a reader that stops at the newest event misses
 * those that were begun before it and end after it. Events are read in order of their transactions, up to the oldest one that is still open.
 * A segment is a day; one from which events went is given again.
 */
import { SentinelError } from "../../ground/core/errors.ts";
import { groupBy } from "../../ground/core/group-by.ts";
import { dateOf, isCalendarDay } from "../../ground/core/time.ts";
import type { Changes, ChangesRange, Cursor } from "../../sessions/store.ts";
import { readTime } from "../../sessions/storing/check-draft.ts";
import { COUNTED_BY } from "./counted-by.ts";
import type { Database, Identity, Query } from "./database.ts";
import { EVENT_COLUMNS, type EventRow, eventOf } from "./event-row.ts";
import { readRows } from "./read-rows.ts";

const MOST_ROWS = 2_000;
const MOST_BYTES = 8 * 1024 * 1024;

interface Position {
  /** Which database counts these transactions: one that was restored from a dump is another. */
  readonly place: string;
  /** The transaction, and the event within it, up to which events were read. */
  readonly tx: string;
  readonly seq: number;
  /** The transaction up to which dropped days were read. */
  readonly dropsTo: string;
  /** The first day that was asked for. */
  readonly from: string;
  /** Those of which events were given. */
  readonly days: readonly string[];
}

type Row = EventRow & { readonly tx: string; readonly ahead: number };

const START: Omit<Position, "place"> = { tx: "0", seq: 0, dropsTo: "0", from: "", days: [] };
const WATERMARK = `select pg_snapshot_xmin(pg_current_snapshot())::text as tx,
  ${COUNTED_BY} as place`;
const DROPPED = `select distinct to_char(day, 'YYYY-MM-DD') as day from sentinel.dropped_days
  where tx >= $1::xid8 and tx < $2::xid8 and day = any ($3::date[])`;
const DAY = "(ts at time zone 'UTC')::date";
/** `ahead` is how many there are, those included that are too many for one answer. */
const ADDED = `select * from (
    select ${EVENT_COLUMNS}, tx::text, (row_number() over page)::int as number, (count(*) over ())::int as ahead,
      sum(bytes) over page - bytes as bytes_before
    from (
      select *, octet_length(content::text) as bytes from sentinel.events
      where ts >= $1::timestamptz and (tx, seq) > ($2::xid8, $3) and tx < $4::xid8 and ${DAY} <> all ($5::date[])
      order by tx, seq limit ${MOST_ROWS + 1}
    ) as next window page as (order by next.tx, next.seq)
  ) as next where bytes_before < $6 and number <= ${MOST_ROWS} order by number`;
const AGAIN = `select ${EVENT_COLUMNS} from unnest($1::date[]) as dropped (day)
  join sentinel.events on ts >= dropped.day::timestamp at time zone 'UTC' and ts < (dropped.day + 1)::timestamp at time zone 'UTC'
  where (tx, seq) <= ($2::xid8, $3) order by tx, seq`;

export function changesSince(database: Database, since?: Cursor, range: ChangesRange = {}): Promise<Changes> {
  const from = range.from === undefined ? "" : dateOf(new Date(readTime("from", range.from)).toISOString());
  return database.reading(async (read) => {
    const [watermark] = await read<{ tx: string; place: string }>(WATERMARK);
    const { tx: to, place } = watermark ?? { tx: "0", place: "" };
    const before: Position = since === undefined ? { ...START, place } : readCursor(since);
    const isOfAnother = before.place !== place || BigInt(before.dropsTo) > BigInt(to) || from < before.from;
    const start = isOfAnother ? { ...START, place, days: before.days } : before;
    const over = start.days.filter((day) => isOfAnother || day < from);
    const rest = start.days.filter((day) => !over.includes(day));
    const dropped = (await read<{ day: string }>(DROPPED, [start.dropsTo, to, rest])).map(({ day }) => day);
    const { rows, position, more } = await readPage(read, database.identity, {
      start,
      to,
      from,
      dropped,
      bytes: range.bytes,
    });
    const again =
      dropped.length > 0 ? await readRows(read, database.identity, AGAIN, [dropped, position.tx, position.seq]) : [];
    const byDay = groupBy([...again, ...rows].map(eventOf), ({ ts }) => dateOf(ts));
    const days = [...new Set([...rest.filter((day) => !dropped.includes(day)), ...byDay.keys()])].sort();
    return {
      gone: [...over, ...dropped],
      added: [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([segment, events]) => ({ segment, events })),
      cursor: JSON.stringify({ place, ...position, dropsTo: to, from, days } satisfies Position),
      more,
    };
  });
}

/** More than a server ever counts to, and less than it can. */
const NUMBER = /^\d{1,19}$/;

/** It comes back from clients. */
function readCursor(cursor: Cursor): Position {
  try {
    const { place = "", tx, seq, dropsTo, from, days } = JSON.parse(cursor);
    const areTexts = [place, tx, dropsTo, from].every((text) => typeof text === "string");
    const areNumbers = NUMBER.test(tx) && NUMBER.test(dropsTo) && Number.isSafeInteger(seq);
    if (areTexts && areNumbers && Array.isArray(days) && days.every(isCalendarDay))
      return { place, tx, seq, dropsTo, from, days };
  } catch {
    // The same as one that is not ours.
  }
  throw new SentinelError("bad_argument", "The cursor is not one of this session log.", "Begin without one.");
}

interface PageRequest {
  readonly start: Position;
  /** The first transaction that is not read. */
  readonly to: string;
  readonly from: string;
  readonly dropped: readonly string[];
  readonly bytes: number | undefined;
}

async function readPage(
  read: Query,
  identity: Identity,
  { start, to, from, dropped, bytes = MOST_BYTES }: PageRequest,
) {
  const first = from === "" ? "-infinity" : `${from}T00:00:00Z`;
  const rows = await readRows<Row>(read, identity, ADDED, [
    first,
    start.tx,
    start.seq,
    to,
    dropped,
    Math.max(1, bytes),
  ]);
  const last = rows.at(-1);
  const more = last !== undefined && rows.length < last.ahead;
  return { rows, more, position: more ? { tx: last.tx, seq: last.seq } : { tx: to, seq: 0 } };
}
