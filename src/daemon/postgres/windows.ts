/**
 * Events in brief, for the projections: of the days and kinds that a window has, by the same rules as the file store's. A store remembers
 * them, and each call reads what was stored since (docs/design/daemon.md, "The session log on PostgreSQL").
 */
import { groupBy } from "../../ground/core/group-by.ts";
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import type { BriefEvent } from "../../sessions/kinds/brief-event.ts";
import {
  eventsIn,
  LEDGER,
  NOTHING_RECENT,
  RECENT,
  RECENT_DAYS,
  type Recent,
  withChanges,
} from "../../sessions/resume/recent.ts";
import type { Window } from "../../sessions/store.ts";
import { COUNTED_BY } from "./counted-by.ts";
import type { Database, Identity, Query } from "./database.ts";
import { EVENT_COLUMNS, type EventRow, eventOf } from "./event-row.ts";
import { readRows } from "./read-rows.ts";

const RULES = { recent: RECENT, ledger: LEDGER };
const WHERE = {
  recent: "ts >= $2::date::timestamp at time zone 'UTC'",
  // In these words the index of the ledger answers.
  ledger: "kind in ('decision', 'task_update', 'pin', 'handoff') and ts >= $2::date::timestamp at time zone 'UTC'",
};
const ALWAYS = "-infinity";

/** What was read up to a transaction: the oldest one that was open then. */
interface Known {
  /** Which database counts transactions. */
  readonly place: string;
  readonly to: string;
  /** The first day. */
  readonly from: string;
  readonly window: Recent;
  readonly events: readonly BriefEvent[];
}

/** `hasGone` where events were taken out since a transaction. */
const STATE = `select pg_snapshot_xmin(pg_current_snapshot())::text as oldest,
  exists (select from sentinel.dropped_days where tx >= $1::xid8) as "hasGone", ${COUNTED_BY} as place`;

interface State {
  readonly oldest: string;
  readonly hasGone: boolean;
  readonly place: string;
}

/** `isSettled` where no transaction that is still open began before. */
type Row = EventRow & { readonly isSettled: boolean };

export class Windows {
  readonly #database: Database;
  readonly #known = new Map<Window, Known>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param now ms since 1970. */
  async read(name: Window, now: number): Promise<readonly BriefEvent[]> {
    const from = name === "recent" ? dateOf(new Date(now - RECENT_DAYS * DAY_MS).toISOString()) : ALWAYS;
    const { rows, oldest, place, known } = await this.#database.reading((read) =>
      readSince(read, this.#database.identity, name, from, this.#known.get(name)),
    );
    const over = Object.keys(known?.window.segments ?? {}).filter((day) => name === "recent" && day < from);
    if (known && rows.length + over.length === 0) return known.events;
    const pending = rows.filter(({ isSettled }) => !isSettled);
    const settled = rows.filter(({ isSettled }) => isSettled);
    const window = withRows(known?.window ?? NOTHING_RECENT, settled, name, over);
    const events = eventsIn(window);
    this.#known.set(name, { place, to: oldest, from, window, events });
    return pending.length === 0 ? events : eventsIn(withRows(window, pending, name));
  }
}

async function readSince(read: Query, identity: Identity, name: Window, from: string, before: Known | undefined) {
  const [state] = await read<State>(STATE, [before?.to ?? "0"]);
  const { oldest = "0", hasGone = true, place = "" } = state ?? {};
  const isOfAnother = before !== undefined && (before.place !== place || BigInt(before.to) > BigInt(oldest));
  const known = before && !hasGone && !isOfAnother && before.from <= from ? before : undefined;
  const events = known ? "sentinel.events_since($3::xid8)" : "sentinel.events";
  const rows = await readRows<Row>(
    read,
    identity,
    `select ${EVENT_COLUMNS}, tx < $1::xid8 as "isSettled" from ${events} as events where ${WHERE[name]}`,
    [oldest, from, ...(known ? [known.to] : [])],
  );
  return { rows, oldest, place, known };
}

function withRows(window: Recent, rows: readonly Row[], name: Window, gone: readonly string[] = []): Recent {
  const byDay = groupBy(rows.map(eventOf), ({ ts }) => dateOf(ts));
  const added = [...byDay].map(([segment, events]) => ({ segment, events }));
  return withChanges(window, { gone, added, cursor: "", more: false }, RULES[name]);
}
