/** Reads windows of short events by the file store's rules: the reader's events, and those that others shared (docs/design/daemon.md, "Windows"). */
import { groupBy } from "../../ground/core/collections.ts";
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import { type BriefEvent, inTime } from "../../sessions/kinds/event.ts";
import { LEDGER, RECENT, RECENT_DAYS } from "../../sessions/resume/recent.ts";
import type { Window } from "../../sessions/store.ts";
import type { Database } from "./database.ts";
import { TOLD_COLUMNS, type ToldRow, toldOf } from "./event-row.ts";
import { readRows } from "./read-rows.ts";

/** The most events of the reader, and also of all others. In the ledger, the limit is per kind. */
const MOST_READ = { recent: 2_000, ledger: 5_000 };

const OWN = "owner = $1";
const OTHERS = "owner <> $1 and channel in ('team', 'public')";

/** Selects the newest events of the reader or of others. Row-level security hides the events that the reader may not see. */
function newest(whose: string, where: string, most: number): string {
  return `(select ${TOLD_COLUMNS} from sentinel.events where ${whose} and ${where} order by ts desc limit ${most})`;
}

const SINCE = "ts >= $2::timestamptz";
/** Repeats the condition of the partial index in schema.sql word for word, because PostgreSQL doesn't use the index otherwise. */
const OF_LEDGER = "kind in ('decision', 'task_update', 'pin', 'handoff')";
const RECENT_EVENTS = `${newest(OWN, SINCE, MOST_READ.recent)} union all ${newest(OTHERS, SINCE, MOST_READ.recent)}`;
/** Limits each kind separately, because task updates far outnumber decisions. */
const LEDGER_EVENTS = `select event.* from unnest(array['decision', 'task_update', 'pin', 'handoff']) as wanted
  cross join lateral (
    ${newest(OWN, `${OF_LEDGER} and kind = wanted`, MOST_READ.ledger)}
    union all ${newest(OTHERS, `${OF_LEDGER} and kind = wanted`, MOST_READ.ledger)}) as event`;

/** Returns a window of the session log, in order of time. @param now in ms since 1970. */
export async function readWindow(
  database: Database,
  window: Window,
  now: number,
): Promise<readonly BriefEvent[]> {
  const { identity } = database;
  const rows = await database.reading((read) => {
    if (window === "ledger")
      return readRows<ToldRow>(read, identity, LEDGER_EVENTS, [identity.owner]);
    const from = `${dateOf(new Date(now - RECENT_DAYS * DAY_MS).toISOString())}T00:00:00.000Z`;
    return readRows<ToldRow>(read, identity, RECENT_EVENTS, [identity.owner, from]);
  });
  const { briefOf, keep } = window === "recent" ? RECENT : LEDGER;
  const kept: BriefEvent[] = [];
  for (const segment of groupBy(rows, segmentOf).values()) {
    const briefs = segment
      .map((row) => briefOf(toldOf(row)))
      .filter((event) => event !== undefined);
    kept.push(...keep(briefs));
  }
  return inTime(kept);
}

/** Returns the person, session and day of an event. Limits per segment keep a teammate's decisions from displacing the reader's. */
function segmentOf({ ms, owner, session }: ToldRow): string {
  return JSON.stringify([Math.floor(ms / DAY_MS), owner, session]);
}
