/** Shortened events of a reader, by the file store's rules: the reader's own, and what others recorded for all (docs/design/daemon.md, "Windows"). */
import { groupBy } from "../../ground/core/group-by.ts";
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import { type BriefEvent, inTime } from "../../sessions/kinds/event.ts";
import { LEDGER, RECENT, RECENT_DAYS } from "../../sessions/resume/recent.ts";
import type { Window } from "../../sessions/store.ts";
import type { Database } from "./database.ts";
import { TOLD_COLUMNS, type ToldRow, toldOf } from "./event-row.ts";
import { readRows } from "./read-rows.ts";

/** The most events of the reader, and the most of all others; in the ledger, of each kind. */
const MOST_READ = { recent: 2_000, ledger: 500 };

const OWN = "owner = $1";
const OTHERS = "owner <> $1 and channel in ('team', 'public')";

/** The newest events of the reader or of others. Row-level security leaves those that the reader may see. */
function newest(whose: string, where: string, most: number): string {
  return `(select ${TOLD_COLUMNS} from sentinel.events where ${whose} and ${where} order by ts desc limit ${most})`;
}

const SINCE = "ts >= $2::timestamptz";
/** The condition of the partial index in schema.sql, word for word. PostgreSQL doesn't use the index otherwise. */
const OF_LEDGER = "kind in ('decision', 'task_update', 'pin', 'handoff')";
const RECENT_EVENTS = `${newest(OWN, SINCE, MOST_READ.recent)} union all ${newest(OTHERS, SINCE, MOST_READ.recent)}`;
/** Each kind has a limit, because there are far more steps of tasks than decisions. */
const LEDGER_EVENTS = `select event.* from unnest(array['decision', 'task_update', 'pin', 'handoff']) as wanted
  cross join lateral (
    ${newest(OWN, `${OF_LEDGER} and kind = wanted`, MOST_READ.ledger)}
    union all ${newest(OTHERS, `${OF_LEDGER} and kind = wanted`, MOST_READ.ledger)}) as event`;

/** Returns a window on the session log, in order of time. @param now in ms since 1970. */
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

/** A session of a person on one day, so that a teammate's decisions don't displace the reader's. */
function segmentOf({ ms, owner, session }: ToldRow): string {
  return JSON.stringify([Math.floor(ms / DAY_MS), owner, session]);
}
