/** Events in brief, by the file store's rules: the person's own, and those that all of the tenant see (docs/design/daemon.md, "Following"). */
import { groupBy } from "../../ground/core/group-by.ts";
import { RecentCache } from "../../ground/core/recent-cache.ts";
import { compare } from "../../ground/core/text.ts";
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import { type BriefEvent, eventId, identityIn, inTime } from "../../sessions/kinds/event.ts";
import { LEDGER, RECENT, RECENT_DAYS } from "../../sessions/resume/recent.ts";
import type { Window as WindowName } from "../../sessions/store.ts";
import { TokenLimit } from "../http/token-limit.ts";
import { Database, type Identity, type Query } from "./database.ts";
import { TOLD_COLUMNS, type ToldRow, toldOf } from "./event-row.ts";
import type { Pool } from "./open-pool.ts";
import { readRows } from "./read-rows.ts";
import { toStorable } from "./storable-text.ts";
import { together } from "./together.ts";

/** The newest events that an empty window reads. When this many came since, it starts over. */
const MOST_READ = 5_000;
/** The most recent events that are kept in brief, in whole sessions of a day. */
const MOST_KEPT = 3_000;
/** Windows kept in memory: this many, at most twice as many. A reader has two, and each call reads from its beginning one that is not kept. */
const MOST_WINDOWS = 500;
/** Windows that are read from their beginning, which takes some 20 MB each: all at once they would also all be late. */
const COLD = { running: 2, waiting: 10_000 };

/** The team's window has the owner '': row-level security then leaves only what all may see. */
const SEEN = "($1 = '' or owner = $1) and ts >= $2::timestamptz";
const LAST = `order by ts desc limit ${MOST_READ}`;
const SELECT = `select ${TOLD_COLUMNS} from sentinel.events`;
/** Word for word the condition of the partial index in schema.sql; else PostgreSQL does not use it. */
const OF_LEDGER = "kind in ('decision', 'task_update', 'pin', 'handoff')";
const OF_WINDOW = { recent: SEEN, ledger: `${SEEN} and ${OF_LEDGER}` };
const NEWEST = {
  recent: `${SELECT} where ${SEEN} ${LAST}`,
  // The last of each kind, else the steps of tasks would take the place of decisions.
  ledger: `select event.* from unnest(array['decision', 'task_update', 'pin', 'handoff']) as asked
    cross join lateral (${SELECT} where ${OF_WINDOW.ledger} and kind = asked ${LAST}) as event`,
};
const SINCE = `select ${TOLD_COLUMNS} from sentinel.events_from($3::xid8, ${MOST_READ}) as events where`;
const AGAIN = `select ${TOLD_COLUMNS} from unnest($3::text[], $4::text[], $5::date[]) as again (in_session, of_owner, day)
  join sentinel.events on session_no = hashtextextended(in_session, 0) and session = in_session and owner = of_owner
    and (ts at time zone 'UTC')::date = day where`;
const STILL_THERE = `select (extract(epoch from ts) * 1000)::float8 as ms, key, owner from sentinel.event_keys
  where key = any ($1) and ts is not null`;
/** No transaction has so high a number. */
const NEVER = "9223372036854775807";
/** `hasGone` where events were taken out since a transaction. `place` is the database that counts transactions: one that was restored is another. */
const STATE = `select pg_snapshot_xmin(pg_current_snapshot())::text as oldest,
  (select count(*) from sentinel.events_from($1::xid8, ${MOST_READ}))::int as came,
  exists (select from sentinel.dropped_days where tx >= $1::xid8) as "hasGone",
  (select system_identifier || ' ' || oid from pg_control_system(), pg_database where datname = current_database()) as place`;

/** Each is of one session on one day. */
type Segments = ReadonlyMap<string, readonly BriefEvent[]>;

interface Known {
  readonly place: string;
  /** The oldest transaction that was open: what it and later ones store is still to be read. */
  readonly to: string;
  readonly segments: Segments;
}

type KnownAndRows = Known & { readonly rows: readonly ToldRow[] };

