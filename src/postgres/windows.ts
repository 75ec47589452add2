/** Events in brief, for the projections: of the days and kinds that a window has, by the same rules as the file store's. */

import { groupBy } from "../core/group-by.ts";
import { DAY_MS, dateOf } from "../core/time.ts";
import type { BriefEvent } from "../events/projections/brief-event.ts";
import { eventsIn, LEDGER, NOTHING_RECENT, RECENT, withChanges } from "../events/projections/going-on/recent.ts";
import type { Window } from "../events/store.ts";
import type { Database } from "./database.ts";
import { EVENT_COLUMNS, type EventRow, eventOf } from "./event-row.ts";

/** Whole days in UTC before today: nothing that is older than 14 days helps to go on. */
const RECENT_DAYS = 13;
const SINCE = `select ${EVENT_COLUMNS} from sentinel.events where ts >= $1::timestamptz`;
/** In these words the index of the ledger answers. */
const LEDGER_ROWS = `select ${EVENT_COLUMNS} from sentinel.events where kind in ('decision', 'task_update', 'pin', 'handoff')`;

/** @param now ms since 1970. */
export async function readWindow(database: Database, window: Window, now: number): Promise<readonly BriefEvent[]> {
  const from = `${dateOf(new Date(now - RECENT_DAYS * DAY_MS).toISOString())}T00:00:00Z`;
  const rows = await database.reading((read) =>
    window === "recent" ? read<EventRow>(SINCE, [from]) : read<EventRow>(LEDGER_ROWS),
  );
  const byDay = groupBy(rows.map(eventOf), ({ ts }) => dateOf(ts));
  const added = [...byDay].map(([segment, events]) => ({ segment, events }));
  const changes = { gone: [], added, cursor: "", more: false };
  return eventsIn(withChanges(NOTHING_RECENT, changes, window === "recent" ? RECENT : LEDGER));
}
