import type { EventStore, Statistics } from "../../sessions/store.ts";
import { REDACTED } from "../../sessions/storing/redact-draft.ts";
import type { Redactor } from "../../sessions/storing/redactor.ts";
import { type AppendParts, appendEvents } from "./append-events.ts";
import { Database, type Identity, type Pool } from "./database.ts";
import { databaseError } from "./database-error.ts";
import { findArtifact, findEvents, readEvents, readWindow } from "./read-events.ts";
import { purge, retain } from "./remove-events.ts";
import { searchLog } from "./search.ts";

export interface PostgresEventStoreOptions extends Identity {
  /** Connections with a role that `checkRole` accepts. */
  readonly pool: Pool;
  readonly redactor: Redactor;
  readonly prepareLarge?: AppendParts["prepareLarge"];
  /** The id of the caller's token, as in `AppendParts`. */
  readonly token?: string;
  /** Returns the time in ms since 1970. */
  readonly now: () => number;
}

/** The session log of a tenant, as one person may see it. It keeps no connection between calls. */
export function postgresEventStore(options: PostgresEventStoreOptions): EventStore {
  const { pool, tenant, redactor, prepareLarge, token, now } = options;
  const database = new Database(pool, options);
  return {
    location: `PostgreSQL, tenant ${tenant}`,
    append: (drafts) =>
      appendEvents(database, drafts, { redactor, prepareLarge, now: now(), token }).catch(
        writeFailed,
      ),
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
  if (!row) throw new Error("A count has one row.");
  const { chunks, ...counts } = row;
  // Every stored event is indexed.
  return { ...counts, damaged: 0, indexed: { chunks, missingBytes: 0 } };
}