/** @returns what reads the window, in any order. @param name which window it is. */
function windowOf(database: Database, name: WindowName, cold: TokenLimit) {
  let last: Known | undefined;

  /** All who ask while it is being read share the next reading, which has what was stored before. */
  const read = together(async (asked: readonly number[]) => {
    const first = dateOf(new Date(Math.max(...asked) - RECENT_DAYS * DAY_MS).toISOString());
    const from = name === "recent" ? `${first}T00:00:00.000Z` : "-infinity";
    last = (last && (await readOn(from, last))) ?? (await cold.within("", 0, () => readOn(from)));
    const events = [...(last?.segments.values() ?? [])].flat();
    return asked.map(() => events);
  });

  /** @returns undefined where what is known does not lead on: then it starts over. */
  async function readOn(from: string, known?: Known): Promise<Known | undefined> {
    const found = await database.reading((read) => readWith(read, from, known));
    if (!found) return undefined;
    const { segments, rows, ...rest } = found;
    return { ...rest, segments: withMore(segments, rows, from) };
  }

  /** @returns what is still known, and what comes to it. */
  async function readWith(
    read: Query,
    from: string,
    known?: Known,
  ): Promise<KnownAndRows | undefined> {
    const { identity } = database;
    const rowsOf = (sql: string, ...more: unknown[]) =>
      readRows(read, identity, sql, [identity.owner, from, ...more]);
    const where = OF_WINDOW[name];
    const [state] = await read<{ oldest: string; came: number; hasGone: boolean; place: string }>(
      STATE,
      [known?.to ?? NEVER],
    );
    const { oldest: to = "0", came = 0, hasGone = true, place = "" } = state ?? {};
    if (!known) return { place, to, segments: new Map(), rows: await rowsOf(NEWEST[name]) };
    const isOfAnother = known.place !== place || BigInt(known.to) > BigInt(to);
    if (isOfAnother || came === MOST_READ) return undefined;
    const since = came > 0 ? await rowsOf(`${SINCE} ${where}`, known.to) : [];
    const spoilt = hasGone ? await spoiltIn(known.segments, read, identity.owner) : [];
    const sessions = spoilt.flatMap((segment) => known.segments.get(segment)?.[0] ?? []);
    const places = [
      sessions.map(({ session }) => toStorable(session)),
      sessions.map(({ person = identity.owner }) => person),
      sessions.map(({ ts }) => dateOf(ts)),
    ];
    const again = spoilt.length > 0 ? await rowsOf(`${AGAIN} ${where}`, ...places) : [];
    const kept = new Map([...known.segments].filter(([segment]) => !spoilt.includes(segment)));
    return { place, to, segments: kept, rows: [...again, ...since] };
  }

  /** With more events, and without what is from before a time or too much. */
  function withMore(before: Segments, rows: readonly ToldRow[], from: string): Segments {
    const { briefOf, keep } = name === "recent" ? RECENT : LEDGER;
    const segments = new Map(before);
    for (const [segment, added] of groupBy(rows, segmentOf)) {
      const known = segments.get(segment) ?? [];
      const ids = new Set(known.map(({ id }) => id));
      const fresh = added.map(toldOf).filter(({ id }) => !ids.has(id));
      const kept = keep([...known, ...fresh.flatMap((event) => briefOf(event) ?? [])]);
      if (kept.length > 0) segments.set(segment, kept);
    }
    return name === "recent" ? newestOf(segments, from) : segments;
  }

  return read;
}

function newestOf(segments: Segments, from: string): Segments {
  const last = (events: readonly BriefEvent[]) => events.at(-1)?.ts ?? "";
  let count = 0;
  const newestFirst = [...segments].sort(([, a], [, b]) => compare(last(b), last(a)));
  const end = newestFirst.findIndex(([, events]) => {
    count += events.length;
    return count > MOST_KEPT || last(events) < from;
  });
  return new Map(end < 0 ? newestFirst : newestFirst.slice(0, end));
}

const segmentOf = ({ ms, session, person }: ToldRow) =>
  JSON.stringify([Math.floor(ms / DAY_MS), session, person]);

/** Segments of which something that is kept is there no more, or has another time. */
async function spoiltIn(
  segments: Segments,
  read: Query,
  reader: string,
): Promise<readonly string[]> {
  const keys = [...segments.values()].flat().map(({ id }) => identityIn(id));
  const rows = await read<{ ms: number; key: string; owner: string }>(STILL_THERE, [keys]);
  const there = new Set(rows.map(({ ms, key, owner }) => `${eventId(ms, key)} ${owner}`));
  const isSpoilt = (events: readonly BriefEvent[]) =>
    events.some(({ id, person = reader }) => !there.has(`${id} ${person}`));
  return [...segments].filter(([, events]) => isSpoilt(events)).map(([segment]) => segment);
}

/** Windows as they are remembered, for all who may see the same. */
export class Windows {
  readonly #pool: Pool;
  readonly #known = new RecentCache<ReturnType<typeof windowOf>>(MOST_WINDOWS);
  readonly #cold = new TokenLimit(COLD);

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Events of the reader's own, and those of others for the team. @param now ms since 1970. */
  async read(reader: Identity, name: WindowName, now: number): Promise<readonly BriefEvent[]> {
    const team: Identity = {
      ...reader,
      owner: "",
      channel: reader.channel === "public" ? "public" : "team",
    };
    const windows = [reader, team].map((identity) => this.#of(identity, name));
    const [own = [], ofAll = []] = await Promise.all(windows.map((read) => read(now)));
    const owner = toStorable(reader.owner);
    return inTime([...own, ...ofAll.filter(({ person }) => person !== owner)]);
  }

  #of(identity: Identity, name: WindowName) {
    const key = JSON.stringify([identity, name]);
    const window =
      this.#known.get(key) ?? windowOf(new Database(this.#pool, identity), name, this.#cold);
    this.#known.set(key, window);
    return window;
  }
}
