import { sumBy } from "../../ground/core/collections.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import {
  type Event,
  type EventDraft,
  earliestOfEach,
  identityIn,
  isOwn,
  type Kind,
} from "../../sessions/kinds/event.ts";
import type {
  EventStore,
  Purged,
  PurgeTarget,
  Retained,
  RetentionLimits,
  Statistics,
} from "../../sessions/store.ts";
import { checkDraft } from "../../sessions/storing/check-draft.ts";
import { REDACTED, type Redactor } from "../../sessions/storing/redactor.ts";
import {
  firstDayToKeep,
  identitiesIn,
  nonBlank,
  purgeMatcher,
} from "../../sessions/storing/removal.ts";
import { LARGE_BYTES } from "../worker-thread.ts";
import { Database, type Identity, type Pool, type Query } from "./database.ts";
import { databaseError } from "./database-error.ts";
import {
  EVENT_COLUMNS,
  type EventRow,
  type PreparedBatch,
  prepareBatch,
  searchLog,
  type Unprepared,
} from "./event-rows.ts";
import { findArtifact, findEvents, readEvents, readWindow } from "./read-events.ts";
import { toStorable } from "./storable-text.ts";

export interface PostgresEventStoreOptions extends Identity {
  /** Connections with a role that `checkRole` accepts. */
  readonly pool: Pool;
  readonly redactor: Redactor;
  /** Prepares large batches in another thread with the same redactor. Absent if there is no thread. */
  readonly prepareLarge?: ((unprepared: Unprepared) => Promise<PreparedBatch>) | undefined;
  /** The id of the caller's token, which must not end before the events are stored. */
  readonly token?: string;
  /** Returns the time in ms since 1970. */
  readonly now: () => number;
}

/** The session log of a tenant, as one person may see it. It keeps no connection between calls. */
export function postgresEventStore(options: PostgresEventStoreOptions): EventStore {
  const { pool, tenant, now } = options;
  const database = new Database(pool, options);
  return {
    location: `PostgreSQL, tenant ${tenant}`,
    append: (drafts) => appendEvents(database, drafts, options).catch(writeFailed),
    async *read(query = {}) {
      try {
        yield* readEvents(database, query);
      } catch (error) {
        readFailed(error);
      }
    },
    find: (ids) => findEvents(database, ids).catch(readFailed),
    search: (query) => searchLog(database, query).catch(readFailed),
    /** Returns false, because events are indexed when they're appended. */
    prepareSearch: async () => false,
    brief: (window) => readWindow(database, window, now()).catch(readFailed),
    artifact: (id) => findArtifact(database, id).catch(readFailed),
    toPurge: (target) => purge(database, target, "plan").catch(readFailed),
    purge: (target) => purge(database, target, "do it").catch(writeFailed),
    retain: (limits) => retain(database, limits, now()).catch(writeFailed),
    statistics: () => statisticsOf(database).catch(readFailed),
  };
}

function readFailed(error: unknown): never {
  throw databaseError(error, "read_failed", "Reading the session log");
}

function writeFailed(error: unknown): never {
  throw databaseError(error, "write_failed", "Writing the session log");
}

const APPEND = `select sentinel.append_events($1, $2, $3, $4::text[], $5::text[], $6::text[], $7::json, $8::json, $9::json,
  $10::timestamptz, $11) as refused`;
/** Marks a key that was already stored. */
const KNOWN = "=";

/** The number of events per statement. */
const AT_ONCE = 100;

/** @returns the events in the order of the drafts. Purged events are undefined. */
async function appendEvents(
  database: Database,
  drafts: readonly EventDraft[],
  options: PostgresEventStoreOptions,
): Promise<readonly (Event | undefined)[]> {
  const { redactor, prepareLarge, token } = options;
  const now = options.now();
  for (const draft of drafts) {
    checkDraft(draft);
  }
  const prepareHere = (unprepared: Unprepared) => prepareBatch(unprepared, redactor);
  const prepare = prepareLarge && areLarge(drafts) ? prepareLarge : prepareHere;
  const stored: (Event | undefined)[] = [];
  for (let first = 0; first < drafts.length; first += AT_ONCE) {
    const some = drafts.slice(first, first + AT_ONCE);
    const { events, batch } = await prepare({ drafts: some, identity: database.identity, now });
    const [row] = await database.call<{ refused: string[] }>(APPEND, [...batch, token]);
    stored.push(...(await storedOf(events, row?.refused ?? [], database)));
  }
  return stored;
}

/** Whether preparing these drafts takes so long that it would block other callers. */
function areLarge(drafts: readonly EventDraft[]): boolean {
  return JSON.stringify(drafts).length >= LARGE_BYTES;
}

/**
 * @param refused the refused keys, and with a `=` prefix the keys that were already stored.
 * @returns each event as stored. An event that was already stored is returned unchanged if the reader may see it.
 */
async function storedOf(events: readonly Event[], refused: readonly string[], database: Database) {
  const stored = new Map<string, Event>();
  for (const event of earliestOfEach(events)) {
    stored.set(identityIn(event.id), event);
  }
  const known: string[] = [];
  for (const mark of refused) {
    const key = mark.replace(KNOWN, "");
    const id = stored.get(key)?.id;
    stored.delete(key);
    if (id !== undefined && mark.startsWith(KNOWN)) {
      known.push(id);
    }
  }
  for (const event of await findEvents(database, known)) {
    if (isOwn(event)) {
      stored.set(identityIn(event.id), event);
    }
  }
  return events.map(({ id }) => stored.get(identityIn(id)));
}

const STATISTICS = `select count(*)::float8 as events, coalesce(sum(pg_column_size(events.*)), 0)::float8 as bytes,
    count(distinct (ts at time zone 'UTC')::date)::float8 as days,
    (select coalesce(sum(pg_column_size(text)), 0)::float8 from sentinel.artifacts) as "artifactBytes",
    (select coalesce(json_object_agg(tags.name, tags.count), '{}') from (
      select substr(tag, length($2) + 1) as name, count(*) from sentinel.events, unnest(tags) as tag
      where starts_with(tag, $2) group by tag order by tag) as tags) as redacted,
    (select count(*)::float8 from sentinel.purged where owner = $1 and length(mark) = 16) as purged,
    (select coalesce(sum(chunks), 0)::float8 from sentinel.chunk_totals) as chunks
  from sentinel.events`;

type Counts = Pick<
  Statistics,
  "events" | "bytes" | "days" | "artifactBytes" | "redacted" | "purged"
>;

/** Counts the events that a reader may see. This reads all of them. */
async function statisticsOf(database: Database): Promise<Statistics> {
  const { owner } = database.identity;
  const [row] = await database.reading((read) =>
    read<Counts & { chunks: number }>(STATISTICS, [owner, REDACTED]),
  );
  if (!row) {
    throw new Error("A count has one row.");
  }
  const { chunks, ...counts } = row;
  // Every stored event is indexed.
  return { ...counts, damaged: 0, indexed: { chunks, missingBytes: 0 } };
}

const LOCK = "select pg_advisory_xact_lock(sentinel.write_lock($1, $2))";
const PURGE =
  "select p_kinds as kinds, p_artifacts::float8 as artifacts from sentinel.purge_events($1, $2, $3, $4::text[], $5)";

/** Purges events of the person who asks, because only the person who recorded an event can purge it. A plan is a purge that is rolled back. */
function purge(database: Database, target: PurgeTarget, how: "plan" | "do it"): Promise<Purged> {
  const { tenant, owner, channel } = database.identity;
  return database.writing(async (query) => {
    // Lock, so that no events of the person are appended between the search and the purge.
    await query(LOCK, [tenant, owner]);
    if (how === "plan") {
      await query("savepoint plan");
    }
    const session = "session" in target ? toStorable(target.session) : null;
    const keys = "session" in target ? [] : await keysOf(query, owner, target);
    type Counts = { kinds: Partial<Record<Kind, number>> | null; artifacts: number };
    const [purged] = await query<Counts>(PURGE, [tenant, owner, channel, keys, session]);
    if (how === "plan") {
      await query("rollback to savepoint plan");
    }
    const kinds = purged?.kinds ?? {};
    const events = sumBy(Object.values(kinds), (count) => count);
    return { events, kinds, artifacts: purged?.artifacts ?? 0 };
  });
}

/** Events per page. */
const PAGE = 500;
const ARTIFACTS_WITH =
  "select id from sentinel.artifacts where owner = $1 and strpos(text, $2) > 0";
/** Selects events that may contain a text. `purgeMatcher` decides, because it ignores field names. */
const MAY_MENTION = `select key, ${EVENT_COLUMNS} from sentinel.events
  where owner = $1 and key > $2 and (strpos(event::text, $3) > 0 or artifacts && $4::text[]) order by key limit ${PAGE}`;

async function keysOf(
  query: Query,
  owner: string,
  target: { readonly ids: readonly string[] } | { readonly text: string },
): Promise<string[]> {
  if ("ids" in target) {
    return [...identitiesIn(target.ids)].map(toStorable);
  }
  const text = nonBlank(target.text);
  const found = await query<{ id: string }>(ARTIFACTS_WITH, [owner, toStorable(text)]);
  const withText = found.map(({ id }) => id);
  const matches = purgeMatcher(target, new Set(withText));
  const inJson = JSON.stringify(text).slice(1, -1);
  const keys: string[] = [];
  let last = "";
  for (;;) {
    type Row = EventRow & { readonly key: string };
    const rows = await query<Row>(MAY_MENTION, [owner, last, inJson, withText]);
    keys.push(...rows.filter(({ event }) => matches(event)).map(({ key }) => key));
    if (rows.length < PAGE) {
      return keys;
    }
    last = rows.at(-1)?.key ?? last;
  }
}

const EXPIRE_EVENTS =
  "select p_events::float8 as count, p_bytes::float8 as bytes from sentinel.expire_events($1, $2, $3, $4)";
const EXPIRE_ARTIFACTS =
  "select p_artifacts::float8 as count, p_bytes::float8 as bytes from sentinel.expire_artifacts($1, $2, $3, $4, $5)";

/** Deletes whole days of events, then the longest unused artifacts. After a failure, the next call continues. */
async function retain(database: Database, limits: RetentionLimits, now: number): Promise<Retained> {
  const { tenant, owner, channel } = database.identity;
  const expire = async (sql: string, ...values: readonly unknown[]) => {
    type Gone = { readonly count: number; readonly bytes: number };
    const [gone] = await database.call<Gone>(sql, [tenant, owner, channel, ...values]);
    return gone ?? { count: 0, bytes: 0 };
  };
  let events = 0;
  let bytes = 0;
  const firstDay = firstDayToKeep(limits, now);
  const expireEvents = () => expire(EXPIRE_EVENTS, `${firstDay}T00:00:00Z`);
  let gone = firstDay === "" ? undefined : await expireEvents();
  while (gone && gone.count > 0) {
    events += gone.count;
    bytes += gone.bytes;
    gone = await expireEvents();
  }
  const unusedSince = new Date(now - limits.artifactsDays * DAY_MS).toISOString();
  const artifacts = await expire(EXPIRE_ARTIFACTS, unusedSince, limits.artifactsBytes);
  return { events, artifacts: artifacts.count, bytes: bytes + artifacts.bytes };
}
